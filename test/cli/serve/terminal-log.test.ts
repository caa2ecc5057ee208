import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from '../../../src/cli/frame.ts';
import { terminalLog } from '../../../src/cli/serve/terminal-log.ts';

function logTo(lines: string[], verbose: boolean) {
  const frame = { streams: { stderr: {} }, env: {}, note: (text: string) => lines.push(text) };
  return terminalLog(frame as unknown as Frame, verbose, () => new Date(2026, 0, 2, 3, 4, 5));
}

test('a person gets time, message and details on one line, no JSON', () => {
  const lines: string[] = [];
  const log = logTo(lines, false);
  log.info('listening', { host: '127.0.0.1', port: 3100, socket: undefined });
  log.warn('stopped');
  log.debug('not asked for');
  assert.deepEqual(lines, ['03:04:05  listening  host=127.0.0.1 port=3100', '03:04:05  stopped']);
});

test('what a request brings cannot steer the terminal or begin a line', () => {
  const lines: string[] = [];
  logTo(lines, true).debug('request', { tool: 'a\u001b[2Jb\n03:04:05  forged' });
  assert.deepEqual(lines, ['03:04:05  request  tool=a[U+001B][2Jb 03:04:05 forged']);
});
