// The mention index: which chunks hold which names. Names are the tokens of a full-text index without positions, the
// cheapest inverted index to write here; the names of each chunk are also kept in a table. Writing is in `naming.ts`.

import type { GraphReads } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { collectionIds, jsonList, spansOf, toIds } from '../scope.ts';

export type MentionReads = Pick<GraphReads, 'mentionsOfChunks' | 'chunksWithMentions'>;

const PLAIN = /^[a-z0-9\u0080-\uffff]+$/;

const NOT_PLAIN = /[^a-z0-9\u0080-\uffff]/g;

/** What is not plain, and no space between two names. */
const TO_MOVE = /[^a-z0-9 \u0080-\uffff]/g;

export function mentionTokens(keys: readonly string[]): string {
  const joined = keys.join(' ');
  // Nearly all names are one word, and then the joined text can be converted at once.
  return keys.some((key) => key.includes(' '))
    ? keys.map(mentionToken).join(' ')
    : joined.replaceAll(TO_MOVE, moved);
}

export function createMentionReads(connection: Connection): MentionReads {
  const { rows, read } = connection;
  return {
    async mentionsOfChunks(ids) {
      return read(() => {
        const found = rows<[chunk: number, names: string]>(
          'SELECT c.chunk, c.names FROM json_each(?) j CROSS JOIN chunk_names c ON c.chunk = j.value',
          jsonList(toIds(ids)),
        );
        return new Map(found.map(([chunk, names]) => [String(chunk), JSON.parse(names) as string[]]));
      });
    },
    async chunksWithMentions(keys, { scope, limit }) {
      return read(() => {
        const distinct = [...new Set(keys)];
        const tokens = jsonList(distinct.map(matchToken));
        const found = new Map(distinct.map((key): [string, string[]] => [key, []]));
        // A question asks for hundreds of names: all in one statement.
        for (const span of spansOf(collectionIds(connection, scope))) {
          const lists = rows<[chunks: string | null]>(
            `SELECT (SELECT group_concat(rowid) FROM (SELECT rowid FROM mention_index
               WHERE mention_index MATCH j.value AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?))
             FROM json_each(?) j ORDER BY j.key`,
            ...span,
            limit,
            tokens,
          );
          for (const [at, [chunks]] of lists.entries()) {
            const ids = found.get(distinct[at]!)!;
            if (chunks !== null) ids.push(...chunks.split(',').slice(0, limit - ids.length));
          }
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
