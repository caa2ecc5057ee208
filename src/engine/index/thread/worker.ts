// The thread that analyses texts while the main thread reads files and writes to the store. It reads and stores nothing;
// what it cannot analyse is left to the main thread, whose error says why.

import { parentPort } from 'node:worker_threads';
import { analyse, type Analysable } from '../../text/analyse.ts';
import { pack, type Packed } from './pack.ts';

export interface Task {
  number: number;
  input: Analysable;
}

export interface Answer {
  number: number;
  packed: Packed | undefined;
}

parentPort!.on('message', (tasks: Task[]) => {
  const answers: Answer[] = tasks.map(({ number, input }) => ({ number, packed: attempt(input) }));
  parentPort!.postMessage(answers);
});

function attempt(input: Analysable): Packed | undefined {
  try {
    return pack(analyse(input));
  } catch {
    return undefined;
  }
}
