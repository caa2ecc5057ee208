// vai eval: what it says where no mode is better than the others.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

test('names no winner where all do equally well', async () => {
  const folder = tempFolder('eval-command');
  const vai = commandsIn(folder, { terminal: true });
  writeFileSync(join(folder, 'tides.md'), '# Tides\n\nThe ebb tide leaves the harbour dry.\n');
  writeFileSync(join(folder, 'q.jsonl'), '{"query": "ebb tide", "answers": [{"path": "tides.md"}]}\n');
  await vai('ingest', join(folder, 'tides.md'), '--collection', 'tides');
  const { stdout, stderr } = await vai('eval', 'tides', '--questions', join(folder, 'q.jsonl'));
  assert.match(stdout, /^Questions: 1 from your file, collection tides\n/, stderr);
  assert.match(stdout, /\nAll modes do equally well here\.\n$/);
});
