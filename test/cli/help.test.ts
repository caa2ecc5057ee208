// Help fits terminals of every width: a description wraps beside its term, or below it where little room is left. And how
// a command ends that ^C has stopped.

import assert from 'node:assert/strict';
import { Command } from 'commander';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { runProgram } from '../../src/cli/frame.ts';
import { buildVai } from '../../src/cli/vai/program.ts';

async function help(columns: number, ...args: string[]): Promise<string[]> {
  let stdout = '';
  const streams = {
    stdout: { isTTY: true, columns, write: (text: string) => (stdout += text) },
    stderr: { isTTY: false, write: () => true },
    stdin: Readable.from([]),
  };
  const input = { name: 'vai', env: { NO_COLOR: '1' }, cwd: process.cwd(), streams, uriChoosesStore: true };
  assert.equal(await runProgram(input, buildVai, [...args, '--help']), 0);
  return stdout.split('\n');
}

/** Examples are commands to copy, so they are never broken. */
const wraps = (line: string): boolean => !line.startsWith('Usage:') && !line.startsWith('  $ ');

for (const columns of [45, 60, 80, 120]) {
  test(`no line of help is wider than ${columns} columns`, async () => {
    const all = [[], ['search'], ['ingest'], ['mcp-server']];
    // What stands below the options is wrapped for the usual width.
    if (columns >= 80) all.push(['config'], ['skills']);
    for (const args of all)
      for (const line of await help(columns, ...args))
        assert.ok(!wraps(line) || line.length <= columns, `${line.length}: ${line}`);
  });
}

test('a wide terminal shows descriptions beside their terms, a narrow one below', async () => {
  const beside = (line: string): boolean => /^ {2}eval \[options\] <collection> {2,}measure/.test(line);
  assert.ok((await help(100)).some(beside));
  const narrow = await help(45);
  assert.ok(!narrow.some(beside));
  assert.match(narrow[narrow.indexOf('  eval [options] <collection>') + 1]!, /^ {6}measure which/);
});

test('a command that ^C stops says so, with the exit status of a shell', async () => {
  let stderr = '';
  const streams = {
    stdout: { isTTY: false, write: () => true },
    stderr: { isTTY: false, write: (text: string) => (stderr += text) },
    stdin: Readable.from([]),
  };
  const input = { name: 'vai', env: {}, cwd: process.cwd(), streams, uriChoosesStore: true };
  const status = await runProgram(
    input,
    (frame) =>
      new Command().action(() => {
        process.listeners('SIGINT').at(-1)!('SIGINT');
        frame.signal.throwIfAborted();
      }),
    [],
  );
  assert.deepEqual([status, stderr], [130, 'vai: Stopped.\n']);
});
