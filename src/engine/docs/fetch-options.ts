// A call's signal and progress as the fetcher takes them.

import type { FetchOptions } from '../../ports/source.ts';
import type { Call } from '../call.ts';

export function fetchOptions({ signal, progress }: Call, fallback?: string): Omit<FetchOptions, 'previous'> {
  return {
    ...(fallback ? { fallback } : {}),
    signal,
    ...(progress
      ? {
          onProgress: (done, total, message) =>
            progress({ done, ...(total === undefined ? {} : { total }), message }),
        }
      : {}),
  };
}
