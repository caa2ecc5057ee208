// One POST to the Voyage API: waiting its turn, timing out, trying again, and turning every failure into an error that
// holds neither the key nor a word of what was sent. What the reply means is checked by its callers.

import { VaiError, throwIfAborted, toVaiError } from '../../domain/errors.ts';
import { codeOfStatus } from '../shared/status.ts';
import type { Gate } from './gate.ts';
import { isRetryableStatus, nextWait, parseRetryAfter, type RetryState } from './retry.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const MAX_REPLY_BYTES = 64_000_000;

export interface VoyageDeps {
  base: string;
  key: string;
  fetch: typeof fetch;
  now: () => Date;
  random: () => number;
  /** Resolves after so many milliseconds; rejects at once when the signal fires. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  gate: Gate;
  /** Told of every answer, for health probes. */
  onOutcome?: (outcome: 'connected' | 'unauthorized' | 'unreachable') => void;
}

export interface CallState extends RetryState {
  requests: number;
  signal?: AbortSignal;
  onWait?: (seconds: number) => void;
}

export const newCallState = (options: Pick<CallState, 'signal' | 'onWait'>): CallState => ({
  retries: 0,
  waitedMs: 0,
  requests: 0,
  ...options,
});

type Attempt =
  { ok: true; body: unknown } | { ok: false; status: number; detail: string; retryAfterMs?: number };

/** The provider refused the request because it is too large; the caller may split it. */
export class TooManyTokens extends Error {}

export async function post(deps: VoyageDeps, path: string, body: object, state: CallState): Promise<unknown> {
  const payload = JSON.stringify(body);
  const retry: RetryState = { retries: 0, waitedMs: state.waitedMs };
  for (;;) {
    throwIfAborted(state.signal);
    const attempt = await deps.gate.run(() => tryOnce(deps, path, payload, state), state.signal);
    if (attempt.ok) {
      deps.onOutcome?.('connected');
      return attempt.body;
    }
    deps.onOutcome?.(outcomeOf(attempt.status));
    if (!isRetryableStatus(attempt.status) && attempt.status !== 0) throw refusal(attempt);
    const waitMs = nextWait(retry, attempt.retryAfterMs, deps.random);
    if (waitMs === undefined) throw exhausted(attempt);
    state.onWait?.(Math.ceil(waitMs / 1_000));
    await pause(deps, waitMs, state.signal);
    retry.retries += 1;
    retry.waitedMs += waitMs;
    state.waitedMs += waitMs;
  }
}

/** Status 0 stands for no answer at all. */
async function tryOnce(deps: VoyageDeps, path: string, payload: string, state: CallState): Promise<Attempt> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const signal = state.signal ? AbortSignal.any([state.signal, timeout]) : timeout;
  state.requests += 1;
  try {
    const response = await deps.fetch(`${deps.base}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${deps.key}` },
      body: payload,
      // A redirect would carry texts to a host nobody chose.
      redirect: 'manual',
      signal,
    });
    const text = await readText(response);
    if (!response.ok) {
      const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), deps.now().getTime());
      return {
        ok: false,
        status: response.status,
        detail: detailOf(text),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
    }
    const body = parse(text);
    // An error page with status 200: as good as no answer.
    return body === undefined ? { ok: false, status: 502, detail: '' } : { ok: true, body };
  } catch (error) {
    throwIfAborted(state.signal);
    if (error instanceof VaiError) throw error;
    return { ok: false, status: 0, detail: '' };
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > MAX_REPLY_BYTES)
      throw new VaiError('PROVIDER_BAD_ANSWER', 'The Voyage API answered with far more than was asked for.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What the provider says is wrong. Read to classify the failure, never shown: it may quote what was sent. */
function detailOf(text: string): string {
  const body = parse(text) as
    { detail?: unknown; message?: unknown; error?: { message?: unknown } } | undefined;
  const detail = body?.detail ?? body?.message ?? body?.error?.message ?? '';
  return (typeof detail === 'string' ? detail : JSON.stringify(detail)).slice(0, 2_000);
}

async function pause(deps: VoyageDeps, ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await deps.wait(ms, signal);
  } catch (error) {
    throwIfAborted(signal);
    throw toVaiError(error);
  }
}

const outcomeOf = (status: number): 'connected' | 'unauthorized' | 'unreachable' => {
  if (status === 401 || status === 403) return 'unauthorized';
  return status === 0 || status >= 500 ? 'unreachable' : 'connected';
};

const TOKEN_CAP =
  /max(imum)? allowed tokens|tokens? (per|in) (the |a |your )?(submitted )?(batch|request)|too many tokens|token limit|batch has \d+ tokens|context length|exceeds? .{0,40}tokens/i;

function refusal(attempt: Attempt & { ok: false }): Error {
  const { status, detail } = attempt;
  if (status === 401 || status === 403) {
    return new VaiError('PROVIDER_AUTH', `The Voyage API refused the key (status ${status}).`, {
      hint: 'Check VOYAGE_API_KEY: al- keys come from Atlas, pa- keys from Voyage; VOYAGE_API_BASE must match.',
      data: { status },
    });
  }
  if (status === 400 && TOKEN_CAP.test(detail)) return new TooManyTokens();
  if (status >= 300 && status < 400) {
    return new VaiError(
      'PROVIDER_UNAVAILABLE',
      `The Voyage API answered with a redirect (status ${status}).`,
      {
        hint: 'Set VOYAGE_API_BASE to the address it points to, if you trust it.',
        data: { status },
      },
    );
  }
  return new VaiError(
    codeOfStatus(status),
    `The Voyage API refused the request (status ${status})${reason(detail)}.`,
    {
      hint: 'Check the model name and dimensions with vai_models; a text may also be longer than the model reads.',
      data: { status },
    },
  );
}

/** A sentence of ours about what the provider objected to. */
function reason(detail: string): string {
  if (/model/i.test(detail) && /not (found|supported|exist)|invalid|unknown|does not/i.test(detail))
    return ': it does not serve this model to this key';
  if (/dimension/i.test(detail)) return ': the model does not offer these dimensions';
  if (/token|length|too long/i.test(detail)) return ': a text is too long for the model';
  if (/empty/i.test(detail)) return ': a text was empty';
  return '';
}

function exhausted(attempt: Attempt & { ok: false }): VaiError {
  const { status, retryAfterMs } = attempt;
  if (status === 429) {
    const retryAfterSeconds = Math.max(1, Math.ceil((retryAfterMs ?? 30_000) / 1_000));
    return new VaiError('PROVIDER_RATE_LIMIT', 'The Voyage API asks to slow down and waiting did not help.', {
      hint: `Try again in ${retryAfterSeconds} s. Accounts without a payment method get 3 requests a minute.`,
      data: { retryAfterSeconds, status },
    });
  }
  const what = status === 0 ? 'did not answer' : `failed with status ${status}`;
  return new VaiError(codeOfStatus(status), `The Voyage API ${what}, several times in a row.`, {
    hint: 'Try again later. Words search and the built-in models work without it.',
    data: { status },
  });
}
