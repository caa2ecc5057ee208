// The one error model: a closed union of codes, a message that is safe to show, a hint that says what to do next.
// One table says what each code means at every boundary (HTTP, exit status, BLZ number) and to a run over many items,
// so no caller decides by the name of a code.

/**
 * What an error ends. `item`: the current file, text or citation; the next one may succeed. `run`: every further item
 * would fail too, so a run stops and keeps what it has, and a search may do without the failed part. `call`: the whole
 * call; there is no fallback.
 */
export type Ends = 'item' | 'run' | 'call';

interface Meaning {
  /** Status of an HTTP answer when the error ends the request itself. */
  http: number;
  /** Exit status: 1 internal, 2 usage, 3 not found, 4 bad query, 5 network, 6 timeout, 7 integrity. */
  exit: number;
  /** Number and name inside an error of the BLZ toolset. */
  blz: -32000 | -32001 | -32002 | -32010 | -32602;
  ends: Ends;
  /** Whether the same call may succeed later without a change. */
  retryable: boolean;
}

const ending =
  (ends: Ends) =>
  (http: number, exit: number, blz: Meaning['blz'], retryable = false): Meaning => ({
    http,
    exit,
    blz,
    ends,
    retryable,
  });
const item = ending('item');
const run = ending('run');
const call = ending('call');

export const ERRORS = {
  INVALID_INPUT: item(400, 2, -32602),
  INVALID_CITATION: item(400, 4, -32002),
  COLLECTION_NOT_FOUND: item(404, 3, -32000),
  DOCUMENT_NOT_FOUND: item(404, 3, -32000),
  SOURCE_NOT_FOUND: item(404, 3, -32000),
  SOURCE_EXISTS: item(409, 2, -32001),
  ENTITY_NOT_FOUND: item(404, 3, -32000),
  DATABASE_NOT_FOUND: call(404, 3, -32000),
  UNKNOWN_TOPIC: item(404, 3, -32000),
  UNKNOWN_KEY: item(404, 3, -32000),
  COMMAND_NOT_ALLOWED: call(403, 2, -32002),
  NOT_ALLOWED: call(403, 2, -32002),
  CONFIG_MISSING: run(400, 2, -32602),
  CONFIG_INVALID: run(400, 2, -32602),
  DOCS_NOT_FOUND: call(404, 3, -32000),
  DOCS_EMPTY: call(409, 3, -32010),
  INDEX_BUSY: item(409, 1, -32010, true),
  INDEX_MISSING: item(409, 3, -32010),
  MODEL_UNSUPPORTED: run(400, 2, -32602),
  MODEL_MISMATCH: call(409, 2, -32010),
  DIMENSION_MISMATCH: call(409, 2, -32010),
  FILTER_NOT_ALLOWED: call(400, 4, -32602),
  FILTER_NOT_INDEXED: run(400, 4, -32602),
  FILE_UNREADABLE: item(400, 3, -32010),
  UNSUPPORTED_FORMAT: item(400, 2, -32010),
  TOO_LARGE: item(413, 2, -32010),
  URL_REFUSED: item(400, 2, -32002),
  FETCH_FAILED: item(502, 5, -32010, true),
  NOT_DOCUMENTATION: item(422, 5, -32010),
  SHRINK_HELD: item(409, 5, -32010),
  OFFLINE: run(503, 5, -32010),
  COST_LIMIT: run(402, 2, -32010),
  PROVIDER_RATE_LIMIT: run(503, 5, -32010, true),
  PROVIDER_BAD_REQUEST: item(502, 5, -32010),
  PROVIDER_BAD_ANSWER: item(502, 5, -32010, true),
  PROVIDER_AUTH: run(502, 5, -32010),
  PROVIDER_UNAVAILABLE: run(503, 5, -32010, true),
  MONGO_AUTH: run(502, 5, -32010),
  MONGO_UNAVAILABLE: item(503, 5, -32010, true),
  STORE_BUSY: item(503, 1, -32010, true),
  STORE_CORRUPT: run(500, 7, -32010),
  STORE_READONLY: run(500, 1, -32010),
  STORE_FULL: run(507, 1, -32010),
  STORE_TOO_NEW: run(500, 7, -32010),
  STORE_UNSUPPORTED: run(501, 1, -32010),
  WRITE_FAILED: item(500, 1, -32010, true),
  TIMEOUT: item(504, 6, -32010, true),
  CANCELLED: call(499, 1, -32010, true),
  INTERNAL: item(500, 1, -32010),
} as const satisfies Record<string, Meaning>;

export type ErrorCode = keyof typeof ERRORS;

export const BLZ_ERROR_NAMES = {
  [-32000]: 'source_not_found',
  [-32001]: 'source_exists',
  [-32002]: 'invalid_request',
  [-32010]: 'operation_failed',
  [-32602]: 'invalid_params',
} as const;

export interface ErrorDetails {
  /** What the reader can do next, in one sentence. */
  hint?: string;
  /** Nearest valid names, best first. */
  suggestions?: string[];
  /** Small, safe facts for a machine (for example `retryAfterSeconds`). */
  data?: Record<string, unknown>;
  cause?: unknown;
}

export class VaiError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly suggestions: string[] | undefined;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'VaiError';
    this.code = code;
    this.hint = details.hint;
    this.suggestions = details.suggestions;
    this.data = details.data;
  }

  get messageAndHint(): string {
    return this.hint ? `${this.message} ${this.hint}` : this.message;
  }

  get ends(): Ends {
    return ERRORS[this.code].ends;
  }

  get notFound(): boolean {
    return ERRORS[this.code].http === 404;
  }

  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }
}

/** Turns anything thrown into a VaiError; an unknown exception keeps its cause for the log and reveals nothing. */
export function toVaiError(thrown: unknown): VaiError {
  if (thrown instanceof VaiError) return thrown;
  const name = thrown instanceof Error ? thrown.name : '';
  if (name === 'AbortError') return new VaiError('CANCELLED', 'The call was cancelled.', { cause: thrown });
  if (name === 'TimeoutError')
    return new VaiError('TIMEOUT', 'The call took too long and was stopped.', { cause: thrown });
  return new VaiError('INTERNAL', 'Something went wrong inside vai.', {
    hint: 'Run `vai doctor`; if it finds nothing, report this with the server log.',
    cause: thrown,
  });
}

/** The payload every boundary shows: never the cause, never a stack. */
export function describeError(error: VaiError): {
  code: ErrorCode;
  message: string;
  hint?: string;
  retryable: boolean;
  suggestions?: string[];
} {
  return {
    code: error.code,
    message: error.message,
    ...(error.hint ? { hint: error.hint } : {}),
    retryable: error.retryable,
    ...(error.suggestions?.length ? { suggestions: error.suggestions } : {}),
    ...error.data,
  };
}

/** Throws if the call was aborted; long loops call it between steps. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw toVaiError(signal.reason instanceof Error ? signal.reason : new DOMException('', 'AbortError'));
}
