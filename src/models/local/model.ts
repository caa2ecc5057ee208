// A model that is open: texts become vectors, or passages scores. Work is done in short runs, because a run holds the
// thread; between two of them other calls are served and a cancelled one stops.

import { VaiError } from '../../domain/errors.ts';
import { badAnswer } from '../shared/vectors.ts';
import type { Encoded, Network, Output } from './runtime.ts';
import type { Tokens } from './tokens.ts';

export type Pooling = 'mean' | 'cls';

/** Tokens of one run, padding included: some 50 ms of a small encoder. */
const RUN_TOKENS = 512;

export interface WorkOptions {
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
}

export interface OpenModel {
  kind: 'embedding' | 'rerank';
  /** Whether its vectors come pooled out of the network. */
  pooled: boolean;
  /** As the model gives them, not scaled. */
  embed(texts: readonly string[], options: WorkOptions): Promise<{ vectors: number[][]; tokens: number }>;
  /** From 0 to 1. */
  score(
    question: string,
    passages: readonly string[],
    options: WorkOptions,
  ): Promise<{ scores: number[]; tokens: number }>;
  /** Once what is under way has ended. */
  close(): Promise<void>;
}

export function openModel(network: Network, tokens: Tokens, pooling: Pooling): OpenModel {
  const { outputs } = network;
  const pooled = outputs.find((name) => name === 'sentence_embedding');
  const kind = outputs.includes('logits') ? 'rerank' : 'embedding';
  const name = kind === 'rerank' ? 'logits' : (pooled ?? outputs[0]!);

  let idle: Promise<void> = Promise.resolve();

  /** One row of numbers per text, in their order. */
  function run(texts: readonly Encoded[], options: WorkOptions): Promise<number[][]> {
    const work = runAll(texts, options);
    idle = Promise.allSettled([idle, work]).then(() => undefined);
    return work;
  }

  async function runAll(texts: readonly Encoded[], options: WorkOptions): Promise<number[][]> {
    const rows = new Array<number[]>(texts.length);
    let done = 0;
    for (const batch of runsOf(texts)) {
      options.signal?.throwIfAborted();
      const some = batch.map((at) => texts[at]!);
      const output = (await network.run(some, tokens.padId))[name]!;
      requireNumbers(output, some.length);
      if (kind === 'rerank') requireScores(output);
      batch.forEach((at, row) => (rows[at] = rowOf(output, row, some[row]!.ids.length, pooling)));
      done += batch.length;
      options.onProgress?.(done);
    }
    return rows;
  }

  return {
    kind,
    pooled: pooled !== undefined,
    async embed(texts, options) {
      const encoded = texts.map((text) => tokens.encode(text));
      return { vectors: await run(encoded, options), tokens: sizeOf(encoded) };
    },
    async score(question, passages, options) {
      const encoded = passages.map((passage) => tokens.encode(question, passage));
      const rows = await run(encoded, options);
      return { scores: rows.map(probability), tokens: sizeOf(encoded) };
    },
    close: () => idle.then(() => network.close()),
  };
}

/** Positions of texts that run together: of like length, so that little is padding. */
function runsOf(texts: readonly Encoded[]): number[][] {
  const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.ids.length - texts[b]!.ids.length);
  const runs: number[][] = [];
  for (const at of order) {
    const last = runs.at(-1);
    if (last && (last.length + 1) * texts[at]!.ids.length <= RUN_TOKENS) last.push(at);
    else runs.push([at]);
  }
  return runs;
}

function requireNumbers({ type, dims }: Output, count: number): void {
  if (type !== 'float32')
    throw new VaiError('MODEL_UNSUPPORTED', `The ONNX file answers in ${type}, not in float32.`, {
      hint: 'Take its full or 8-bit version.',
    });
  if (dims[0] !== count || dims.length < 2 || dims.length > 3)
    throw badAnswer('The model', `a shape of ${dims.join('×')}`);
}

/** Networks that guess words or label tokens have `logits` too. */
function requireScores({ dims }: Output): void {
  if (dims.length === 2 && (dims[1] === 1 || dims[1] === 2)) return;
  throw new VaiError('MODEL_UNSUPPORTED', 'The ONNX file gives no score for a question and a passage.', {
    hint: `A cross-encoder has one or two \`logits\` for a passage; these have the shape ${dims.join('×')}. For vectors take an export without them.`,
  });
}

function rowOf({ dims, data }: Output, row: number, tokens: number, pooling: Pooling): number[] {
  if (dims.length === 2) return Array.from({ length: dims[1]! }, (_, at) => data[row * dims[1]! + at]!);
  const [, length, width] = dims as [number, number, number];
  const start = row * length * width;
  const used = pooling === 'cls' ? 1 : tokens;
  return Array.from({ length: width }, (_, at) => {
    let sum = 0;
    for (let token = 0; token < used; token++) sum += data[start + token * width + at]!;
    return sum / used;
  });
}

/** A cross-encoder has one number, or one for "no" and one for "yes". */
function probability(logits: readonly number[]): number {
  const value = logits.length === 1 ? logits[0]! : logits.at(-1)! - logits[0]!;
  return 1 / (1 + Math.exp(-value));
}

const sizeOf = (texts: readonly Encoded[]): number => texts.reduce((sum, { ids }) => sum + ids.length, 0);
