// Every failure of SQLite as an error of ours: what happened and what to do, without the path of a file.

import { VaiError, type ErrorCode } from '../../domain/errors.ts';

interface SqliteError extends Error {
  code: string;
  errcode: number;
}

const CODES: Record<number, { code: ErrorCode; message: string; hint: string }> = {
  5: busy(),
  6: busy(),
  8: readonly(),
  11: corrupt(),
  13: {
    code: 'STORE_FULL',
    message: 'There is no room left for the database; nothing was changed.',
    hint: 'Free some disk space and run the same command again.',
  },
  14: {
    code: 'STORE_READONLY',
    message: 'The database file cannot be opened.',
    hint: 'Check that the data folder exists and that you may write to it, or set VAI_HOME to another one.',
  },
  26: corrupt(),
};

/** Extended I/O errors that mean a write did not fit: short write, truncate, file size limit. */
const NO_ROOM = new Set([778, 1034, 1546, 4874]);

function isSqliteError(thrown: unknown): thrown is SqliteError {
  return thrown instanceof Error && (thrown as SqliteError).code === 'ERR_SQLITE_ERROR';
}

export function isBusy(thrown: unknown): boolean {
  return isSqliteError(thrown) && [5, 6].includes(thrown.errcode & 0xff);
}

export function toStoreError(thrown: unknown, database: string): unknown {
  if (thrown instanceof VaiError || !isSqliteError(thrown)) return thrown;
  const full = NO_ROOM.has(thrown.errcode) ? 13 : thrown.errcode & 0xff;
  const known = CODES[full];
  if (known)
    return new VaiError(known.code, known.message, { hint: known.hint, data: { database }, cause: thrown });
  if (full === 10) {
    return new VaiError('WRITE_FAILED', 'The disk refused to read or write the database.', {
      hint: 'Check the disk, then run `vai doctor`.',
      data: { database },
      cause: thrown,
    });
  }
  return new VaiError('INTERNAL', 'The database refused a statement.', {
    hint: 'Run `vai doctor`; if it finds nothing, report this with the server log.',
    data: { database },
    cause: thrown,
  });
}

function busy() {
  return {
    code: 'STORE_BUSY' as const,
    message: 'Another process has been writing to the database for too long.',
    hint: 'Try again when the other ingest or update has ended.',
  };
}

function readonly() {
  return {
    code: 'STORE_READONLY' as const,
    message: 'The database is read-only here; nothing was changed.',
    hint: 'Make the data folder writable, or set VAI_HOME to one that is.',
  };
}

function corrupt() {
  return {
    code: 'STORE_CORRUPT' as const,
    message: 'The database file is damaged or is not a database.',
    hint: 'Move the file away, with its -wal and -shm; then `vai restore` a copy made by `vai backup`, or ingest again.',
  };
}
