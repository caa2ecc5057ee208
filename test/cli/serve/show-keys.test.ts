import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeKeys } from '../../../src/cli/serve/show-keys.ts';
import type { KeyEntry } from '../../../src/server/keys/entry.ts';

const plain = { bold: (text: string) => text };
const NOW = Date.parse('2026-03-01T00:00:00.000Z');
const entry = (more: Partial<KeyEntry>): KeyEntry =>
  ({ id: 'aaaaaaaa', scopes: ['read'], collections: '*', ...more }) as KeyEntry;

test('keys are a table with a heading', () => {
  const keys = [
    { key: entry({}), use: {} },
    {
      key: entry({
        ...{ id: 'bbbbbbbb', name: 'ci\u001b[2J', owner: 'ada', scopes: ['read', 'admin'] },
        ...{ collections: ['docs', 'notes'], rate: 60, spending: 2.5, channels: 'text', expires: NOW },
      }),
      use: { lastUsed: '2026-02-28T10:00:00.000Z', spentToday: 0.5 },
    },
  ];
  const wide = (text: string) => text.padEnd('60/min, $2.5/day, answers as text, expired 2026-03-01'.length);
  assert.deepEqual(describeKeys(keys, plain, NOW).split('\n'), [
    `key       scopes      collections  ${wide('limits')}  last used                for`,
    `aaaaaaaa  read        all          ${wide('none')}  never`,
    `bbbbbbbb  read,admin  docs,notes   ${wide('60/min, $2.5/day, answers as text, expired 2026-03-01')}  2026-02-28, $0.50 today  ci[U+001B][2J (ada)`,
  ]);
});
