// A document as it is sent to the writing thread: JSON, the text, and the vectors in one transferred array. The text of
// each chunk is left out and taken from the document's text again.

import { chunkText } from '../../../domain/chunk.ts';
import type { ChunkWrite, DocumentWrite } from '../../../ports/store.ts';

export interface Packed {
  /** Everything but texts and vectors. */
  json: string;
  text: string;
  /** One behind the other, for the chunks that have one. */
  vectors?: Float32Array<ArrayBuffer>;
}

type PackedChunk = Omit<ChunkWrite, 'text' | 'vector'> & { dimensions?: number };

export function pack(write: DocumentWrite): Packed {
  const { text, chunks, ...rest } = write;
  const length = chunks.reduce((sum, { vector }) => sum + (vector?.length ?? 0), 0);
  const vectors = length > 0 ? new Float32Array(length) : undefined;
  let at = 0;
  const packed = chunks.map(({ text: _text, vector, ...chunk }): PackedChunk => {
    if (!vector) return chunk;
    vectors!.set(vector, at);
    at += vector.length;
    return { ...chunk, dimensions: vector.length };
  });
  return { json: JSON.stringify({ ...rest, chunks: packed }), text, ...(vectors ? { vectors } : {}) };
}

export function unpack({ json, text, vectors }: Packed): DocumentWrite {
  const { chunks, ...rest } = JSON.parse(json) as Omit<DocumentWrite, 'text' | 'chunks'> & {
    chunks: PackedChunk[];
  };
  let at = 0;
  return {
    ...rest,
    text,
    chunks: chunks.map(({ dimensions, ...chunk }) => {
      const whole = { ...chunk, text: chunkText(text, chunk) };
      if (dimensions === undefined) return whole;
      at += dimensions;
      return { ...whole, vector: vectors!.subarray(at - dimensions, at) };
    }),
  };
}
