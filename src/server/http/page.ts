// The files of the page for a person, from the folder the build made. The set of files is read once: a request names an
// entry of it or nothing, so no path a client sends ever reaches the file system.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sendJson } from './reply.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface PageFile {
  type: string;
  body: Buffer;
  tag: string;
  /** Made when it is first asked for; undefined before, and for what is too small or packed already. */
  zipped?: Buffer;
}

/** Smaller files fit into one packet anyway. */
const ZIP_FROM = 1_400;

export type Page = (request: IncomingMessage, response: ServerResponse, path: string) => void;

export function createPage(folder: string | undefined): Page {
  let files: Map<string, PageFile> | undefined;
  return (request, response, path) => {
    files ??= readFiles(folder);
    const file = files.get(path === '/' ? '/index.html' : path);
    if (!file) {
      const hint = path === '/' ? 'This server has no page; MCP clients use POST /mcp.' : undefined;
      return sendJson(response, 404, { error: { message: 'Nothing here.', hint } });
    }
    const headers = {
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
      ETag: file.tag,
    };
    if (request.headers['if-none-match'] === file.tag) {
      response.writeHead(304, headers).end();
      return;
    }
    const zipped = acceptsGzip(request) ? zip(file) : undefined;
    const body = zipped ?? file.body;
    response.writeHead(200, {
      ...headers,
      'Content-Type': file.type,
      'Content-Length': body.length,
      ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

function acceptsGzip(request: IncomingMessage): boolean {
  const offered = String(request.headers['accept-encoding'] ?? '').split(',');
  return offered.some((one) => /^\s*gzip\s*(;|$)/i.test(one) && !/;\s*q=0(\.0*)?\s*$/.test(one));
}

function zip(file: PageFile): Buffer | undefined {
  if (file.body.length < ZIP_FROM || /^(image\/(png|x-icon)|font)/.test(file.type)) return undefined;
  file.zipped ??= gzipSync(file.body, { level: 9 });
  return file.zipped;
}

function readFiles(folder: string | undefined): Map<string, PageFile> {
  const files = new Map<string, PageFile>();
  if (!folder) return files;
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return files;
  }
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const file = join(entry.parentPath, entry.name);
    const body = readFileSync(file);
    const tag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
    files.set(`/${relative(folder, file).split(sep).join('/')}`, { type, body, tag });
  }
  return files;
}
