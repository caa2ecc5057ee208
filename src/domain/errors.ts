// The one error model: a closed union of codes, a message that is safe to show, a hint that says what to do next.
// One table says what each code means at every boundary (HTTP, exit status, BLZ number), so no edge decides for itself.

interface Meaning {
  /** Status of an HTTP answer when the error ends the request itself. */
  http: number;
  /** Exit status: 1 internal, 2 usage, 3 not found, 4 bad query, 5 network, 6 timeout, 7 integrity. */
  exit: number;
  /** Number and name inside an error of the BLZ toolset. */
  blz: -32000 | -32001 | -32002 | -32010 | -32602;
  /** Whether the same call may succeed later without a change. */
  retryable: boolean;
}

const meaning = (http: number, exit: number, blz: Meaning['blz'], retryable = false): Meaning => ({
  http,
  exit,
  blz,
  retryable,
});

export const ERRORS = {
  INVALID_INPUT: meaning(400, 2, -32602),
  INVALID_CITATION: meaning(400, 4, -32002),
  INVALID_QUERY: meaning(400, 4, -32602),
  COLLECTION_NOT_FOUND: meaning(404, 3, -32000),
  DOCUMENT_NOT_FOUND: meaning(404, 3, -32000),
  SOURCE_NOT_FOUND: meaning(404, 3, -32000),
  SOURCE_EXISTS: meaning(409, 2, -32001),
  ENTITY_NOT_FOUND: meaning(404, 3, -32000),
  DATABASE_NOT_FOUND: meaning(404, 3, -32000),
  UNKNOWN_TOPIC: meaning(404, 3, -32000),
  UNKNOWN_KEY: meaning(404, 3, -32000),
  COMMAND_NOT_ALLOWED: meaning(403, 2, -32002),
  NOT_ALLOWED: meaning(403, 2, -32002),
  CONFIG_MISSING: meaning(400, 2, -32602),
  CONFIG_INVALID: meaning(400, 2, -32602),
  DOCS_NOT_FOUND: meaning(404, 3, -32000),
  DOCS_EMPTY: meaning(409, 3, -32010),
  INDEX_BUSY: meaning(409, 1, -32010, true),
  INDEX_MISSING: meaning(409, 3, -32010),
  MODEL_UNSUPPORTED: meaning(400, 2, -32602),
  MODEL_MISMATCH: meaning(409, 2, -32010),
  DIMENSION_MISMATCH: meaning(409, 2, -32010),
  FILTER_NOT_ALLOWED: meaning(400, 4, -32602),
  FILTER_NOT_INDEXED: meaning(400, 4, -32602),
  FILE_UNREADABLE: meaning(400, 3, -32010),
  UNSUPPORTED_FORMAT: meaning(400, 2, -32010),
  TOO_LARGE: meaning(413, 2, -32602),
  URL_REFUSED: meaning(400, 2, -32002),
  FETCH_FAILED: meaning(502, 5, -32010, true),
  NOT_DOCUMENTATION: meaning(422, 5, -32010),
  SHRINK_HELD: meaning(409, 5, -32010),
  OFFLINE: meaning(503, 5, -32010),
  COST_LIMIT: meaning(402, 2, -32010),
  VOYAGE_AUTH: meaning(502, 5, -32010),
  VOYAGE_RATE_LIMIT: meaning(503, 5, -32010, true),
  VOYAGE_BAD_REQUEST: meaning(502, 5, -32010),
  VOYAGE_UNAVAILABLE: meaning(503, 5, -32010, true),
  PROVIDER_AUTH: meaning(502, 5, -32010),
  PROVIDER_UNAVAILABLE: meaning(503, 5, -32010, true),
  MONGO_AUTH: meaning(502, 5, -32010),
  MONGO_UNAVAILABLE: meaning(503, 5, -32010, true),
  STORE_BUSY: meaning(503, 1, -32010, true),
  STORE_CORRUPT: meaning(500, 7, -32010),
  STORE_READONLY: meaning(500, 1, -32010),
  STORE_FULL: meaning(507, 1, -32010),
  STORE_TOO_NEW: meaning(500, 7, -32010),
  WRITE_FAILED: meaning(500, 1, -32010, true),
  TIMEOUT: meaning(504, 6, -32010, true),
  CANCELLED: meaning(499, 1, -32010, true),
  INTERNAL: meaning(500, 1, -32010),
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

  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }
}

/** Turns anything thrown into a VaiError; an unknown exception keeps its cause for the log and shows nothing of itself. */
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

/** Throws when the caller has gone; long loops call it between steps. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw toVaiError(signal.reason instanceof Error ? signal.reason : new DOMException('', 'AbortError'));
}
