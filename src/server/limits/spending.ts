// What each caller has spent on hosted models, by day. One small file in vai's folder, so that all workers and servers of
// that folder count together and a restart forgets nothing. What cannot be written down is not spent.

import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { VaiError } from '../../domain/errors.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Spending } from '../../ports/spending.ts';

/** Another process holds the file for microseconds; one that holds it longer is broken. */
const BUSY_MS = 1_000;
const KEPT_DAYS = 31;

export const spendingFile = (home: string): string => join(home, 'spending.db');

export function openSpending(file: string, now: () => Date): Spending {
  let open: Promise<DatabaseSync> | undefined;
  const database = (): Promise<DatabaseSync> =>
    (open ??= openLedger(file, now).catch((error: unknown) => {
      open = undefined;
      throw error;
    }));

  return {
    async reserve(caller, dollars, limit) {
      const day = dayOf(now());
      const ledger = await database().catch(unwritten);
      const spent = change(ledger, () => {
        const before = spentBy(ledger, day, caller);
        // A refusal changes nothing; it is decided inside, so that two processes cannot both pass.
        if (before + dollars <= limit) add(ledger, { day, caller, dollars });
        return before;
      });
      if (spent + dollars > limit) throw passed({ spent, dollars, limit });
      return (billed = dollars) => {
        try {
          add(ledger, { day, caller, dollars: billed - dollars });
        } catch {
          // The estimate stays: it is what the caller was let in with.
        }
      };
    },
    close() {
      void open?.then((ledger) => ledger.close()).catch(() => {});
      open = undefined;
    },
  };
}

/** Dollars of today by caller, to be shown; empty where nothing is known. */
export async function spentToday(file: string, now: Date): Promise<Map<string, number>> {
  if (!existsSync(file)) return new Map();
  const { DatabaseSync } = await import('node:sqlite');
  let ledger: DatabaseSync | undefined;
  try {
    ledger = new DatabaseSync(file, { timeout: BUSY_MS });
    const rows = ledger.prepare('SELECT caller, dollars FROM spent WHERE day = ?').all(dayOf(now));
    return new Map(rows.map(({ caller, dollars }) => [caller as string, dollars as number]));
  } catch {
    return new Map();
  } finally {
    ledger?.close();
  }
}

async function openLedger(file: string, now: () => Date): Promise<DatabaseSync> {
  makeFolder(dirname(file), 0o700);
  const { DatabaseSync } = await import('node:sqlite');
  const ledger = new DatabaseSync(file, { timeout: BUSY_MS });
  chmodSync(file, 0o600);
  ledger.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS spent (
      day TEXT NOT NULL, caller TEXT NOT NULL, dollars REAL NOT NULL, PRIMARY KEY (day, caller)
    ) WITHOUT ROWID;`);
  const oldest = new Date(now().getTime() - KEPT_DAYS * 86_400_000);
  ledger.prepare('DELETE FROM spent WHERE day < ?').run(dayOf(oldest));
  return ledger;
}

function change<T>(ledger: DatabaseSync, work: () => T): T {
  try {
    ledger.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      ledger.exec('COMMIT');
      return result;
    } catch (error) {
      ledger.exec('ROLLBACK');
      throw error;
    }
  } catch (error) {
    return unwritten(error);
  }
}

function spentBy(ledger: DatabaseSync, day: string, caller: string): number {
  const row = ledger.prepare('SELECT dollars FROM spent WHERE day = ? AND caller = ?').get(day, caller);
  return (row?.['dollars'] as number | undefined) ?? 0;
}

function add(
  ledger: DatabaseSync,
  { day, caller, dollars }: { day: string; caller: string; dollars: number },
): void {
  ledger
    .prepare(
      `INSERT INTO spent VALUES (?, ?, max(0, ?))
       ON CONFLICT DO UPDATE SET dollars = max(0, dollars + ?)`,
    )
    .run(day, caller, dollars, dollars);
}

const dayOf = (at: Date): string => at.toISOString().split('T')[0]!;

function passed({ spent, dollars, limit }: { spent: number; dollars: number; limit: number }): VaiError {
  return new VaiError(
    'COST_LIMIT',
    `Not sent: it would cost ${inDollars(dollars)}, and this key has already spent ${inDollars(spent)} of its ${inDollars(limit)} a day for hosted models.`,
    {
      hint: "The day ends at 00:00 UTC. Ask the server's owner for a higher spending limit of the key, or to raise VAI_MAX_SPENDING. Searching by words costs nothing.",
      data: { spent, limit },
    },
  );
}

function inDollars(dollars: number): string {
  if (dollars > 0 && dollars < 0.0001) return 'less than $0.0001';
  return `$${Number(dollars.toPrecision(3))}`;
}

function unwritten(cause: unknown): never {
  throw new VaiError(
    'WRITE_FAILED',
    'Not sent: spending on hosted models cannot be recorded, so none is called.',
    { hint: "The server's owner should check the disk and the file spending.db in its folder.", cause },
  );
}
