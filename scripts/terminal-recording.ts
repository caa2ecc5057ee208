// node scripts/terminal-recording.ts: makes docs/images/terminal.svg. Runs the built commands on a real terminal (a pty
// from util-linux `script`) in an empty home over the test handbook, and draws what they printed, nothing added.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const out = join(root, 'docs', 'images', 'terminal.svg');

const COMMANDS = [
  'vai ingest handbook --collection handbook',
  'vai query "what happens when a payment fails" --limit 1',
  'vai get handbook/services/checkout.md:20-23',
  'vai graph build handbook',
  'vai graph show CheckoutService',
];
const COLUMNS = 92;

const CELL = 8.43;
const LINE = 20;
const PAD = 20;
const BAR = 36;
/** Seconds until the next command appears; a still picture shows everything. */
const STEP = 2.2;

interface Style {
  bold: boolean;
  dim: boolean;
  colour: string | undefined;
}

const COLOURS: Record<number, string> = {
  31: '#f38b8b',
  32: '#7fd48a',
  33: '#e5c76b',
  34: '#8fb8f6',
  35: '#d3a1ee',
  36: '#5fd3c6',
};

/** What is left on each line after progress bars were drawn and erased. */
export function settledLines(output: string): string[] {
  const lines = output.replaceAll('\r\n', '\n').replace(/\n+$/, '').split('\n');
  return lines.map((line) => {
    const afterErase = line.split('\u001b[2K').at(-1)!;
    return afterErase.split('\r').at(-1)!;
  });
}

/* eslint-disable no-control-regex -- terminals are steered by control characters */
/** Links (OSC 8) are kept as their text. */
const LINK = /\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const STYLING = /\u001b\[([0-9;]*)m/;
/* eslint-enable no-control-regex */

/** One terminal line as `tspan`s. */
export function drawLine(line: string): string {
  let style: Style = { bold: false, dim: false, colour: undefined };
  let column = 0;
  let drawn = '';
  // Splitting by a group gives text and codes in turns.
  for (const [place, part] of line.replaceAll(LINK, '').split(STYLING).entries()) {
    if (place % 2 === 1) style = part.split(';').reduce((now, code) => restyle(now, Number(code)), style);
    else if (part) {
      const x = (PAD + column * CELL).toFixed(1);
      drawn += `<tspan x="${x}"${attributes(style)}>${escape(part)}</tspan>`;
      column += [...part].length;
    }
  }
  return drawn;
}

function restyle(style: Style, code: number): Style {
  if (code === 0) return { bold: false, dim: false, colour: undefined };
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: undefined };
  return COLOURS[code] ? { ...style, colour: COLOURS[code] } : style;
}

function attributes({ bold, dim, colour }: Style): string {
  const fill = colour ?? (dim ? '#8b98a5' : undefined);
  return `${fill ? ` fill="${fill}"` : ''}${bold ? ' font-weight="700"' : ''}`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface Recorded {
  command: string;
  lines: string[];
}

export function drawSession(session: readonly Recorded[]): string {
  let row = 0;
  const groups = session.map(({ command, lines }, index) => {
    const prompt = `\u001b[32m$\u001b[0m \u001b[1m${command}\u001b[0m`;
    const texts = [prompt, ...lines].map((line) => {
      row += 1;
      return `<text y="${BAR + PAD + row * LINE - 6}">${drawLine(line)}</text>`;
    });
    row += 1;
    return `<g style="animation-delay:${(index * STEP).toFixed(1)}s">\n${texts.join('\n')}\n</g>`;
  });
  const width = Math.ceil(PAD * 2 + COLUMNS * CELL);
  const height = BAR + PAD + row * LINE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="vai in a terminal: a folder is ingested, a question answered with the lines it came from, a citation opened, a graph built and walked">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}
@media (prefers-reduced-motion:no-preference){g{animation:show .3s backwards}}
@keyframes show{from{opacity:0}}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#12171c"/>
<circle cx="22" cy="20" r="6" fill="#3a444d"/><circle cx="42" cy="20" r="6" fill="#3a444d"/><circle cx="62" cy="20" r="6" fill="#3a444d"/>
${groups.join('\n')}
</svg>
`;
}

function record(): Recorded[] {
  const folder = mkdtempSync(join(tmpdir(), 'vai-recording-'));
  try {
    const bin = join(folder, '.bin');
    mkdirSync(bin);
    cpSync(join(root, 'test', 'web', 'handbook'), join(folder, 'handbook'), { recursive: true });
    const vai = join(bin, 'vai');
    writeFileSync(vai, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin', 'vai.js')}" "$@"\n`);
    chmodSync(vai, 0o755);
    const env = {
      PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: folder,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
    };
    return COMMANDS.map((command) => {
      const typed = `stty cols ${COLUMNS} rows 40; ${command}`;
      const done = spawnSync('script', ['-qec', typed, '/dev/null'], { cwd: folder, env, encoding: 'utf8' });
      if (done.status !== 0) throw new Error(`${command} ended with ${done.status}: ${done.stdout}`);
      return { command, lines: settledLines(done.stdout) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

if (process.argv[1] === import.meta.filename) {
  const svg = drawSession(record());
  writeFileSync(out, svg);
  console.log(`docs/images/terminal.svg: ${svg.length} bytes`);
}
