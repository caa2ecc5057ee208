// Vectors that do not fit their collection would make all of it useless.

import { VaiError } from '../domain/errors.ts';
import type { ChunkWrite } from '../ports/store.ts';

export function checkVectors(
  collection: string,
  dimensions: number | null | undefined,
  chunks: readonly ChunkWrite[],
): void {
  for (const { vector } of chunks) {
    if (!vector || vector.length === dimensions) continue;
    throw new VaiError(
      'DIMENSION_MISMATCH',
      dimensions
        ? `The collection \`${collection}\` holds vectors of ${dimensions} dimensions, not ${vector.length}.`
        : `The collection \`${collection}\` has no embedding model yet.`,
      { hint: 'Use the model the collection was made with, or another collection.' },
    );
  }
}
