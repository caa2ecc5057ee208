// A request on its way in: the type of its body, how many of them a key may be sending, size, time, JSON. It does not
// count as a running call until it is complete.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdmissionVerdict } from '../limits/limiter.ts';
import type { Receiving } from '../limits/receiving.ts';
import { declaredTooLarge, parseBody, readBody, tooLarge } from './guards/body.ts';
import { checkMediaType } from './guards/media-type.ts';
import { refuse, type Refusal, type Verdict } from './guards/verdict.ts';

export async function receive(
  receiving: Receiving,
  { request, response, key }: { request: IncomingMessage; response: ServerResponse; key: string },
): Promise<Verdict<{ value: unknown }>> {
  const { headers } = request;
  const media = checkMediaType(headers['content-type'], headers['content-encoding']);
  if (!media.ok) return media;
  if (declaredTooLarge(headers['content-length'])) return tooLarge();
  const wait = receiving.begin(key);
  if (wait) return busy({ ok: false, ...wait });
  try {
    if (headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    const body = await readBody(request);
    return body.ok ? parseBody(body.text) : body;
  } finally {
    receiving.end(key);
  }
}

export function busy({ reason, retryAfter }: Exclude<AdmissionVerdict, { ok: true }>): Refusal {
  if (reason === 'batch size')
    return refuse(429, reason, 'The batch contains more calls than this key may make in a minute.', {
      hint: 'Send fewer calls together.',
    });
  const overloaded = reason === 'busy';
  return refuse(overloaded ? 503 : 429, reason, overloaded ? 'The server is busy.' : 'Too many requests.', {
    hint: `Wait ${retryAfter} seconds and try again.`,
    headers: { 'Retry-After': String(retryAfter) },
  });
}
