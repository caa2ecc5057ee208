// A call ends when it is done, when its client goes away, or when its time is up; the work behind it hears of the last
// two through one signal. A tool that ignores the signal is answered for anyway.

import { VaiError } from '../../domain/errors.ts';

export const DEFAULT_DEADLINE_MS = 50_000;

export async function withDeadline<T>(
  milliseconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (error: VaiError): void => {
      controller.abort(error);
      reject(error);
    };
    timer = setTimeout(() => end(timedOut(milliseconds)), milliseconds);
    onAbort = () => end(new VaiError('CANCELLED', 'The call was cancelled.'));
    outer.addEventListener('abort', onAbort, { once: true });
    if (outer.aborted) onAbort();
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    if (onAbort) outer.removeEventListener('abort', onAbort);
  }
}

function timedOut(milliseconds: number): VaiError {
  return new VaiError(
    'TIMEOUT',
    `The call took longer than ${Math.round(milliseconds / 1000)} s and was stopped.`,
    {
      hint: 'Try again with a smaller request.',
    },
  );
}
