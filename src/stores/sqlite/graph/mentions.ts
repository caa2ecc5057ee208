// The mention index: which chunks hold which names. Names are hashed into tokens of a full-text index without
// positions, the cheapest inverted index to write here; a chunk keeps its own names as written.

import type { GraphReads } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { collectionIds, spansOf, toId } from '../scope.ts';

export type MentionReads = Pick<GraphReads, 'mentionCounts' | 'mentionsOfChunks' | 'chunksWithMentions'>;

export function mentionTokens(keys: readonly string[]): string {
  return keys.map(mentionToken).join(' ');
}

export function createMentionReads(connection: Connection): MentionReads {
  const { sql, read } = connection;
  return {
    async mentionCounts(keys, scope) {
      return read(() => {
        const spans = spansOf(collectionIds(connection, scope));
        const count = sql(
          'SELECT count(*) AS n FROM mention_index WHERE mention_index MATCH ? AND rowid BETWEEN ? AND ?',
        );
        const counts = new Map<string, number>();
        for (const key of new Set(keys)) {
          let total = 0;
          for (const span of spans) total += (count.get(mentionToken(key), ...span) as { n: number }).n;
          counts.set(key, total);
        }
        return counts;
      });
    },
    async mentionsOfChunks(ids) {
      return read(() => {
        const one = sql('SELECT mentions FROM chunks WHERE id = ?');
        const found = new Map<string, string[]>();
        for (const text of ids) {
          const id = toId(text);
          const row = id === undefined ? undefined : (one.get(id) as { mentions: string | null } | undefined);
          if (row) found.set(text, row.mentions === null ? [] : (JSON.parse(row.mentions) as string[]));
        }
        return found;
      });
    },
    async chunksWithMentions(keys, { scope, limit }) {
      return read(() => {
        const spans = spansOf(collectionIds(connection, scope));
        const some = sql(
          'SELECT rowid AS id FROM mention_index WHERE mention_index MATCH ? AND rowid BETWEEN ? AND ? ' +
            'ORDER BY rowid LIMIT ?',
        );
        const found = new Map<string, string[]>();
        for (const key of new Set(keys)) {
          const ids: string[] = [];
          for (const span of spans) {
            if (ids.length >= limit) break;
            const rows = some.all(mentionToken(key), ...span, limit - ids.length) as { id: number }[];
            for (const { id } of rows) ids.push(String(id));
          }
          found.set(key, ids);
        }
        return found;
      });
    },
  };
}

/** 64 bits in two FNV-1a halves, as one word of letters and digits. */
function mentionToken(key: string): string {
  let low = 0x811c9dc5;
  let high = 0x050c5d1f;
  for (let at = 0; at < key.length; at += 1) {
    const unit = key.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + 0x9e37), 0x01000193) ^ (high >>> 15);
  }
  return `m${(low >>> 0).toString(36)}${(high >>> 0).toString(36).padStart(7, '0')}`;
}
