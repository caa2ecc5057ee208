// Words of the index that are one typing slip away from a given word. The index holds stems, so the word as it is
// written is looked up in a chunk that has it.

import { editDistance, isOneEdit } from '../../../domain/nearest.ts';
import { stem } from '../../../domain/stem.ts';
import { foldAccents } from '../../../domain/text.ts';
import type { StoredChunk } from '../../../ports/store.ts';
import type { ChunkReads } from '../chunks.ts';
import type { Connection } from '../connection.ts';

const MAX_WORDS = 16;
const MAX_FOUND = 5;

export function findSimilar(
  connection: Connection,
  chunks: ChunkReads,
  words: readonly string[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const word of [...new Set(words)].slice(0, MAX_WORDS)) {
    const folded = foldAccents(word);
    if (folded.length < 3 || folded.length > 40) continue;
    const stems = nearStems(connection, folded);
    const written = stems.map((term) => {
      const chunk = chunkWith(connection, chunks, term);
      return chunk ? asWritten(chunk, term, folded) : term;
    });
    found.set(word, [...new Set(written)].filter((near) => near !== folded).slice(0, MAX_FOUND));
  }
  return found;
}

/** Stems within one edit of the word or of its own stem, most frequent first. */
function nearStems(connection: Connection, word: string): string[] {
  const own = stem(word);
  // A slip in the first letter is rare; looking only at words with the same one keeps this a short read.
  const first = own[0]!;
  const rows = connection
    .sql('SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?')
    .iterate(first, `${first}\u{10ffff}`, own.length - 1, word.length + 1) as IterableIterator<{
    term: string;
    doc: number;
  }>;
  const near: { term: string; doc: number }[] = [];
  for (const row of rows) {
    if (row.term === own) continue;
    if (isOneEdit(own, row.term) || isOneEdit(word, row.term)) near.push({ term: row.term, doc: row.doc });
  }
  near.sort((a, b) => b.doc - a.doc || (a.term < b.term ? -1 : 1));
  return near.slice(0, MAX_FOUND).map((row) => row.term);
}

function chunkWith(connection: Connection, chunks: ChunkReads, term: string): StoredChunk | undefined {
  const row = connection
    .sql('SELECT rowid AS id FROM words WHERE words MATCH ? LIMIT 1')
    .get(`"${term.replaceAll('"', '""')}"`) as { id: number } | undefined;
  return row && chunks.load([row.id])[0];
}

/** The shortest spelling of a stem in a chunk that holds it, the one nearest to what was typed first. */
function asWritten(chunk: StoredChunk, term: string, typed: string): string {
  const text = `${chunk.title} ${chunk.headingPath.join(' ')} ${chunk.text}`;
  const spellings = new Set(
    (text.match(/[\p{L}\p{N}]+/gu) ?? []).map(foldAccents).filter((word) => stem(word) === term),
  );
  const ranked = [...spellings].sort(
    (a, b) => editDistance(a, typed, 8) - editDistance(b, typed, 8) || a.length - b.length,
  );
  return ranked[0] ?? term;
}
