// Every failure of MongoDB as an error of ours. The driver puts hosts, user names and sometimes the whole connection
// string into its messages, so nothing of them is passed on: not in the message, not in the cause.

import { VaiError, type ErrorCode } from '../../domain/errors.ts';

interface DriverError extends Error {
  code?: number | string;
  codeName?: string;
  cause?: unknown;
  reason?: unknown;
  writeErrors?: unknown;
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
  hint: 'Check that the cluster runs, that this machine is in its IP access list and that MONGODB_URI names it; then try again.',
};
const TIMEOUT: Meaning = {
  code: 'TIMEOUT',
  message: 'MongoDB took too long and the operation was stopped.',
  hint: 'Try again; if it happens often, the cluster is too small for its load.',
};
const BUSY: Meaning = {
  code: 'STORE_BUSY',
  message: 'Others kept changing the same document in MongoDB; nothing was changed.',
  hint: 'Try again when the other ingest has ended.',
};
const BAD_URI: Meaning = {
  code: 'CONFIG_INVALID',
  message: 'The MongoDB connection string cannot be understood.',
  hint: 'It looks like mongodb+srv://user:password@cluster/; percent-encode special characters in the password.',
};
const NO_SEARCH: Meaning = {
  code: 'INDEX_MISSING',
  message: 'This MongoDB server has no Atlas Search.',
  hint: 'Use Atlas, or the mongodb/mongodb-atlas-local image; a plain server cannot search by meaning or words.',
};
const FULL: Meaning = {
  code: 'STORE_FULL',
  message: 'The MongoDB cluster has no room left.',
  hint: 'Remove what is not needed or choose a larger tier.',
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

const BY_CODE: Record<number, Meaning> = {
  13: NOT_ALLOWED,
  18: AUTH,
  50: TIMEOUT,
  112: BUSY,
  262: TIMEOUT,
  10334: TOO_LARGE,
  14031: FULL,
  31082: NO_SEARCH,
  17280: TOO_LARGE,
};

/** Codes of a primary that is gone or going. */
const ROLE = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436, 133]);

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
  MongoWaitQueueTimeoutError: {
    ...UNAVAILABLE,
    code: 'STORE_BUSY',
    message: 'Too many calls wait for MongoDB.',
  },
  MongoOperationTimeoutError: TIMEOUT,
  MongoParseError: BAD_URI,
  MongoInvalidArgumentError: BAD_URI,
  MongoMissingCredentialsError: AUTH,
};

export function isDriverError(thrown: unknown): thrown is DriverError {
  return thrown instanceof Error && (thrown.name.startsWith('Mongo') || thrown.name.startsWith('BSON'));
}

export function codeOf(thrown: unknown): number | undefined {
  const code = thrown instanceof Error ? (thrown as DriverError).code : undefined;
  return typeof code === 'number' ? code : undefined;
}

export function isDuplicate(thrown: unknown): boolean {
  return codeOf(thrown) === 11000;
}

/** What the search engine beside MongoDB said, without the words around it. */
export function searchMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message.replace(/^.*caused by :: /s, '') : '';
}

export function toStoreError(thrown: unknown): unknown {
  if (thrown instanceof VaiError || !(thrown instanceof Error)) return thrown;
  if (thrown.name === 'AbortError' || thrown.name === 'TimeoutError') return thrown;
  if (!isDriverError(thrown) && !isNetwork(thrown)) return thrown;
  const meaning = meaningOf(thrown);
  // Only names and numbers go into the log: a message of the driver may hold the connection string.
  const { code } = thrown as DriverError;
  const cause = new Error(`${thrown.name}${code === undefined ? '' : ` ${code}`}`);
  return new VaiError(meaning.code, meaning.message, { hint: meaning.hint, cause });
}

function meaningOf(thrown: DriverError): Meaning {
  const code = codeOf(thrown);
  if (thrown.name === 'MongoServerSelectionError' && isAuth(thrown)) return AUTH;
  if (code === 8000)
    return /auth/i.test(thrown.message) ? AUTH : /quota|space/i.test(thrown.message) ? FULL : UNAVAILABLE;
  if (code !== undefined && BY_CODE[code]) return BY_CODE[code];
  if (code !== undefined && ROLE.has(code)) return UNAVAILABLE;
  const named = BY_NAME[thrown.name];
  if (named) return named;
  if (isNetwork(thrown)) return UNAVAILABLE;
  if (thrown.name === 'MongoAPIError' && /mongodb\+srv|URI|host/i.test(thrown.message)) return BAD_URI;
  return {
    code: code === undefined ? 'INTERNAL' : 'WRITE_FAILED',
    message: `MongoDB refused an operation${code === undefined ? '' : ` (code ${code})`}.`,
    hint: 'Run `vai doctor`; if it finds nothing, report this with the server log.',
  };
}

/** Monitoring hides an authentication failure inside the reason of a failed selection. */
function isAuth(thrown: DriverError): boolean {
  const cause = thrown.cause;
  return cause instanceof Error && (codeOf(cause) === 18 || codeOf(cause) === 8000);
}

function isNetwork(thrown: DriverError): boolean {
  return (
    typeof thrown.code === 'string' &&
    /^(ECONN|ENOTFOUND|ETIMEOUT|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ENODATA|ESERVFAIL|ERR_TLS|ERR_SSL)/.test(
      thrown.code,
    )
  );
}
