// One connection to one database file: pragmas, migrations, statements prepared on demand, transactions. Synchronous
// inside; only waiting for another process's write is asynchronous, so that it never stops the event loop.

import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { VaiError } from '../../domain/errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { isBusy, toStoreError } from './errors.ts';
import { MIGRATIONS, SCHEMA_VERSION, versionOf } from './schema.ts';
import { setAside } from './set-aside.ts';
import type { Prepared, Statements } from './statements.ts';

export interface Connection extends Statements {
  readonly database: string;
  readonly file: string;
  readonly raw: DatabaseSync;
  /** Chunks whose words or names this process wrote since the indexes were last merged. */
  chunksWritten: number;
  /**
   * Runs a read; errors come out as ours. Several statements see one state of the database, and so do reads that follow
   * each other at once, unless this process writes in between.
   */
  readonly read: <T>(work: () => T) => T;
  /** Runs a write in one transaction; waits for other writers without blocking. */
  readonly write: <T>(work: () => T) => Promise<T>;
  /** Lets another connection of this process write; writes here wait until it is done. */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
  /** Inside a write: what is read now may still be rolled back. */
  readonly writing: boolean;
  /** Runs `work` at the end of every write, inside its transaction, and `undo` when one is rolled back. */
  readonly beforeCommit: (work: () => void, undo: () => void) => void;
  /** Calls back before a read that could see other data than the one before it. */
  readonly onChange: (forget: () => void) => void;
  /** Runs a statement that cannot be inside a transaction; errors come out as ours. */
  readonly plain: <T>(work: () => T) => T;
  readonly close: () => void;
}

export interface ConnectionOptions {
  readOnly?: boolean;
  /** Longest wait for another writer. */
  busyMs?: number;
}

/** SQLite waits this long on the spot; then others get their turn. */
const BUSY_SLICE_MS = 5;
const BUSY_MS = 10_000;
const MAX_STATEMENTS = 300;

/** Reads of this process that are still open; each ends before something is written, so that the next one sees it. */
const openReads = new Set<() => void>();

function endReads(): void {
  for (const end of openReads) end();
}

export function connect(database: string, file: string, options: ConnectionOptions = {}): Connection {
  const raw = guard(database, () => open(file, options));
  const statements = new Map<string, StatementSync>();
  const listings = new Map<string, StatementSync>();
  const forgetters: (() => void)[] = [];
  const endings: { work: () => void; undo: () => void }[] = [];
  let depth = 0;
  let writing = false;
  let away: Promise<void> | undefined;
  let seen: number | undefined;

  function sql<Row>(text: string): Prepared<Row> {
    return (statements.get(text) ?? prepare(statements, text)) as unknown as Prepared<Row>;
  }

  function prepare(known: Map<string, StatementSync>, text: string): StatementSync {
    if (known.size >= MAX_STATEMENTS) known.clear();
    const statement = raw.prepare(text);
    known.set(text, statement);
    return statement;
  }

  function listing(text: string): StatementSync {
    const known = listings.get(text);
    if (known) return known;
    const statement = prepare(listings, text);
    statement.setReturnArrays(true);
    return statement;
  }

  function row<Columns extends unknown[]>(text: string, ...values: (number | string)[]): Columns | undefined {
    return listing(text).get(...values) as Columns | undefined;
  }

  function rows<Columns extends unknown[]>(text: string, ...values: (number | string)[]): Columns[] {
    return listing(text).all(...values) as unknown as Columns[];
  }

  function read<T>(work: () => T): T {
    return guard(database, () => {
      if (depth > 0) return work();
      const goesOn = openReads.has(endRead);
      if (!goesOn) beginRead();
      depth += 1;
      try {
        if (!goesOn) noticeChanges();
        return work();
      } catch (error) {
        endRead();
        throw error;
      } finally {
        depth -= 1;
      }
    });
  }

  /** To begin and end a read costs more than most reads, so it stays open until nothing is left to do at once. */
  function beginRead(): void {
    sql('BEGIN').run();
    openReads.add(endRead);
    process.nextTick(endRead);
  }

  function endRead(): void {
    if (!openReads.delete(endRead) || !raw.isOpen || !raw.isTransaction) return;
    try {
      sql('COMMIT').run();
    } catch {
      // Nothing was written, so there is nothing to lose.
      if (raw.isTransaction) sql('ROLLBACK').run();
    }
  }

  /** SQLite counts the commits of other connections; our own are noticed as they are made. */
  function noticeChanges(): void {
    const [version] = row<[number]>('PRAGMA data_version')!;
    if (version !== seen) forget();
    seen = version;
  }

  function forget(): void {
    for (const forgetter of forgetters) forgetter();
  }

  /** Begins a write, works, commits; what fails leaves the database as it was. */
  function inside<T>(work: () => T): T {
    sql('BEGIN IMMEDIATE').run();
    depth += 1;
    try {
      const result = work();
      for (const ending of endings) ending.work();
      sql('COMMIT').run();
      return result;
    } catch (error) {
      for (const ending of endings) ending.undo();
      // A full disk makes SQLite roll back by itself: then there is nothing left to undo.
      if (raw.isTransaction) sql('ROLLBACK').run();
      throw error;
    } finally {
      depth -= 1;
    }
  }

  async function lend<T>(work: () => Promise<T>): Promise<T> {
    await returned();
    const lent = work();
    const ended = lent.then(
      () => undefined,
      () => undefined,
    );
    away = ended;
    try {
      return await lent;
    } finally {
      if (away === ended) away = undefined;
    }
  }

  async function returned(): Promise<void> {
    while (away) await away;
  }

  async function write<T>(work: () => T): Promise<T> {
    if (away) await returned();
    const deadline = performance.now() + (options.busyMs ?? BUSY_MS);
    for (;;) {
      endReads();
      try {
        writing = true;
        return inside(work);
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toStoreError(error, database);
      } finally {
        writing = false;
        forget();
      }
      await sleep(10);
    }
  }

  function close(): void {
    endRead();
    statements.clear();
    listings.clear();
    if (raw.isOpen) raw.close();
  }

  function plain<T>(work: () => T): T {
    endReads();
    return guard(database, work);
  }

  return {
    database,
    file,
    raw,
    chunksWritten: 0,
    sql,
    row,
    rows,
    read,
    write,
    lend,
    get writing() {
      return writing;
    },
    beforeCommit: (work, undo) => void endings.push({ work, undo }),
    onChange: (forgetter) => void forgetters.push(forgetter),
    plain,
    close,
  };
}

function guard<T>(database: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, database);
  }
}

function open(file: string, { readOnly = false, busyMs = BUSY_MS }: ConnectionOptions): DatabaseSync {
  const fresh = !existsSync(file);
  if (fresh) makeDataFolder(file);
  let raw: DatabaseSync | undefined;
  try {
    raw = new DatabaseSync(file, { readOnly });
    prepareFile(raw, { file, fresh, busyMs });
    return raw;
  } catch (error) {
    if (raw?.isOpen) raw.close();
    const still = fresh ? undefined : openImmutable(file, error);
    if (still) return still;
    throw error;
  }
}

function prepareFile(
  raw: DatabaseSync,
  { file, fresh, busyMs }: { file: string; fresh: boolean; busyMs: number },
): void {
  // The last process to close the file locks it for a moment, against readers too.
  raw.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY`);
  const version = versionOf(raw);
  raw.exec(`PRAGMA busy_timeout = ${BUSY_SLICE_MS}`);
  if (version > SCHEMA_VERSION) {
    throw new VaiError('STORE_TOO_NEW', 'The database was written by a newer vai.', {
      hint: 'Update vai, or set VAI_HOME to another folder.',
    });
  }
  if (version < SCHEMA_VERSION) {
    if (version > 0) setAside(raw, file, busyMs);
    migrate(raw);
  }
  raw.exec(
    'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 3000; PRAGMA journal_size_limit = 67108864; ' +
      'PRAGMA cache_size = -4000',
  );
  if (fresh) chmodSync(file, 0o600);
}

function migrate(raw: DatabaseSync): void {
  // Larger pages, where the file is new: a bulk load writes a quarter as many, each with a header of its own.
  raw.exec('PRAGMA busy_timeout = 5000; PRAGMA page_size = 16384; PRAGMA journal_mode = WAL');
  raw.exec('BEGIN IMMEDIATE');
  try {
    // Read again: another process may have done it while this one waited.
    const from = versionOf(raw);
    if (from === 0 && !isEmpty(raw)) {
      throw new VaiError('STORE_CORRUPT', 'The file is a database of something else.', {
        hint: 'Choose another database name or move the file away.',
      });
    }
    for (const step of MIGRATIONS.slice(from)) step(raw);
    raw.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    raw.exec('COMMIT');
  } catch (error) {
    if (raw.isTransaction) raw.exec('ROLLBACK');
    throw error;
  }
  raw.exec(`PRAGMA busy_timeout = ${BUSY_SLICE_MS}`);
}

function isEmpty(raw: DatabaseSync): boolean {
  return (raw.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number }).n === 0;
}

/** A database on a read-only medium can still be read, as long as no log beside it waits to be applied. */
function openImmutable(file: string, reason: unknown): DatabaseSync | undefined {
  if (reason instanceof VaiError || isBusy(reason)) return undefined;
  const log = `${file}-wal`;
  try {
    if (existsSync(log) && statSync(log).size > 0) return undefined;
    const raw = new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true });
    if (versionOf(raw) === SCHEMA_VERSION) return raw;
    raw.close();
  } catch {
    // The first error says more.
  }
  return undefined;
}

function makeDataFolder(file: string): void {
  try {
    makeFolder(dirname(file), 0o700);
  } catch (error) {
    throw new VaiError('STORE_READONLY', 'The data folder cannot be made.', {
      hint: 'Make the folder above it writable, or set VAI_HOME to another one.',
      cause: error,
    });
  }
}
