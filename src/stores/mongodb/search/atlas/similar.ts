// Words of the index that are one typing slip away. Atlas Search lists no words, so chunks that hold a near word are
// fetched by a fuzzy search and the spelling is read from them.

import type { Document } from 'mongodb';
import { isOneEdit } from '../../../../domain/nearest.ts';
import { stem } from '../../../../domain/stem.ts';
import { foldAccents } from '../../../../domain/text.ts';
import type { Database } from '../../database.ts';
import { targetsOf } from '../scope.ts';
import type { AtlasIndexes } from './indexes.ts';
import { lanesOf, limitsOf } from './words.ts';

const MAX_WORDS = 16;
const MAX_FOUND = 5;
const MAX_LANES = 8;
const SAMPLE = 20;
const PATHS = ['text', 'content', 'title', 'heading'];

export async function findSimilar(
  database: Database,
  indexes: AtlasIndexes,
  { words, collections }: { words: readonly string[]; collections: readonly string[] | undefined },
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const targets = await targetsOf(database, collections);
  const all = collections === undefined;
  const lanes = (await lanesOf(indexes, targets, { all, notices: [] })).slice(0, MAX_LANES);
  for (const word of [...new Set(words)].slice(0, MAX_WORDS)) {
    const folded = foldAccents(word);
    if (folded.length < 3 || folded.length > 40) continue;
    const counts = new Map<string, number>();
    for (const lane of lanes) {
      const { filter, mustNot } = limitsOf(lane);
      const compound = {
        must: [{ text: { query: folded, path: PATHS, fuzzy: { maxEdits: 1, prefixLength: 1 } } }],
        ...(filter.length ? { filter } : {}),
        ...(mustNot.length ? { mustNot } : {}),
      };
      const rows = await database
        .collection(lane.store)
        .aggregate<Document>(
          [
            { $search: { index: lane.index.name, compound } },
            { $limit: SAMPLE },
            { $project: { text: 1, content: 1, title: 1, heading: 1 } },
          ],
          database.limits,
        )
        .toArray();
      for (const row of rows)
        for (const near of nearWords(row, folded)) counts.set(near, (counts.get(near) ?? 0) + 1);
    }
    const ranked = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([near]) => near);
    found.set(word, ranked.slice(0, MAX_FOUND));
  }
  return found;
}

function nearWords(row: Document, typed: string): Set<string> {
  const text = [row.text, row.content, row.title, row.heading]
    .filter((part) => typeof part === 'string')
    .join(' ');
  const own = stem(typed);
  const near = new Set<string>();
  for (const word of (text.match(/[\p{L}\p{N}]+/gu) ?? []).map(foldAccents)) {
    if (word === typed || stem(word) === own || word[0] !== typed[0]) continue;
    if (isOneEdit(own, stem(word)) || isOneEdit(typed, word)) near.add(word);
  }
  return near;
}
