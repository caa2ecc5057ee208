// Every failure of MongoDB as an error of ours. The driver puts hosts, user names and sometimes the whole connection
// string into its messages, so nothing of them is passed on: not in the message, not in the cause. The server's message
// goes only to the log, with those parts removed.

import { VaiError, type ErrorCode } from '../../domain/errors.ts';

interface DriverError extends Error {
  code?: number | string;
  codeName?: string;
  cause?: unknown;
}

interface Meaning {
  code: ErrorCode;
  message: string;
  hint: string;
}

const AUTH: Meaning = {
  code: 'MONGO_AUTH',
  message: 'MongoDB refused the user or password.',
  hint: 'Check user, password and their rights in MONGODB_URI; special characters in a password must be percent-encoded.',
};
const UNAVAILABLE: Meaning = {
  code: 'MONGO_UNAVAILABLE',
  message: 'MongoDB cannot be reached.',
  hint: 'Check that the server runs, that this machine may reach it (on Atlas: its IP access list) and that MONGODB_URI names it; then try again.',
};
const TIMEOUT: Meaning = {
  code: 'TIMEOUT',
  message: 'MongoDB took too long and the operation was stopped.',
  hint: 'Try again; if it happens often, the server is too small for its load.',
};
const BUSY: Meaning = {
  code: 'STORE_BUSY',
  message: 'Others kept changing the same document in MongoDB; nothing was changed.',
  hint: 'Try again when the other ingest has ended.',
};
const CROWDED: Meaning = {
  code: 'STORE_BUSY',
  message: 'Too many calls wait for MongoDB.',
  hint: 'Try again in a moment; if it happens often, the server is too small for its load.',
};
const BAD_URI: Meaning = {
  code: 'CONFIG_INVALID',
  message: 'The MongoDB connection string cannot be understood.',
  hint: 'It looks like mongodb+srv://user:password@cluster/; percent-encode special characters in the password.',
};
const CANNOT: Meaning = {
  code: 'STORE_UNSUPPORTED',
  message: 'This MongoDB server cannot do that.',
  hint: '`vai ping` says what it can do; docs/mongodb-atlas.md compares the servers.',
};
const FULL: Meaning = {
  code: 'STORE_FULL',
  message: 'The MongoDB server has no room left.',
  hint: 'Remove what is not needed or choose a larger one.',
};
const TOO_LARGE: Meaning = {
  code: 'TOO_LARGE',
  message: 'A piece is larger than MongoDB can store.',
  hint: 'Use a smaller chunk size or less metadata.',
};
const NOT_ALLOWED: Meaning = {
  code: 'MONGO_AUTH',
  message: 'The MongoDB user may not do this.',
  hint: 'Give the user readWrite on the database, or search only.',
};

/**
 * A server without the command, the stage or the kind of index: CommandNotFound, CommandNotSupported, NotImplemented, a
 * stage nobody knows, Atlas Search where there is none.
 */
const CANNOT_CODES = [59, 115, 238, 40324, 31082, 6047401];

/** DocumentDB passes on what its PostgreSQL says: a state of five characters, packed six bits each. */
export function fromSqlState(state: string): number {
  return [...state].reduce((packed, character, at) => packed + (character.charCodeAt(0) - 48) * 64 ** at, 0);
}

/**
 * Others were in the way: LockTimeout, LockFailed, WriteConflict, ConflictingOperationInProgress, SnapshotUnavailable,
 * NoSuchTransaction, a document that somebody else has just inserted, and what PostgreSQL calls the same.
 */
const CONFLICT_CODES = [
  ...[24, 107, 112, 117, 246, 251, 11000],
  ...['40001', '40P01', '55P03', '25P02'].map(fromSqlState),
];
/** A primary that is gone or going, or a PostgreSQL that shuts down, starts up, lost a connection or has none left. */
const OUTAGE_CODES = [
  ...[6, 7, 89, 91, 133, 189, 9001, 10107, 11600, 11602, 13435, 13436],
  ...['57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006', '53300'].map(fromSqlState),
];

const each = (codes: readonly number[], meaning: Meaning): Record<number, Meaning> =>
  Object.fromEntries(codes.map((code) => [code, meaning]));

const BY_CODE: Record<number, Meaning> = {
  13: NOT_ALLOWED,
  18: AUTH,
  50: TIMEOUT,
  262: TIMEOUT,
  10334: TOO_LARGE,
  14031: FULL,
  17280: TOO_LARGE,
  ...each(CANNOT_CODES, CANNOT),
  ...each(CONFLICT_CODES, BUSY),
  ...each(OUTAGE_CODES, UNAVAILABLE),
};

const BY_NAME: Record<string, Meaning> = {
  MongoServerSelectionError: UNAVAILABLE,
  MongoNetworkError: UNAVAILABLE,
  MongoNetworkTimeoutError: UNAVAILABLE,
  MongoNotConnectedError: UNAVAILABLE,
  MongoTopologyClosedError: UNAVAILABLE,
  MongoClientClosedError: UNAVAILABLE,
  MongoPoolClearedError: UNAVAILABLE,
  MongoPoolClosedError: UNAVAILABLE,
  PoolClearedOnNetworkError: UNAVAILABLE,
  MongoWaitQueueTimeoutError: CROWDED,
  MongoOperationTimeoutError: TIMEOUT,
  MongoParseError: BAD_URI,
  MongoInvalidArgumentError: BAD_URI,
  MongoMissingCredentialsError: AUTH,
  MongoConflict: BUSY,
};

/** Somebody was in the way, as it was found here and not by the server. */
export class Conflict extends Error {
  override readonly name = 'MongoConflict';
}

export function isDriverError(thrown: unknown): thrown is DriverError {
  return thrown instanceof Error && (/^(?:Mongo|BSON|PoolCleared)/.test(thrown.name) || isNetwork(thrown));
}

export function codeOf(thrown: unknown): number | undefined {
  const code = thrown instanceof Error ? (thrown as DriverError).code : undefined;
  return typeof code === 'number' ? code : undefined;
}

export function isDuplicate(thrown: unknown): boolean {
  return codeOf(thrown) === 11000;
}

/** Whether the server has no such command, stage or index. */
export function cannot(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code !== undefined && BY_CODE[code] === CANNOT;
}

/** What the search engine beside MongoDB said, without the words around it. */
export function searchMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message.replace(/^.*caused by :: /s, '') : '';
}

/** A failed read is never called a failed write. */
export function toStoreError(thrown: unknown, doing: 'read' | 'write' = 'read'): unknown {
  if (thrown instanceof VaiError || !(thrown instanceof Error)) return thrown;
  if (thrown.name === 'AbortError' || thrown.name === 'TimeoutError') return thrown;
  if (!isDriverError(thrown)) return thrown;
  const meaning = meaningOf(thrown, doing);
  // Only names and numbers go along: a message of the driver may hold the connection string.
  const { code } = thrown;
  const cause = new Error(`${thrown.name}${code === undefined ? '' : ` ${code}`}`);
  return new VaiError(meaning.code, meaning.message, { hint: meaning.hint, cause });
}

function meaningOf(outer: DriverError, doing: 'read' | 'write'): Meaning {
  const thrown = withoutBulk(outer);
  const code = codeOf(thrown);
  if (thrown.name === 'MongoServerSelectionError' && isAuth(thrown)) return AUTH;
  if (code === 8000)
    return /auth/i.test(thrown.message) ? AUTH : /quota|space/i.test(thrown.message) ? FULL : UNAVAILABLE;
  if (code !== undefined && BY_CODE[code]) return BY_CODE[code];
  const named = BY_NAME[thrown.name];
  if (named) return named;
  if (isNetwork(thrown) || isLostBackend(thrown)) return UNAVAILABLE;
  if (thrown.name === 'MongoAPIError' && /mongodb\+srv|URI|host/i.test(thrown.message)) return BAD_URI;
  return {
    code: code !== undefined && doing === 'write' ? 'WRITE_FAILED' : 'INTERNAL',
    message: `MongoDB refused an operation${code === undefined ? '' : ` (code ${code})`}.`,
    hint: 'Run it again with --verbose to see in the log what the server said; `vai doctor` looks for damage.',
  };
}

/** What went wrong while many were written is inside an error of another name. */
function withoutBulk(thrown: DriverError): DriverError {
  const { errorResponse } = thrown as { errorResponse?: unknown };
  return thrown.name === 'MongoBulkWriteError' && errorResponse instanceof Error ? errorResponse : thrown;
}

/** Monitoring hides an authentication failure inside the reason of a failed selection. */
function isAuth(thrown: DriverError): boolean {
  const cause = thrown.cause;
  return cause instanceof Error && (codeOf(cause) === 18 || codeOf(cause) === 8000);
}

/** The gateway of DocumentDB whose PostgreSQL went away has no code for that. */
function isLostBackend(thrown: DriverError): boolean {
  return thrown.code === 1 && /connection closed|connecting|communicating|pool/i.test(thrown.message);
}

function isNetwork(thrown: Error): boolean {
  const { code } = thrown as DriverError;
  return (
    typeof code === 'string' &&
    /^(ECONN|ENOTFOUND|ETIMEOUT|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ENODATA|ESERVFAIL|ERR_TLS|ERR_SSL)/.test(
      code,
    )
  );
}

/**
 * What passes by itself. `conflict`: others were in the way; `outage`: nobody answered; `overload`: it took too long, or too
 * many waited.
 */
export type Passing = 'conflict' | 'outage' | 'overload';

export function passing(thrown: unknown): Passing | undefined {
  if (thrown instanceof VaiError || !isDriverError(thrown)) return undefined;
  const meaning = meaningOf(thrown, 'read');
  if (meaning === TIMEOUT || meaning === CROWDED) return 'overload';
  if (meaning.code === 'MONGO_UNAVAILABLE') return 'outage';
  if (meaning === BUSY || isLabelled(thrown, 'TransientTransactionError')) return 'conflict';
  return undefined;
}

export function isLabelled(thrown: unknown, label: string): boolean {
  const labels = (thrown as { errorLabels?: unknown }).errorLabels;
  return Array.isArray(labels) && labels.includes(label);
}
