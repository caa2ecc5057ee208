// `onnxruntime-node`, as far as it is used. A run holds the thread that asked for it, so callers keep runs short.

import { availableParallelism } from 'node:os';
import { VaiError } from '../../domain/errors.ts';
import { RUNTIME } from './index.ts';

/** More threads than this gain little on passages, and a server has other work. */
const MOST_THREADS = 4;
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'] as const;

export interface Output {
  dims: readonly number[];
  type: string;
  data: ArrayLike<number>;
}

interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, unknown>): Promise<Record<string, Output>>;
  release(): Promise<void>;
}

/** The part of the package that is used. */
export interface OnnxRuntime {
  InferenceSession: { create(file: string, options: Record<string, unknown>): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}

export type LoadRuntime = () => Promise<OnnxRuntime>;

export const loadInstalled: LoadRuntime = async () => {
  const name: string = RUNTIME;
  return (await import(name)) as OnnxRuntime;
};

export async function requireRuntime(load: LoadRuntime): Promise<OnnxRuntime> {
  try {
    return await load();
  } catch (cause) {
    throw new VaiError(
      'CONFIG_MISSING',
      `Models on this machine need the package ${RUNTIME}, which is not installed.`,
      {
        hint: `Install it beside vai: npm install ${RUNTIME} (set ONNXRUNTIME_NODE_INSTALL=skip where its download of GPU libraries is impossible), or use the builtin models.`,
        cause,
      },
    );
  }
}

/** Token ids of several texts. */
export interface Encoded {
  ids: readonly number[];
  /** Which of two texts a token is of. */
  types: readonly number[];
}

export interface Network {
  outputs: readonly string[];
  /** All texts in one run; shorter ones are padded, which the mask tells. */
  run(texts: readonly Encoded[], padId: number): Promise<Record<string, Output>>;
  close(): Promise<void>;
}

export async function openNetwork(runtime: OnnxRuntime, file: string): Promise<Network> {
  const session = await runtime.InferenceSession.create(file, {
    intraOpNumThreads: Math.min(MOST_THREADS, availableParallelism()),
    // Threads that wait for work must not keep a core busy.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    // Warnings name paths of this machine and come where only ours belong.
    logSeverityLevel: 3,
  });
  const strange = session.inputNames.filter((name) => !INPUTS.some((known) => known === name));
  if (strange.length > 0 || !session.inputNames.includes('input_ids')) {
    await session.release();
    throw new VaiError('MODEL_UNSUPPORTED', 'The ONNX file does not read token ids as encoders do.', {
      hint: `It asks for ${session.inputNames.slice(0, 5).join(', ').slice(0, 200)}; vai gives ${INPUTS.join(', ')}.`,
    });
  }
  return {
    outputs: session.outputNames,
    run(texts, padId) {
      const length = Math.max(...texts.map(({ ids }) => ids.length));
      const tensor = (valueAt: (text: Encoded, at: number) => number) => {
        const values = new BigInt64Array(texts.length * length);
        texts.forEach((text, row) => {
          for (let at = 0; at < length; at++) values[row * length + at] = BigInt(valueAt(text, at));
        });
        return new runtime.Tensor('int64', values, [texts.length, length]);
      };
      const all = {
        input_ids: () => tensor(({ ids }, at) => ids[at] ?? padId),
        attention_mask: () => tensor(({ ids }, at) => (at < ids.length ? 1 : 0)),
        token_type_ids: () => tensor(({ types }, at) => types[at] ?? 0),
      };
      const wanted = INPUTS.filter((name) => session.inputNames.includes(name));
      return session.run(Object.fromEntries(wanted.map((name) => [name, all[name]()])));
    },
    close: () => session.release(),
  };
}
