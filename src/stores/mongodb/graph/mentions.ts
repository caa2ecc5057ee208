// The mention index: which chunks hold which names, kept with the words of each chunk under a multikey index. Writing is
// in `naming.ts`.

import type { GraphReads } from '../../../ports/graph-store.ts';
import type { Database } from '../database.ts';
import { groupIds } from '../documents.ts';
import { inScope } from '../filter.ts';
import { formatChunkId } from '../ids.ts';
import { parallel } from '../parallel.ts';

export type MentionReads = Pick<GraphReads, 'mentionsOfChunks' | 'chunksWithMentions'>;

export function createMentionReads(database: Database): MentionReads {
  const { limits } = database;
  const words = () => database.own('words');
  return {
    mentionsOfChunks: (ids) =>
      database.read(async () => {
        const found = new Map<string, string[]>();
        for (const [collection, group] of groupIds(ids)) {
          const rows = words().find(
            { collection, chunk: { $in: group.map(({ id }) => id) } },
            { ...limits, projection: { chunk: 1, mentions: 1 } },
          );
          for await (const row of rows) found.set(formatChunkId(collection, row.chunk), row.mentions ?? []);
        }
        return found;
      }),
    chunksWithMentions: (keys, { scope, limit }) =>
      database.read(async () => {
        const found = new Map<string, string[]>();
        await parallel([...new Set(keys)], async (key) => {
          // By place: an order that a new ingest of the same text does not change.
          const rows = await words()
            .find(
              { mentions: key, ...inScope(scope), staged: { $ne: true } },
              { ...limits, projection: { collection: 1, chunk: 1 } },
            )
            .sort({ collection: 1, source: 1, ordinal: 1 })
            .limit(limit)
            .toArray();
          found.set(
            key,
            rows.map((row) => formatChunkId(row.collection, row.chunk)),
          );
        });
        return found;
      }),
  };
}
