// Reads the trained weights: loaded when first used, once per process, and of its rows only those that some text needs, a
// few at a time: a process that never meets most words does not hold their vectors. The file lies beside this module in
// the source tree, and beside the bundled chunks in dist/ (scripts/build.js copies it there), so one relative address
// finds both.
// Layout (written by training/export.py), little endian: `VAIEMB02`; uint32 pieces, rows, dimensions, bytes of
// vocabulary; float32 scale per row; the vocabulary (joined by line feeds, padded with spaces); int8 rows.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { VaiError } from '../../domain/errors.ts';
import { BLOCK, createKernel, type Kernel } from './kernel.ts';
import { createPieces } from './pieces.ts';
import { createPooling, MAX_TOKENS, type Pooling } from './pooling.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';

/** Beside this module in the source tree, and beside the bundled chunks in dist/. */
export const WEIGHTS_FILE = new URL('./weights.bin', import.meta.url);
const MAGIC = 'VAIEMB02';
export const HEADER = 24;
/** The kernel's memory: ids, their factors, the vector it makes, then the file as it is. */
const FACTORS_AT = MAX_TOKENS * 4;
const VECTOR_AT = FACTORS_AT * 2;
const FILE_AT = VECTOR_AT + 4_096;
/** What the memory of a process comes in: rows are read so many bytes at a time, and those never read take none. */
const PAGE = 4_096;
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
  /** Read as far as `need` was asked for. */
  codes: Int8Array;
  /** Must come before the codes of these rows are looked at. */
  need: (ids: ArrayLike<number>, count: number) => void;
  /** Where a text's ids are written before they are added up. */
  ids: Int32Array;
  pooling: Pooling;
  /** Missing where the platform has no SIMD. */
  fast?: Fast;
}

let loaded: Weights | undefined;

export function builtinWeights(): Weights {
  return (loaded ??= readWeights(WEIGHTS_FILE));
}

export function readWeights(file: URL): Weights {
  let kernel: Kernel | undefined;
  let weights: Weights;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { size } = fstatSync(descriptor);
    if (size > MAX_FILE) throw damaged();
    // Read to where the kernel looks for it: no second copy.
    kernel = createKernel(FILE_AT + size);
    const bytes = kernel ? Buffer.from(kernel.memory, FILE_AT, size) : Buffer.alloc(size);
    readAt(descriptor, bytes.subarray(0, HEADER), 0);
    readAt(descriptor, bytes.subarray(HEADER, layoutOf(bytes).codesAt), HEADER);
    weights = { ...parseWeights(bytes), need: () => undefined };
    // The file stays open, so that it is the same one whatever is installed meanwhile.
    weights.need = readRows(descriptor, bytes, weights);
  } catch (cause) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw damaged(cause);
  }
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

/** Fills the buffer with what the file has from `position` on. */
export function readAt(descriptor: number, into: Uint8Array | Int8Array, position: number): void {
  for (let done = 0; done < into.length;) {
    const count = readSync(descriptor, into, done, into.length - done, position + done);
    if (count === 0) throw damaged();
    done += count;
  }
}

function readRows(descriptor: number, bytes: Buffer, { codes, dimensions }: Weights): Weights['need'] {
  const begin = codes.byteOffset;
  const end = begin + codes.byteLength;
  const first = Math.floor(begin / PAGE);
  const known = new Uint8Array(Math.ceil(end / PAGE) - first);
  const read = (page: number): void => {
    const [from, to] = [Math.max(begin, page * PAGE), Math.min(end, (page + 1) * PAGE)];
    const part = bytes.subarray(from - bytes.byteOffset, to - bytes.byteOffset);
    readAt(descriptor, part, from - bytes.byteOffset);
    known[page - first] = 1;
  };
  return (ids, count) => {
    for (let at = 0; at < count; at++) {
      const row = begin + ids[at]! * dimensions;
      const last = Math.floor((row + dimensions - 1) / PAGE);
      for (let page = Math.floor(row / PAGE); page <= last; page++) if (known[page - first] === 0) read(page);
    }
  };
}

interface Layout {
  pieces: number;
  rows: number;
  dimensions: number;
  vocabularyAt: number;
  codesAt: number;
}

export function layoutOf(bytes: Buffer): Layout {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 8) !== MAGIC) throw damaged();
  const [pieces, rows, dimensions, vocabularyBytes] = [8, 12, 16, 20].map((at) => bytes.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const vocabularyAt = HEADER + rows * 4;
  return { pieces, rows, dimensions, vocabularyAt, codesAt: vocabularyAt + vocabularyBytes };
}

export function parseWeights(bytes: Buffer): Omit<Weights, 'need'> {
  const { pieces, rows, dimensions, vocabularyAt, codesAt } = layoutOf(bytes);
  if (bytes.length !== codesAt + rows * dimensions || pieces >= rows) throw damaged();
  const vocabulary = createPieces(bytes.subarray(vocabularyAt, codesAt), pieces);
  if (!vocabulary) throw damaged();
  // A Buffer may start anywhere inside its memory; floats need an aligned copy.
  const scales = new Float32Array(Uint8Array.from(bytes.subarray(HEADER, vocabularyAt)).buffer);
  const ids = new Int32Array(MAX_TOKENS);
  return {
    tokenizer: createTokenizer(vocabulary, rows - pieces),
    dimensions,
    scales,
    codes: new Int8Array(bytes.buffer, bytes.byteOffset + codesAt, rows * dimensions),
    ids,
    pooling: createPooling(rows, ids, new Float32Array(MAX_TOKENS)),
  };
}

export function damaged(cause?: unknown): VaiError {
  return new VaiError('INTERNAL', 'The built-in model could not be read.', {
    hint: 'Install vai again; its weights file is missing or damaged.',
    ...(cause === undefined ? {} : { cause }),
  });
}
