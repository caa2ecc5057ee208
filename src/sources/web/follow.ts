// A request as a client makes it: redirects followed with every hop checked anew, busy and failing servers asked again
// a bounded number of times, one deadline over all of it.

import { toVaiError, VaiError } from '../../domain/errors.ts';
import type { WebSettings } from './options.ts';
import { request, shown, type Answer, type Ask } from './request.ts';

export type Visit = Partial<Ask> & Pick<Ask, 'connections'>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const LONGEST_WAIT_MS = 20_000;

export async function visit(url: string, options: Visit, settings: WebSettings): Promise<Answer> {
  const deadline = AbortSignal.timeout(settings.totalMs);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= settings.retries;
    try {
      const answer = await followRedirects(url, { ...options, signal }, settings);
      if (!isBusy(answer.status) || last) return answer;
      const waitMs = retryAfter(answer.headers['retry-after'], settings) ?? backoff(attempt);
      if (waitMs > LONGEST_WAIT_MS) return answer;
      await settings.sleep(waitMs, signal);
    } catch (thrown) {
      const error = meaningOf(thrown, url, { deadline, caller: options.signal });
      if (last || !isPassing(error)) throw error;
      try {
        await settings.sleep(backoff(attempt), signal);
      } catch {
        throw error;
      }
    }
  }
}

async function followRedirects(
  first: string,
  options: Visit & { signal: AbortSignal },
  settings: WebSettings,
): Promise<Answer> {
  let url = first;
  for (let hop = 0; ; hop++) {
    const answer = await request(
      url,
      {
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
        signal: options.signal,
        maxBytes: options.maxBytes ?? settings.maxBytes,
        connections: options.connections,
        sink: options.sink,
      },
      settings,
    );
    const location = answer.headers.location;
    if (!REDIRECTS.has(answer.status) || !location) return answer;
    if (hop >= settings.maxRedirects) {
      throw new VaiError(
        'URL_REFUSED',
        `${shown(first)} redirects more than ${settings.maxRedirects} times.`,
        {
          hint: 'Use the final address instead.',
        },
      );
    }
    try {
      url = new URL(location, answer.url).href;
    } catch {
      throw new VaiError('FETCH_FAILED', `${shown(first)} redirects to something that is not a URL.`);
    }
  }
}

function isBusy(status: number): boolean {
  return status === 429 || status === 408 || status >= 500;
}

function backoff(attempt: number): number {
  return 300 * 3 ** attempt;
}

/** Milliseconds the server asks us to wait: a number of seconds or a date. */
function retryAfter(header: string | undefined, settings: Pick<WebSettings, 'now'>): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - settings.now());
}

/** A fault of the network, which the next attempt may not meet. */
function isPassing(error: VaiError): boolean {
  return error.code === 'FETCH_FAILED';
}

function meaningOf(
  thrown: unknown,
  url: string,
  signals: { deadline: AbortSignal; caller: AbortSignal | undefined },
): VaiError {
  if (signals.caller?.aborted) return toVaiError(signals.caller.reason ?? thrown);
  if (signals.deadline.aborted) {
    return new VaiError('TIMEOUT', `${hostOf(url)} did not finish its answer in time.`, {
      hint: 'Try again later; the old version, if any, is still there.',
      cause: thrown,
    });
  }
  if (thrown instanceof VaiError) return thrown;
  return new VaiError('FETCH_FAILED', `The transfer from ${hostOf(url)} failed (${reasonOf(thrown)}).`, {
    hint: 'Check the address and the network connection, then try again.',
    cause: thrown,
  });
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed early',
  EPIPE: 'connection closed early',
  ENETUNREACH: 'network unreachable',
  EHOSTUNREACH: 'host unreachable',
  ETIMEDOUT: 'no answer',
  Z_DATA_ERROR: 'damaged compressed data',
  Z_BUF_ERROR: 'compressed data ended early',
  CERT_HAS_EXPIRED: 'certificate expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another name',
};

function reasonOf(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | undefined)?.code;
  const known = typeof code === 'string' ? REASONS[code] : undefined;
  if (known) return known;
  if (typeof code === 'string' && code.startsWith('HPE_')) return 'not a valid HTTP answer';
  return thrown instanceof Error && thrown.message.includes('closed early')
    ? 'connection closed early'
    : 'network error';
}

function hostOf(url: string): string {
  return URL.canParse(url) ? shown(new URL(url).host) : 'the server';
}
