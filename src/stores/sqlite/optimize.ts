// After a bulk load: each index of words becomes one segment.

import type { Connection } from './connection.ts';
import type { WordWrites } from './words/write.ts';

export function optimizeIndexes(connection: Connection, words: WordWrites): void {
  words.optimize();
  for (const index of ['mention_index', 'relation_words'])
    connection.sql(`INSERT INTO ${index} (${index}) VALUES ('optimize')`).run();
}
