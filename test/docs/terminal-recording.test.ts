import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { drawLine, drawSession, settledLines } from '../../scripts/terminal-recording.ts';

const ESC = '\u001b';

test('of a progress bar only what stays is kept', () => {
  assert.deepEqual(settledLines(`\r${ESC}[2K██ 50%\r${ESC}[2Kdone: 1 file\r\nnext\r\n`), [
    'done: 1 file',
    'next',
  ]);
});

test('colours, weight and markup are drawn, links become their text', () => {
  const line = drawLine(`${ESC}[1m${ESC}[36ma<b${ESC}[0m ${ESC}]8;;file:///x${ESC}\\open${ESC}]8;;${ESC}\\`);
  assert.equal(
    line,
    '<tspan x="20.0" fill="#5fd3c6" font-weight="700">a&lt;b</tspan><tspan x="45.3"> open</tspan>',
  );
});

test('a session grows with its lines', () => {
  const height = (svg: string): number => Number(/height="(\d+)"/.exec(svg)![1]);
  const short = drawSession([{ command: 'vai ping', lines: ['ok'] }]);
  const long = drawSession([{ command: 'vai ping', lines: ['ok', 'ok'] }]);
  assert.equal(height(long) - height(short), 20);
});

test('the picture in the docs shows commands and no path of the machine it was made on', () => {
  const svg = readFileSync(resolve(import.meta.dirname, '../../docs/images/terminal.svg'), 'utf8');
  assert.ok((svg.match(/>vai [a-z]+/g) ?? []).length >= 5);
  assert.doesNotMatch(svg, /\/(?:home|root|tmp|work|Users)\//);
});
