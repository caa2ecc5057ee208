// How much each piece of the vocabulary counts, which is the length of its vector, without keeping the vectors in
// memory: the vocabulary is read once, and a row of the file only when a question contains its piece.

import { closeSync, openSync } from 'node:fs';
import { createPieces } from './pieces.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';
import { damaged, HEADER, layoutOf, readAt, WEIGHTS_FILE } from './weights.ts';

export interface Lengths {
  tokenizer: Tokenizer;
  lengthOf: (id: number) => number;
}

let loaded: Lengths | undefined;

export function builtinLengths(): Lengths {
  return (loaded ??= readLengths(WEIGHTS_FILE));
}

export function readLengths(file: URL): Lengths {
  let descriptor: number | undefined;
  try {
    // It stays open, so that it is the same file whatever is installed meanwhile.
    descriptor = openSync(file, 'r');
    const header = Buffer.alloc(HEADER);
    readAt(descriptor, header, 0);
    const { pieces, rows, dimensions, vocabularyAt, codesAt } = layoutOf(header);
    const names = Buffer.alloc(codesAt - vocabularyAt);
    readAt(descriptor, names, vocabularyAt);
    const vocabulary = createPieces(names, pieces);
    if (!vocabulary) throw damaged();
    const [scale, row] = [Buffer.alloc(4), new Int8Array(dimensions)];
    const from = descriptor;
    const readLength = (id: number): number => {
      readAt(from, scale, HEADER + id * 4);
      readAt(from, row, codesAt + id * dimensions);
      let square = 0;
      for (let at = 0; at < dimensions; at++) square += row[at]! ** 2;
      return Math.sqrt(square) * scale.readFloatLE(0);
    };
    const known = new Float32Array(rows);
    const lengthOf = (id: number): number => (known[id] ||= readLength(id));
    return { tokenizer: createTokenizer(vocabulary, rows - pieces), lengthOf };
  } catch (cause) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw damaged(cause);
  }
}
