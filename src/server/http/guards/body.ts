// Reads a body within a size and a time. A slow sender holds one connection and a few bytes, nothing else.

import type { IncomingMessage } from 'node:http';
import { checkShape } from '../../protocol/shape.ts';
import { refuse, type Refusal, type Verdict } from './verdict.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const BODY_TIMEOUT_MS = 30_000;

export function declaredTooLarge(header: string | undefined, limit = MAX_BODY_BYTES): boolean {
  return header !== undefined && Number(header) > limit;
}

export function readBody(
  request: IncomingMessage,
  limit = MAX_BODY_BYTES,
): Promise<Verdict<{ text: string }>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (verdict: Verdict<{ text: string }>): void => {
      clearTimeout(timer);
      request.off('data', onData);
      resolve(verdict);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) finish(tooLarge(limit));
      else chunks.push(chunk);
    };
    const timer = setTimeout(
      () => finish(refuse(408, 'slow body', 'The body took too long to arrive.')),
      BODY_TIMEOUT_MS,
    );
    request.on('data', onData);
    request.once('end', () => finish({ ok: true, text: decode(chunks) }));
    request.once('error', () => finish(refuse(400, 'aborted', 'The body ended early.')));
    request.once('close', () => finish(refuse(400, 'aborted', 'The body ended early.')));
  });
}

export function tooLarge(limit = MAX_BODY_BYTES): Refusal {
  return refuse(413, 'body size', `The body may have at most ${limit} bytes.`);
}

export function parseBody(text: string): Verdict<{ value: unknown }> {
  if (checkShape(text) !== 'ok')
    return refuse(400, 'shape', 'The body nests too deeply or holds too many values.');
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return refuse(400, 'parse', 'Parse error: the body is not JSON.');
  }
}

function decode(chunks: Buffer[]): string {
  return (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8');
}
