// What callers spend is counted by day, together for all processes of a folder, and what cannot be counted is refused.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { openSpending, spendingFile, spentToday } from '../../../src/server/limits/spending.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let file: string;
let today: Date;
const now = (): Date => today;

beforeEach(() => {
  file = spendingFile(tempFolder('spending'));
  today = new Date('2026-03-01T10:00:00Z');
});

const spent = async (caller: string): Promise<number> => (await spentToday(file, today)).get(caller) ?? 0;

describe('what callers spend', () => {
  it('ends at the limit, each caller by itself, and begins again with the day', async () => {
    const spending = openSpending(file, now);
    await spending.reserve('eve', 10, 10);
    await spending.reserve('ada', 6, 10);
    await spending.reserve('ada', 4, 10);
    await assert.rejects(
      spending.reserve('ada', 0.01, 10),
      (error: { code: string; message: string; hint: string }) => {
        assert.equal(error.code, 'COST_LIMIT');
        assert.match(
          error.message,
          /would cost \$0\.01, and this key has already spent \$10 of its \$10 a day/,
        );
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

  it('is kept in a private folder, made where it is missing', async () => {
    const deep = spendingFile(join(file, '..', 'new', 'home'));
    const spending = openSpending(deep, now);
    await spending.reserve('ada', 1, 10);
    assert.equal(statSync(join(deep, '..')).mode & 0o777, 0o700);
    spending.close();
  });

  it('is told in dollars that a person can read', async () => {
    const spending = openSpending(file, now);
    await spending.reserve('ada', 1.23456, 10);
    const told = async (dollars: number, limit: number) =>
      spending.reserve('ada', dollars, limit).then(
        () => assert.fail('it was let in'),
        (error: { message: string; data: object }) => {
          assert.deepEqual(error.data, { spent: 1.23456, limit });
          return /cost (.*), and this key has already spent (.*) of its (.*) a day/
            .exec(error.message)!
            .slice(1);
        },
      );
    assert.deepEqual(await told(20, 2), ['$20', '$1.23', '$2']);
    assert.deepEqual(await told(0.0001, 0), ['$0.0001', '$1.23', '$0']);
    assert.deepEqual(await told(0.00009, 0), ['less than $0.0001', '$1.23', '$0']);
    spending.close();
  });

  it('goes on after a failure halfway', async () => {
    const spending = openSpending(file, now);
    const unbindable = {} as unknown as string;
    await assert.rejects(spending.reserve(unbindable, 1, 10), { code: 'WRITE_FAILED' });
    await spending.reserve('ada', 1, 10);
    assert.equal(await spent('ada'), 1);
    spending.close();
  });

  it(
    'is shown without leaving a file or a handle behind',
    { skip: process.platform !== 'linux' },
    async () => {
      assert.equal((await spentToday(file, today)).size, 0);
      assert.equal(existsSync(file), false);
      const spending = openSpending(file, now);
      await spending.reserve('ada', 1, 10);
      const open = (): number => readdirSync('/proc/self/fd').length;
      const before = open();
      for (let count = 0; count < 20; count += 1) await spentToday(file, today);
      assert.ok(open() < before + 20);
      spending.close();
    },
  );

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
    const days = async (later: string): Promise<number> => {
      const spending = openSpending(file, () => new Date(later));
      await spending.reserve('bob', 0, 10);
      spending.close();
      return (await spentToday(file, today)).size;
    };
    assert.equal(await days('2026-04-01T23:59:59Z'), 1, 'a month is kept');
    assert.equal(await days('2026-04-02T00:00:00Z'), 0);
  });

  it('refuses while it cannot be recorded, and goes on once it can', async () => {
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
