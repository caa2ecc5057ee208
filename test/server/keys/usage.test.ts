// When a key was last used, as the server writes it down now and then.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { SILENT } from '../../../src/server/log.ts';
import { keyUsage, readUsage } from '../../../src/server/keys/usage.ts';
import { until } from '../../support/wait.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = tempFolder('usage');

const MORNING = '2026-03-01T08:00:00.000Z';
const EVENING = '2026-03-01T20:00:00.000Z';

it('the last use of each key is written at the end, beside those known', async () => {
  const file = join(root, 'usage.json');
  let now = MORNING;
  const first = keyUsage(file, SILENT, () => new Date(now));
  first.note('a');
  first.note('b');
  now = EVENING;
  first.note('b');
  await first.close();
  assert.deepEqual(readUsage(file), { a: MORNING, b: EVENING });
  const second = keyUsage(file, SILENT, () => new Date(now));
  second.note('c');
  await second.close();
  assert.deepEqual(readUsage(file), { a: MORNING, b: EVENING, c: EVENING });
});

it('it is written every minute until the end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const file = join(root, 'minute.json');
  const usage = keyUsage(file, SILENT, () => new Date(MORNING));
  usage.note('a');
  t.mock.timers.tick(60_000);
  await until(() => readUsage(file)['a'] === MORNING);
  await usage.close();
  usage.note('late');
  t.mock.timers.tick(60_000);
  assert.deepEqual(readUsage(file), { a: MORNING });
  await usage.close();
  assert.deepEqual(readUsage(file), { a: MORNING, late: MORNING }, 'no timer had taken it');
});

it('a server nobody called writes nothing', async () => {
  const file = join(root, 'nothing.json');
  await keyUsage(file, SILENT, () => new Date(MORNING)).close();
  assert.throws(() => rmSync(file), { code: 'ENOENT' });
});

it('what cannot be written is a warning, and the server goes on', async () => {
  const taken = join(root, 'taken');
  writeFileSync(taken, '');
  const warnings: string[] = [];
  const log = { ...SILENT, warn: (text: string) => void warnings.push(text) };
  const usage = keyUsage(join(taken, 'usage.json'), log, () => new Date(MORNING));
  usage.note('a');
  await usage.close();
  assert.deepEqual(warnings, ['the last use of keys cannot be recorded']);
});

it('what is not a time is left out, and a file that cannot be read is as none', () => {
  const file = join(root, 'odd.json');
  writeFileSync(file, JSON.stringify({ a: MORNING, b: 7, c: null }));
  assert.deepEqual(readUsage(file), { a: MORNING });
  writeFileSync(file, '{');
  assert.deepEqual(readUsage(file), {});
  assert.deepEqual(readUsage(join(root, 'absent.json')), {});
});
