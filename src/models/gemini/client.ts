// One POST to the Gemini API with retries. The key travels in a header, never in a URL, so that it reaches no log.

import { VaiError } from '../../domain/errors.ts';
import { AttemptFailed, withRetries, type RetryHooks } from '../extraction/retry.ts';
import { codeOfStatus } from '../shared/status.ts';
import { parseRetryAfter } from '../voyage/retry.ts';

const TIMEOUT_MS = 60_000;
const MAX_REPLY = 64_000_000;

export interface GeminiDeps extends RetryHooks {
  base: string;
  key: string;
  fetch: typeof fetch;
  now: () => Date;
}

export interface PostOptions {
  signal?: AbortSignal | undefined;
  onWait?: ((seconds: number) => void) | undefined;
}

/** The address may be changed for a proxy or a test, but never to plain HTTP on another machine. */
export function geminiBase(given: string | undefined): string {
  const base = given ?? 'https://generativelanguage.googleapis.com';
  const url = URL.parse(base);
  const loopback = url && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (!url || (url.protocol !== 'https:' && !loopback)) {
    throw new VaiError('CONFIG_INVALID', 'GEMINI_API_BASE is not an https address.', {
      hint: 'Leave it unset to use the public API.',
    });
  }
  return base.replace(/\/+$/, '');
}

export async function post(
  deps: GeminiDeps,
  path: string,
  body: object,
  options: PostOptions,
): Promise<unknown> {
  if (deps.key === '') {
    throw new VaiError('PROVIDER_AUTH', 'The Gemini API needs a key, and none is set.', {
      hint: 'Set GEMINI_API_KEY in the environment or in the .env file beside the config.',
    });
  }
  const payload = JSON.stringify(body);
  return withRetries(() => once(deps, path, payload, options.signal), {
    random: deps.random,
    wait: deps.wait,
    signal: options.signal,
    onWait: options.onWait,
    explain,
  });
}

async function once(
  deps: GeminiDeps,
  path: string,
  payload: string,
  outer: AbortSignal | undefined,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let text: string;
  try {
    response = await deps.fetch(`${deps.base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': deps.key },
      body: payload,
      redirect: 'manual',
      signal: outer ? AbortSignal.any([outer, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    throw new AttemptFailed(0, undefined, cause);
  }
  if (!response.ok)
    throw new AttemptFailed(
      response.status,
      parseRetryAfter(response.headers.get('retry-after'), deps.now().getTime()),
      reasonOf(text),
    );
  if (text.length > MAX_REPLY) throw new AttemptFailed(502);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new AttemptFailed(502);
  }
}

/** Read to tell a refused key from a bad request; never shown. */
function reasonOf(text: string): string {
  return /API_KEY_INVALID|API key not valid/i.test(text) ? 'key' : '';
}

function explain(failure: AttemptFailed): Error {
  const { status } = failure;
  if (status === 401 || status === 403 || failure.cause === 'key') {
    return new VaiError('PROVIDER_AUTH', `The Gemini API refused the key (status ${status}).`, {
      hint: 'Check GEMINI_API_KEY.',
    });
  }
  const what =
    status === 0 ? 'did not answer' : status === 429 ? 'asks to slow down' : `answered with status ${status}`;
  return new VaiError(codeOfStatus(status), `The Gemini API ${what}.`, {
    hint:
      status === 404
        ? 'Check the model name in the config.'
        : status === 400
          ? 'The request was refused: check model and dimensions.'
          : 'Try again later; committed documents stay.',
    data: { status },
  });
}
