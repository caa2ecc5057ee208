// Asking before something is changed: yes is yes, everything else is no, and no input at all is not waited for.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { agreed, confirmRemoval } from '../../src/cli/confirm.ts';
import { createFrame } from '../../src/cli/frame.ts';

function person(typed: string, isTTY = true) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(typed);
  const silent = { isTTY, write: () => true };
  const streams = { stdin, stdout: silent, stderr: silent };
  const input = { name: 'vai', env: {}, cwd: '/', streams, uriChoosesStore: true };
  return createFrame(input, new AbortController().signal);
}

test('only a yes is a yes; an input that ends is a no', async () => {
  for (const typed of ['y\n', 'yes\n', ' Y \n']) assert.equal(await agreed(person(typed), 'Go on?'), true);
  for (const typed of ['n\n', '\n', 'yesterday\n', ''])
    assert.equal(await agreed(person(typed), 'Go on?'), false);
});

test('removing needs somebody who can answer', async () => {
  await confirmRemoval(person('y\n'), 'handbook');
  await assert.rejects(confirmRemoval(person('n\n'), 'handbook'), /Nothing was removed/);
  await assert.rejects(confirmRemoval(person('y\n', false), 'handbook'), /not an interactive terminal/);
});
