// vai estimate: on a terminal a table for a person, not the Markdown of the tool.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

test('on a terminal the figures stand under each other', async () => {
  const vai = commandsIn(tempFolder('estimate-command'), { terminal: true });
  const { stdout } = await vai('estimate', '--docs', '50K', '--queries', '1M');
  assert.doesNotMatch(stdout, /\|/);
  const rows = stdout.split('\n').filter((line) => /\$[\d.]+$/.test(line) || / total$/.test(line));
  const [head = ''] = rows;
  assert.match(head, /^ +embedding {2}per month +total$/);
  const first = rows.slice(0, 6);
  assert.deepEqual(new Set(first.map((row) => row.length)), new Set([head.length]));
  assert.ok(head.length <= 80);
  assert.ok(first.some((row) => row.startsWith('asymmetric: voyage-4-large / voyage-4-lite ')));
});
