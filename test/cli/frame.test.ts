// What every command writes through.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createFrame } from '../../src/cli/frame.ts';

function written(isTTY: boolean): {
  out: () => string;
  err: () => string;
  frame: ReturnType<typeof createFrame>;
} {
  let [out, err] = ['', ''];
  const streams = {
    stdout: { isTTY, write: (text: string) => (out += text) },
    stderr: { isTTY, write: (text: string) => (err += text) },
    stdin: Readable.from([]),
  };
  const input = { name: 'vai', env: {}, cwd: '/', streams, uriChoosesStore: false };
  return { out: () => out, err: () => err, frame: createFrame(input, new AbortController().signal) };
}

test('neither an answer nor a note or an error drives a terminal with the name of a file', () => {
  const { frame, out, err } = written(true);
  frame.print('a\u001bc.md');
  frame.note(`\u001b[31mDid you mean \`a\u001bc.md\`?\u001b[0m`);
  assert.equal(out(), 'a[U+001B]c.md\n');
  assert.equal(err(), '\u001b[31mDid you mean `a[U+001B]c.md`?\u001b[0m\n');
  const piped = written(false);
  piped.frame.note('a\u001bc.md');
  assert.equal(piped.err(), 'a\u001bc.md\n');
});
