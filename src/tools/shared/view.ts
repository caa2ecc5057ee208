// An answer as a picture, for clients that show views (MCP Apps, extension io.modelcontextprotocol/ui): one HTML document
// that loads nothing, asks nobody but its host, and gets the structured answer of its tool from it. Everything that comes
// from documents is set as text, never as markup; the policy in the document allows its own script and style and nothing
// else.

import { hash } from 'node:crypto';
import type { View } from '../tool.ts';

export interface ViewParts {
  /** After `ui://`. */
  path: string;
  title: string;
  /** Defines `render(data)`, which gives the elements for a structured answer, or nothing if it has none to show. */
  script: string;
  style: string;
}

export function defineView({ path, title, script, style }: ViewParts): View {
  return { uri: `ui://${path}`, title, html: page(title, `${HOST}${script}`, `${STYLE}${style}`) };
}

function page(title: string, script: string, style: string): string {
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; script-src ${allowed(script)}; style-src ${allowed(style)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main></main>
<script>${script}</script>
</body>
</html>
`;
}

function allowed(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** Talks to the host: who we are, what it gives us, how tall we are. The host is the only one listened to. */
const HOST = String.raw`'use strict';
const main = document.querySelector('main');
const make = (tag, name, text) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = String(text);
  return made;
};
const list = (value) => (Array.isArray(value) ? value : []);
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const themed = (context) => {
  if (context && ['light', 'dark'].includes(context.theme)) document.documentElement.className = context.theme;
};
const show = (result) => {
  const data = result.isError ? undefined : result.structuredContent;
  const shown = data && render(data);
  const texts = list(result.content).filter((block) => block.type === 'text');
  main.replaceChildren(...(shown || texts.map((block) => make('pre', '', block.text))));
};
addEventListener('message', ({ source, data }) => {
  if (source !== parent || !data || data.jsonrpc !== '2.0') return;
  if (data.id === 'hello' && data.result) {
    themed(data.result.hostContext);
    send({ method: 'ui/notifications/initialized', params: {} });
  } else if (data.method === 'ui/notifications/tool-result') show(data.params || {});
  else if (data.method === 'ui/notifications/host-context-changed') themed(data.params);
  else if (data.method && data.id !== undefined) send({ id: data.id, result: {} });
});
new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } });
}).observe(document.documentElement);
send({
  id: 'hello',
  method: 'ui/initialize',
  params: { protocolVersion: '2026-01-26', appInfo: { name: 'vai', version: '1' }, appCapabilities: {} },
});
`;

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
:root.light { color-scheme: light; }
:root.dark { color-scheme: dark; }
body { margin: 0; }
main { padding: 12px; }
h2 { font-size: 1em; margin: 0 0 4px; overflow-wrap: anywhere; }
p { margin: 0 0 8px; overflow-wrap: anywhere; opacity: 0.75; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
`;
