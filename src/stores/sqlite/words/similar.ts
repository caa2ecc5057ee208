// Words of the index that are one typing error away from a given word. The index holds stems, so the word as it is
// written is looked up in a chunk that has it.

import { isOneEdit } from '../../../domain/nearest.ts';
import { stem } from '../../../domain/stem.ts';
import { foldAccents } from '../../../domain/text.ts';
import type { StoredChunk } from '../../../ports/store.ts';
import { spellingIn } from '../../spelling.ts';
import type { ChunkReads } from '../chunks.ts';
import { CHUNK_SPAN } from '../ids.ts';
import { openLeaf } from './leaves.ts';
import { WINDOW } from './lengths.ts';
import { textOf } from './pages.ts';
import { AT_END } from './postings.ts';
import { entriesWith, type WordIndex } from './segments.ts';

const MAX_WORDS = 16;
const MAX_FOUND = 5;

export function findSimilar(
  indexes: readonly WordIndex[],
  chunks: ChunkReads,
  words: readonly string[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const word of [...new Set(words)].slice(0, MAX_WORDS)) {
    const folded = foldAccents(word);
    if (folded.length < 3 || folded.length > 40) continue;
    const written = nearStems(indexes, folded).flatMap((term) => {
      const chunk = chunkWith(indexes, chunks, term);
      if (!chunk) return [];
      const text = `${chunk.title} ${chunk.headingPath.join(' ')} ${chunk.text}`;
      return [spellingIn(text, term, folded) ?? term];
    });
    found.set(word, [...new Set(written)].filter((near) => near !== folded).slice(0, MAX_FOUND));
  }
  return found;
}

/** Stems within one edit of the word or of its own stem, most frequent first. */
function nearStems(indexes: readonly WordIndex[], word: string): string[] {
  const own = stem(word);
  const counts = new Map<string, number>();
  for (const { connection, segments } of indexes)
    for (const { id } of segments)
      // An error in the first letter is rare; looking only at words with the same one keeps this a short read.
      for (const { term, chunks } of entriesWith(connection, id, own[0]!)) {
        // No letter takes more than four bytes.
        if (term.length < own.length - 1 || term.length > 4 * (word.length + 1)) continue;
        const near = textOf(term);
        if (near === own || !(isOneEdit(own, near) || isOneEdit(word, near))) continue;
        counts.set(near, (counts.get(near) ?? 0) + chunks);
      }
  const near = [...counts].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
  return near.slice(0, MAX_FOUND).map(([term]) => term);
}

/** A chunk that has the term and is still there. */
function chunkWith(indexes: readonly WordIndex[], chunks: ChunkReads, term: string): StoredChunk | undefined {
  const one = new Uint32Array(WINDOW);
  const counts = new Float64Array(WINDOW);
  for (const index of indexes) {
    const leaf = openLeaf(index, { kind: 'leaf', terms: [term], prefix: false, weights: [1, 1, 1, 1] });
    for (let next = leaf.next(); next !== AT_END; next = leaf.next()) {
      leaf.fill(next + 1, one, counts);
      const [chunk] = chunks.load([index.collection * CHUNK_SPAN + next]);
      if (chunk) return chunk;
    }
  }
  return undefined;
}
