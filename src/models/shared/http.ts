// One JSON request to a provider: waiting its turn, timing out, trying again, and turning every failure into an error
// that holds neither the key nor a word of what was sent. What the reply means is read by the provider.

import { throwIfAborted, VaiError } from '../../domain/errors.ts';
import { createGate } from './gate.ts';
import { AttemptFailed, parseRetryAfter, withRetries, type CallState, type RetryHooks } from './retry.ts';
import { codeOfStatus } from './status.ts';

const MAX_REPLY_BYTES = 64_000_000;
const TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 3_000;

export interface Service {
  /** As messages name it: `The Voyage API`. */
  name: string;
  base: string;
  headers: Record<string, string>;
  inFlight: number;
  /** Set where the key or the address is missing: nothing is sent, and this is said instead. */
  missing?: string | undefined;
  timeoutMs?: number;
  /** What to do about a refused key, a wrong model, a wrong address, and about too many requests. */
  hints: { key: string; model: string; address: string; slow?: string };
}

/** Handed in by tests. */
export interface HttpHooks extends RetryHooks {
  timeoutMs?: number;
}

export interface HttpDeps {
  fetch: typeof fetch;
  now: () => Date;
}

export type Reachability = 'connected' | 'unauthorized' | 'unreachable';

export interface Http {
  service: Service;
  post(path: string, body: object, state: CallState): Promise<unknown>;
  /** One attempt with a short limit, for what is free of charge. */
  get(path: string): Promise<unknown>;
  /** Whether the address answers; a key that was refused lately stays refused. Free of charge: a body asks for nothing. */
  probe(path: string, body?: object): Promise<Reachability>;
}

/** The provider refused the request because it is too large; the caller may split it. */
export class TooLarge extends Error {}

export function createHttp(service: Service, deps: HttpDeps, hooks: HttpHooks): Http {
  const gate = createGate(service.inFlight);
  let refused = false;

  async function request(method: 'GET' | 'POST', path: string, sent: Sent): Promise<unknown> {
    const timeout = AbortSignal.timeout(sent.timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await deps.fetch(`${service.base}${path}`, {
        method,
        headers: { ...(sent.payload ? { 'Content-Type': 'application/json' } : {}), ...service.headers },
        ...(sent.payload ? { body: sent.payload } : {}),
        // A redirect would carry texts to a host nobody chose.
        redirect: 'manual',
        signal: sent.signal ? AbortSignal.any([sent.signal, timeout]) : timeout,
      });
      text = await readText(response, service);
    } catch (error) {
      throwIfAborted(sent.signal);
      if (error instanceof VaiError) throw error;
      throw new AttemptFailed(0);
    }
    refused = response.status === 401 || response.status === 403;
    if (!response.ok) {
      const retryAfter = parseRetryAfter(response.headers.get('retry-after'), deps.now().getTime());
      throw new AttemptFailed(response.status, detailOf(text), retryAfter);
    }
    const body = parseJson(text);
    // An error page with status 200, or an answer that was cut off: as good as no answer.
    if (body === undefined) throw new AttemptFailed(502);
    return body;
  }

  return {
    service,
    async post(path, body, state) {
      if (service.missing)
        throw new VaiError('PROVIDER_AUTH', `${service.name} needs ${service.missing}, and none is set.`, {
          hint: service.hints.key,
        });
      const sent = {
        payload: JSON.stringify(body),
        signal: state.signal,
        timeoutMs: hooks.timeoutMs ?? service.timeoutMs ?? TIMEOUT_MS,
      };
      return withRetries(() => gate.run(() => request('POST', path, sent), state.signal), {
        hooks,
        state,
        explain: (failure) => explain(failure, service),
      });
    },
    async get(path) {
      try {
        return await request('GET', path, { timeoutMs: PROBE_TIMEOUT_MS });
      } catch (thrown) {
        throw thrown instanceof AttemptFailed ? explain(thrown, service) : thrown;
      }
    },
    async probe(path, body) {
      if (refused) return 'unauthorized';
      try {
        const payload = body && { payload: JSON.stringify(body) };
        await request(body ? 'POST' : 'GET', path, { ...payload, timeoutMs: PROBE_TIMEOUT_MS });
        return 'connected';
      } catch (thrown) {
        const status = thrown instanceof AttemptFailed ? thrown.status : 0;
        if (status === 401 || status === 403) return 'unauthorized';
        return status === 0 || status >= 500 ? 'unreachable' : 'connected';
      }
    },
  };
}

interface Sent {
  payload?: string;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

async function readText(response: Response, { name }: Service): Promise<string> {
  if (!response.body) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > MAX_REPLY_BYTES)
      throw new VaiError('PROVIDER_BAD_ANSWER', `${name} answered with far more than was asked for.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `{detail}`, `{message}`, `{error: "…"}` and `{error: {message}}`, as providers write it. */
function detailOf(text: string): string {
  const body = parseJson(text) as { detail?: unknown; message?: unknown; error?: unknown } | undefined;
  const error = body?.error as { message?: unknown } | string | undefined;
  const detail = body?.detail ?? body?.message ?? (typeof error === 'string' ? error : error?.message) ?? '';
  return (typeof detail === 'string' ? detail : JSON.stringify(detail)).slice(0, 2_000);
}

const OVER_LIMIT =
  /max(imum)? allowed (tokens|batch size)|tokens? (per|in) (the |a |your )?(submitted )?(batch|request)|too many tokens|token limit|batch has \d+ tokens|context length|less than \d+ tokens|exceeds? .{0,40}tokens/i;

export function explain(failure: AttemptFailed, service: Pick<Service, 'name' | 'hints'>): Error {
  const { status, detail, retryAfterMs } = failure;
  const { name, hints } = service;
  if (status === 401 || status === 403 || /api[_ ]key[_ ](not valid|invalid)/i.test(detail))
    return new VaiError('PROVIDER_AUTH', `${name} refused the key (status ${status}).`, {
      hint: hints.key,
      data: { status },
    });
  if (status === 413 || ((status === 400 || status === 422) && OVER_LIMIT.test(detail)))
    return new TooLarge();
  const code = codeOfStatus(status);
  if (status === 429) {
    const retryAfterSeconds = Math.max(1, Math.ceil((retryAfterMs ?? 30_000) / 1_000));
    return new VaiError(code, `${name} asks to slow down, and waiting did not help.`, {
      hint: `Try again in ${retryAfterSeconds} s.${hints.slow ? ` ${hints.slow}` : ''}`,
      data: { retryAfterSeconds, status },
    });
  }
  if (status >= 400 && status < 500 && status !== 408)
    return new VaiError(
      code,
      `${name} refused the request (status ${status})${status === 404 ? MODEL : reason(detail)}.`,
      { hint: hints.model, data: { status } },
    );
  if (status >= 300 && status < 400)
    return new VaiError(code, `${name} answered with a redirect (status ${status}).`, {
      hint: hints.address,
      data: { status },
    });
  const what = status === 0 ? 'did not answer' : `failed with status ${status}`;
  return new VaiError(code, `${name} ${what}, several times in a row.`, {
    hint: 'Try again later; nothing stored is lost. Search by words and the built-in models work without it.',
    data: { status },
  });
}

const MODEL = ': it does not serve this model to this key';

/** A sentence of ours about what the provider objected to. */
function reason(detail: string): string {
  if (/model/i.test(detail) && /not (found|supported|exist)|invalid|unknown|does not/i.test(detail))
    return MODEL;
  if (/dimension/i.test(detail)) return ': the model does not offer these dimensions';
  if (/token|length|too long/i.test(detail)) return ': a text is too long for the model';
  if (/empty/i.test(detail)) return ': a text was empty';
  return '';
}
