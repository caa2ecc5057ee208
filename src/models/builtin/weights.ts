// Reads the trained weights: loaded when first used, once per process. The file lies beside this module in the source
// tree, and beside the bundled chunks in dist/ (scripts/build.js copies it there), so one relative address finds both.
// Layout (written by training/export.py), little endian: `VAIEMB02`; uint32 pieces, rows, dimensions, bytes of
// vocabulary; float32 scale per row; the vocabulary (joined by line feeds, padded with spaces); int8 rows.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { VaiError } from '../../domain/errors.ts';
import { BLOCK, createKernel, type Kernel } from './kernel.ts';
import { createPooling, MAX_TOKENS, type Pooling } from './pooling.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';

const MAGIC = 'VAIEMB02';
const HEADER = 24;
/** The kernel's memory: ids, their factors, the vector it makes, then the file as it is. */
const FACTORS_AT = MAX_TOKENS * 4;
const VECTOR_AT = FACTORS_AT * 2;
const FILE_AT = VECTOR_AT + 4_096;
/** Far above what is shipped: a file that grew by accident does not fill the memory. */
const MAX_FILE = 256 * 1024 * 1024;

/** The weights as the kernel reaches them. */
export interface Fast {
  kernel: Kernel;
  vector: Float32Array;
  /** Where products are written; nothing of it outlives a call. */
  products: Int32Array;
  codesAt: number;
}

export interface Weights {
  tokenizer: Tokenizer;
  dimensions: number;
  /** A row's vector is its codes times its scale. */
  scales: Float32Array;
  codes: Int8Array;
  /** Where a text's ids are written before they are added up. */
  ids: Int32Array;
  pooling: Pooling;
  /** Missing where the platform has no SIMD. */
  fast?: Fast;
}

let loaded: Weights | undefined;

export function builtinWeights(): Weights {
  return (loaded ??= readWeights(new URL('./weights.bin', import.meta.url)));
}

export function readWeights(file: URL): Weights {
  let kernel: Kernel | undefined;
  let bytes: Buffer;
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      if (size > MAX_FILE) throw damaged();
      // Read to where the kernel looks for it: no second copy.
      kernel = createKernel(FILE_AT + size);
      bytes = kernel ? Buffer.from(kernel.memory, FILE_AT, size) : Buffer.alloc(size);
      for (let at = 0; at < size;) {
        const count = readSync(descriptor, bytes, at, size - at, at);
        if (count === 0) throw damaged();
        at += count;
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw damaged(cause);
  }
  const weights = parseWeights(bytes);
  if (!kernel || weights.dimensions % BLOCK !== 0 || weights.dimensions * 4 > FILE_AT - VECTOR_AT)
    return weights;
  const fast = {
    kernel,
    vector: new Float32Array(kernel.memory, VECTOR_AT, weights.dimensions),
    products: new Int32Array(kernel.memory, FACTORS_AT, MAX_TOKENS),
    codesAt: weights.codes.byteOffset,
  };
  const ids = new Int32Array(kernel.memory, 0, MAX_TOKENS);
  const factors = new Float32Array(kernel.memory, FACTORS_AT, MAX_TOKENS);
  return { ...weights, ids, pooling: createPooling(weights.scales.length, ids, factors), fast };
}

export function parseWeights(bytes: Buffer): Weights {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 8) !== MAGIC) throw damaged();
  const [pieces, rows, dimensions, vocabularyBytes] = [8, 12, 16, 20].map((at) => bytes.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const vocabularyAt = HEADER + rows * 4;
  const codesAt = vocabularyAt + vocabularyBytes;
  if (bytes.length !== codesAt + rows * dimensions || pieces >= rows) throw damaged();
  const names = bytes.toString('latin1', vocabularyAt, codesAt).trimEnd().split('\n');
  if (names.length !== pieces) throw damaged();
  // A Buffer may start anywhere inside its memory; floats need an aligned copy.
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) scales[row] = bytes.readFloatLE(HEADER + row * 4);
  const ids = new Int32Array(MAX_TOKENS);
  return {
    tokenizer: createTokenizer(names, rows - pieces),
    dimensions,
    scales,
    codes: new Int8Array(bytes.buffer, bytes.byteOffset + codesAt, rows * dimensions),
    ids,
    pooling: createPooling(rows, ids, new Float32Array(MAX_TOKENS)),
  };
}

function damaged(cause?: unknown): VaiError {
  return new VaiError('INTERNAL', 'The built-in model could not be read.', {
    hint: 'Install vai again; its weights file is missing or damaged.',
    ...(cause === undefined ? {} : { cause }),
  });
}
