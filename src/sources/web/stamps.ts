// The validators of an answer, kept for the next conditional request.

import type { Stamps } from '../../ports/source.ts';
import type { Answer } from './request.ts';

export function conditions({ etag, lastModified }: Stamps = {}): Record<string, string> {
  return {
    ...(etag ? { 'if-none-match': etag } : {}),
    ...(lastModified ? { 'if-modified-since': lastModified } : {}),
  };
}

export function stampsOf(answer: Pick<Answer, 'headers'>): Stamps {
  const { etag, 'last-modified': lastModified } = answer.headers;
  return {
    ...(etag && etag.length <= 512 ? { etag } : {}),
    ...(lastModified && lastModified.length <= 64 ? { lastModified } : {}),
  };
}
