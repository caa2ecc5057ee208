// What the server answers when a command fails: MongoDB's numbers, names and labels.

import type { Doc } from './wire/framing.ts';

const NAMES: Record<number, string> = {
  2: 'BadValue',
  8: 'UnknownError',
  9: 'FailedToParse',
  11: 'UserNotFound',
  13: 'Unauthorized',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  68: 'IndexAlreadyExists',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  189: 'PrimarySteppedDown',
  225: 'TransactionTooOld',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  263: 'OperationNotSupportedInTransaction',
  10107: 'NotWritablePrimary',
  11000: 'DuplicateKey',
  11600: 'InterruptedAtShutdown',
  11602: 'InterruptedDueToReplStateChange',
  13435: 'NotPrimaryNoSecondaryOk',
  31082: 'SearchNotEnabled',
};

/** Codes after which a retryable write may be sent again. */
const RETRYABLE = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436, 50915]);

export class ServerError extends Error {
  readonly code: number;
  readonly labels: string[];
  readonly extra: Doc;
  /** A conflict with what was committed meanwhile, not with what another transaction holds. */
  readonly stale: boolean;

  constructor(
    code: number,
    message: string,
    details: { labels?: string[]; extra?: Doc; stale?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.labels = details.labels ?? [];
    this.extra = details.extra ?? {};
    this.stale = details.stale ?? false;
  }
}

/** Thrown by a write that meets another transaction's uncommitted one: the caller waits and tries again. */
export class Blocked extends Error {
  readonly until: Promise<void>;

  constructor(until: Promise<void>) {
    super('blocked by a transaction');
    this.until = until;
  }
}

export function writeConflict(stale = false): ServerError {
  return new ServerError(
    112,
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.',
    { stale },
  );
}

export function codeName(code: number): string {
  return NAMES[code] ?? `Location${code}`;
}

interface Context {
  inTransaction: boolean;
  retryableWrite: boolean;
  commit: boolean;
  /** How this server says it. */
  reply(error: ServerError, labels: readonly string[]): Doc;
}

/** Turns a failure into the reply document, adding the labels that a real server derives from the context. */
export function errorReply(thrown: unknown, context: Context): Doc {
  const error = thrown instanceof ServerError ? thrown : new ServerError(8, messageOf(thrown));
  const labels = new Set(error.labels);
  if (labels.size === 0) {
    const transient = error.code === 112 || error.code === 251 || RETRYABLE.has(error.code);
    if (context.inTransaction && !context.commit && transient) labels.add('TransientTransactionError');
    if (context.commit && error.code === 251) labels.add('TransientTransactionError');
    if ((context.retryableWrite || context.commit) && RETRYABLE.has(error.code))
      labels.add('RetryableWriteError');
  }
  return { ok: 0, ...context.reply(error, [...labels]) };
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
