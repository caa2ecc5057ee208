// The mention index: which chunks hold which names. Names are the tokens of a full-text index without positions, the
// cheapest inverted index to write here; the names of a chunk lie in a table beside it. Writing is in `naming.ts`.

import type { GraphReads } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { collectionIds, spansOf, toId } from '../scope.ts';

export type MentionReads = Pick<GraphReads, 'mentionCounts' | 'mentionsOfChunks' | 'chunksWithMentions'>;

const PLAIN = /^[a-z0-9\u0080-\uffff]+$/;

const NOT_PLAIN = /[^a-z0-9\u0080-\uffff]/g;

/** What is not plain, and no space between two names. */
const TO_MOVE = /[^a-z0-9 \u0080-\uffff]/g;

export function mentionTokens(keys: readonly string[]): string {
  const joined = keys.join(' ');
  // A name without a space, as nearly all are, needs no look of its own.
  return keys.some((key) => key.includes(' '))
    ? keys.map(mentionToken).join(' ')
    : joined.replaceAll(TO_MOVE, moved);
}

export function createMentionReads(connection: Connection): MentionReads {
  const { sql, read } = connection;
  return {
    async mentionCounts(keys, scope) {
      return read(() => {
        const spans = spansOf(collectionIds(connection, scope));
        const count = sql<{ n: number }>(
          'SELECT count(*) AS n FROM mention_index WHERE mention_index MATCH ? AND rowid BETWEEN ? AND ?',
        );
        const counts = new Map<string, number>();
        for (const key of new Set(keys)) {
          let total = 0;
          for (const span of spans) total += count.get(matchToken(key), ...span)!.n;
          counts.set(key, total);
        }
        return counts;
      });
    },
    async mentionsOfChunks(ids) {
      return read(() => {
        const one = sql<{ names: string }>('SELECT names FROM chunk_names WHERE chunk = ?');
        const found = new Map<string, string[]>();
        for (const text of ids) {
          const id = toId(text);
          const row = id === undefined ? undefined : one.get(id);
          if (row) found.set(text, JSON.parse(row.names) as string[]);
        }
        return found;
      });
    },
    async chunksWithMentions(keys, { scope, limit }) {
      return read(() => {
        const spans = spansOf(collectionIds(connection, scope));
        const some = sql<{ id: number }>(
          'SELECT rowid AS id FROM mention_index WHERE mention_index MATCH ? AND rowid BETWEEN ? AND ? ' +
            'ORDER BY rowid LIMIT ?',
        );
        const found = new Map<string, string[]>();
        for (const key of new Set(keys)) {
          const ids: string[] = [];
          for (const span of spans) {
            if (ids.length >= limit) break;
            const rows = some.all(matchToken(key), ...span, limit - ids.length);
            for (const { id } of rows) ids.push(String(id));
          }
          found.set(key, ids);
        }
        return found;
      });
    },
  };
}

/** A name as one token of the `ascii` tokenizer: what would split or fold it moves to the private use area. */
function mentionToken(key: string): string {
  return PLAIN.test(key) ? key : key.replaceAll(NOT_PLAIN, moved);
}

function moved(character: string): string {
  return String.fromCharCode(0xe000 + character.charCodeAt(0));
}

function matchToken(key: string): string {
  return `"${mentionToken(key)}"`;
}
