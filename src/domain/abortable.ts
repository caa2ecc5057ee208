// Stops waiting for work when its caller has gone, whether or not the work itself can be cancelled.

import { throwIfAborted, VaiError } from './errors.ts';

export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  // Nobody hears of a failure that comes too late.
  work.catch(() => undefined);
  throwIfAborted(signal);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new VaiError('CANCELLED', 'The call was cancelled.'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
