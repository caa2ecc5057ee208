// Reads the trained weights: loaded when first used, once per process. The file lies beside this module in the source
// tree, and beside the bundled chunks in dist/ (scripts/build.js copies it there), so one relative address finds both.
// Layout (written by training/export.py), little endian: `VAIEMB01`; uint32 pieces, rows, dimensions, bytes of
// vocabulary; float32 scale per row; the vocabulary (joined by line feeds, padded with spaces); int8 rows.

import { readFileSync } from 'node:fs';
import { VaiError } from '../../domain/errors.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';

const MAGIC = 'VAIEMB01';
const HEADER = 24;

export interface Weights {
  tokenizer: Tokenizer;
  dimensions: number;
  /** A row's vector is its codes times its scale. */
  scales: Float32Array;
  codes: Int8Array;
}

let loaded: Weights | undefined;

export function builtinWeights(): Weights {
  return (loaded ??= readWeights(new URL('./weights.bin', import.meta.url)));
}

export function readWeights(file: URL): Weights {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw damaged(cause);
  }
  return parseWeights(bytes);
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
  const index = new Map<string, number>();
  for (let id = 0; id < pieces; id++) index.set(names[id]!, id);
  // A Buffer may start anywhere inside its memory; floats need an aligned copy.
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) scales[row] = bytes.readFloatLE(HEADER + row * 4);
  return {
    tokenizer: createTokenizer(index, rows - pieces),
    dimensions,
    scales,
    codes: new Int8Array(bytes.buffer, bytes.byteOffset + codesAt, rows * dimensions),
  };
}

function damaged(cause?: unknown): VaiError {
  return new VaiError('INTERNAL', 'The built-in model could not be read.', {
    hint: 'Install vai again; its weights file is missing or damaged.',
    ...(cause === undefined ? {} : { cause }),
  });
}
