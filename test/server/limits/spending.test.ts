// What callers spend is counted by day, together for all processes of a folder, and what cannot be counted is refused.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { openSpending, spendingFile, spentToday } from '../../../src/server/limits/spending.ts';

const homes: string[] = [];
let file: string;
let today: Date;
const now = (): Date => today;

beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'vai-spending-'));
  homes.push(home);
  file = spendingFile(home);
  today = new Date('2026-03-01T10:00:00Z');
});
after(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

const spent = async (caller: string): Promise<number> => (await spentToday(file, today)).get(caller) ?? 0;

describe('what callers spend', () => {
  it('ends at the limit, each caller by itself, and begins again with the day', async () => {
    const spending = openSpending(file, now);
    await spending.reserve('ada', 6, 10);
    await spending.reserve('ada', 4, 10);
    await assert.rejects(
      spending.reserve('ada', 0.01, 10),
      (error: { code: string; message: string; hint: string }) => {
        assert.equal(error.code, 'COST_LIMIT');
        assert.match(error.message, /would cost \$0\.01, and \$10 of the \$10 this key may spend/);
        assert.match(error.hint, /VAI_MAX_SPENDING/);
        return true;
      },
    );
    await spending.reserve('bob', 1, 10);
    assert.deepEqual([await spent('ada'), await spent('bob')], [10, 1]);
    today = new Date('2026-03-02T00:00:01Z');
    await spending.reserve('ada', 9, 10);
    assert.deepEqual([await spent('ada'), await spent('bob')], [9, 0]);
    spending.close();
  });

  it('takes what was billed in the place of the estimate, and keeps the estimate where nobody knows', async () => {
    const spending = openSpending(file, now);
    (await spending.reserve('ada', 5, 10))(2);
    assert.equal(await spent('ada'), 2);
    (await spending.reserve('ada', 5, 10))(undefined);
    assert.equal(await spent('ada'), 7);
    // Dearer than estimated: the caller is let in no more.
    (await spending.reserve('ada', 1, 10))(4);
    await assert.rejects(spending.reserve('ada', 0.1, 10), { code: 'COST_LIMIT' });
    spending.close();
  });

  it('nothing may be spent where the limit is nothing', async () => {
    const spending = openSpending(file, now);
    await assert.rejects(spending.reserve('ada', 0.000001, 0), { code: 'COST_LIMIT' });
    spending.close();
  });

  it('survives a restart, in a file that nobody else can read', async () => {
    const first = openSpending(file, now);
    await first.reserve('ada', 7, 10);
    first.close();
    const second = openSpending(file, now);
    await assert.rejects(second.reserve('ada', 4, 10), { code: 'COST_LIMIT' });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    second.close();
  });

  it('four processes at once spend no more than one may', async () => {
    const program = join(import.meta.dirname, 'spending-process.ts');
    const workers = Array.from({ length: 4 }, () => fork(program, [file, '40', '1', '50']));
    const counts = await Promise.all(
      workers.map(async (worker) => {
        const [granted] = (await once(worker, 'message')) as [number];
        return granted;
      }),
    );
    assert.equal(
      counts.reduce((sum, granted) => sum + granted, 0),
      50,
    );
    assert.equal((await spentToday(file, new Date())).get('ada'), 50);
  });

  it('forgets days that nobody asks for any more', async () => {
    const first = openSpending(file, now);
    await first.reserve('ada', 1, 10);
    first.close();
    const long = new Date('2026-05-01T00:00:00Z');
    const second = openSpending(file, () => long);
    await second.reserve('ada', 1, 10);
    assert.equal((await spentToday(file, today)).size, 0);
    assert.equal((await spentToday(file, long)).size, 1);
    second.close();
  });

  it('refuses where it cannot be written down, and goes on once it can', async () => {
    writeFileSync(file, 'this is no database, and long enough to be taken for a broken one'.repeat(100));
    const spending = openSpending(file, now);
    for (let attempt = 0; attempt < 2; attempt++)
      await assert.rejects(spending.reserve('ada', 1, 10), { code: 'WRITE_FAILED' });
    assert.equal((await spentToday(file, today)).size, 0, 'what is shown does not fail with it');
    rmSync(file);
    await spending.reserve('ada', 1, 10);
    assert.equal(await spent('ada'), 1);
    spending.close();
    const taken = join(file, '..', 'a-folder');
    mkdirSync(taken);
    await assert.rejects(openSpending(taken, now).reserve('ada', 1, 10), { code: 'WRITE_FAILED' });
  });
});
