// Prepares documents ahead of their writing: in a thread of its own where there is enough to do, on the calling thread
// otherwise. Both give the same; a thread that cannot start or dies leaves its work to the caller.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { assemble, prepareDocument, type Prepared } from '../prepare.ts';
import type { DocumentInput } from '../types.ts';
import { unpack, type Packed } from './pack.ts';
import type { Answer, Task } from './worker.ts';

export interface Preparer {
  /** Hands in a document that will be asked for. The caller bounds how many wait: their texts are held twice. */
  begin(input: DocumentInput): void;
  prepare(input: DocumentInput): Promise<Prepared>;
  /** Ends the thread; what was begun is prepared by the caller if it is still asked for. */
  close(): Promise<void>;
}

/** Starting a thread costs about as much as preparing this much text. */
const MIN_CHARACTERS = 500_000;
const MIN_DOCUMENTS = 8;
/** A longer text is not copied to the thread: nothing else would be prepared meanwhile. */
const MAX_CHARACTERS = 4_000_000;
/** Short texts travel together: a message costs as much as analysing a page. */
const MESSAGE_CHARACTERS = 100_000;

export interface PreparerOptions {
  /** The sizes of what is sure to be handed in: with enough of it the thread starts before the first text is read. */
  expected?: readonly number[];
  minCharacters?: number;
  minDocuments?: number;
  /** The program of the thread. */
  file?: URL;
}

/** Beside this file while developing, beside the bundle once built. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './prepare-worker.js', import.meta.url);
}

/** Undefined where the program is missing or the system allows no thread. */
function startThread(file: URL): Worker | undefined {
  try {
    return existsSync(fileURLToPath(file)) ? new Worker(file, { name: 'vai-prepare' }) : undefined;
  } catch {
    return undefined;
  }
}

export function createPreparer(options: PreparerOptions = {}): Preparer {
  const { minCharacters = MIN_CHARACTERS, minDocuments = MIN_DOCUMENTS, file = workerFile() } = options;
  const begun = new Map<DocumentInput, Promise<Packed | undefined>>();
  const answers = new Map<number, (packed: Packed | undefined) => void>();
  let waiting: DocumentInput[] = [];
  let characters = 0;
  let message: Task[] = [];
  let weight = 0;
  let worker: Worker | undefined;
  let ended = false;
  let next = 0;

  function start(): void {
    const started = startThread(file);
    if (!started) return end();
    worker = started;
    started.on('message', (all: Answer[]) => {
      for (const { number, packed } of all) answer(number, packed);
    });
    for (const failure of ['error', 'messageerror', 'exit']) started.on(failure, end);
    for (const input of waiting) send(input);
    waiting = [];
  }

  function send(input: DocumentInput): void {
    const number = (next += 1);
    begun.set(input, new Promise((resolve) => answers.set(number, resolve)));
    const { read, title, profile } = input;
    const { text, syntax, headings } = read;
    message.push({
      number,
      input: { read: { text, syntax, title: read.title, headings }, title, profile },
    });
    weight += text.length;
    if (weight >= MESSAGE_CHARACTERS) post();
  }

  function post(): void {
    if (message.length > 0) worker?.postMessage(message);
    message = [];
    weight = 0;
  }

  function answer(number: number, packed: Packed | undefined): void {
    answers.get(number)?.(packed);
    answers.delete(number);
  }

  /** What was not answered is answered with nothing. */
  function end(): void {
    ended = true;
    worker = undefined;
    waiting = [];
    for (const number of [...answers.keys()]) answer(number, undefined);
  }

  const { expected = [] } = options;
  const total = expected.reduce((sum, size) => sum + size, 0);
  if (expected.length >= minDocuments && total >= minCharacters) start();

  return {
    begin(input) {
      const { length } = input.read.text;
      if (ended || length > MAX_CHARACTERS) return;
      if (worker) return send(input);
      waiting.push(input);
      characters += length;
      if (waiting.length >= minDocuments && characters >= minCharacters) start();
    },
    async prepare(input) {
      post();
      const packed = await begun.get(input);
      begun.delete(input);
      return packed ? assemble(input, unpack(packed)) : prepareDocument(input);
    },
    async close() {
      const last = worker;
      end();
      await last?.terminate();
    },
  };
}
