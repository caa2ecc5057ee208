// JSON from a server that somebody who runs vai named: the rules of outgoing requests, no redirects, a small answer.

import { VaiError } from '../../domain/errors.ts';
import { webSettings, type WebOptions } from './options.ts';
import { openConnections, request } from './request.ts';

const MAX_BYTES = 1_000_000;
const TOTAL_MS = 10_000;

/** With a form it is posted. */
export type JsonFetcher = (url: string, form?: URLSearchParams) => Promise<unknown>;

export function createJsonFetcher(options: WebOptions): JsonFetcher {
  const settings = webSettings(options);
  return async (url, form) => {
    // Asked for every few minutes at most, so no connection is kept.
    const connections = openConnections(1);
    try {
      const { status, body } = await request(
        url,
        {
          headers: {
            accept: 'application/json',
            ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          },
          ...(form ? { method: 'POST', body: form.toString() } : {}),
          signal: AbortSignal.timeout(TOTAL_MS),
          maxBytes: MAX_BYTES,
          connections,
        },
        settings,
      );
      if (status !== 200) throw failed(`status ${status}`);
      return JSON.parse(body.toString('utf8')) as unknown;
    } catch (error) {
      throw error instanceof VaiError ? error : failed('no JSON came back', error);
    } finally {
      connections.close();
    }
  };
}

function failed(why: string, cause?: unknown): VaiError {
  return new VaiError('FETCH_FAILED', `The server did not answer as it should: ${why}.`, { cause });
}
