// Which chunk sizes and overlaps are allowed. A bad pair is refused here once, so that no splitter has to fear it.

import { CHUNK_STRATEGIES, type ChunkProfile } from '../../../domain/chunk.ts';
import { VaiError } from '../../../domain/errors.ts';

const MIN_CHUNK_SIZE = 16;
const MAX_CHUNK_SIZE = 100_000;

export function checkProfile(profile: ChunkProfile): ChunkProfile {
  const { strategy, size, overlap } = profile;
  if (strategy !== 'blocks' && !CHUNK_STRATEGIES.includes(strategy))
    throw invalid(
      `\`${String(strategy).slice(0, 40)}\` is not a chunk strategy.`,
      `Use one of ${CHUNK_STRATEGIES.join(', ')}.`,
    );
  if (!Number.isInteger(size) || size < MIN_CHUNK_SIZE || size > MAX_CHUNK_SIZE)
    throw invalid(
      'The chunk size is out of bounds.',
      `Use a whole number from ${MIN_CHUNK_SIZE} to ${MAX_CHUNK_SIZE}.`,
    );
  if (!Number.isInteger(overlap) || overlap < 0 || overlap * 2 >= size)
    throw invalid(
      'The chunk overlap must be a whole number, at least 0 and less than half the chunk size.',
      `With size ${size} use at most ${Math.ceil(size / 2) - 1}.`,
    );
  return profile;
}

/** The overlap of a profile that names none. */
export function defaultOverlap(size: number): number {
  return Math.min(50, Math.floor(size / 4));
}

function invalid(message: string, hint: string): VaiError {
  return new VaiError('INVALID_INPUT', message, { hint });
}
