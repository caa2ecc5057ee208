// A worker's side of what is shared: the limiter and the metrics live in the primary process and are asked for by
// message, so that limits hold for the server and are not multiplied by its workers.

import type { AdmissionVerdict, Limiter } from '../limits/limiter.ts';
import type { FromPrimary, FromWorker } from './messages.ts';
import { isOurs } from './messages.ts';

export interface PrimaryLink {
  limiter: Limiter;
  gather: () => Promise<object[][]>;
  ready(port: number): void;
}

export interface WorkerProcess {
  send(message: FromWorker): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** An unanswered question (a primary that hangs) refuses: limits fail closed. */
const ANSWER_TIMEOUT_MS = 5_000;

export function linkToPrimary(
  self: WorkerProcess,
  snapshot: () => Promise<object[]>,
  stop: () => void,
): PrimaryLink {
  const waiting = new Map<number, (message: FromPrimary) => void>();
  let last = 0;

  self.onMessage((message) => {
    if (!isOurs(message)) return;
    const sent = message as FromPrimary;
    if (sent.vai === 'stop') return stop();
    if (sent.vai === 'sample') {
      void snapshot().then((samples) => self.send({ vai: 'samples', id: sent.id, samples }));
      return;
    }
    waiting.get(sent.id)?.(sent);
    waiting.delete(sent.id);
  });

  const ask = <T>(
    question: (id: number) => FromWorker,
    read: (answer: FromPrimary) => T,
    otherwise: T,
  ): Promise<T> =>
    new Promise((resolve) => {
      const id = ++last;
      const timer = setTimeout(() => {
        waiting.delete(id);
        resolve(otherwise);
      }, ANSWER_TIMEOUT_MS);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(read(answer));
      });
      self.send(question(id));
    });

  const refused: AdmissionVerdict = { ok: false, reason: 'busy', retryAfter: 1 };
  return {
    limiter: {
      admit: (admission) =>
        ask(
          (id) => ({ vai: 'admit', id, admission }),
          (answer) => (answer.vai === 'admitted' ? answer.verdict : refused),
          refused,
        ),
      release: (key, calls) => self.send({ vai: 'release', key, calls }),
      fail: (address) =>
        ask(
          (id) => ({ vai: 'fail', id, address }),
          (answer) => (answer.vai === 'failed' ? answer.wait : 1),
          1,
        ),
    },
    gather: () =>
      ask(
        (id) => ({ vai: 'gather', id }),
        (answer) => (answer.vai === 'gathered' ? answer.all : []),
        [] as object[][],
      ),
    ready: (port) => self.send({ vai: 'ready', port }),
  };
}
