// What each chunk contributed to the graph, as it was written: for copying to another store.

import { parseRelationId, type EntityMention, type RelationMention } from '../../../domain/graph.ts';
import { storedMention } from '../../../domain/statements.ts';
import type { GraphReads, GraphWrites } from '../../../ports/graph-store.ts';
import type { Database } from '../database.ts';
import { groupIds } from '../documents.ts';
import { formatChunkId } from '../ids.ts';
import { NAMES, type MentionDocument } from '../layout.ts';

export type ContributionReads = Pick<GraphReads, 'contributions'>;

export function createContributionReads(database: Database): ContributionReads {
  const { limits } = database;
  const mentions = (store: string, collection: string, chunks: string[]): Promise<MentionDocument[]> =>
    database
      .collection<MentionDocument>(store)
      .find({ collection, chunk: { $in: chunks } }, limits)
      .sort({ _id: 1 })
      .toArray();
  return {
    contributions: (ids) =>
      database.read(async () => {
        const found = new Map<string, GraphWrites>();
        for (const [collection, group] of groupIds(ids)) {
          const chunks = group.map(({ id }) => id);
          const of = (chunk: string): GraphWrites | undefined => found.get(formatChunkId(collection, chunk));
          const words = database
            .own('words')
            .find({ collection, chunk: { $in: chunks } }, { ...limits, projection: { chunk: 1 } });
          for await (const row of words)
            found.set(formatChunkId(collection, row.chunk), { entities: [], relations: [] });
          for (const row of await mentions(NAMES.entityMentions, collection, chunks))
            of(row.chunk)?.entities!.push({ key: row.owner, ...storedMention<EntityMention>(row) });
          for (const row of await mentions(NAMES.relationMentions, collection, chunks)) {
            const { source: sourceKey, target: targetKey, type } = parseRelationId(row.owner)!;
            of(row.chunk)?.relations!.push({
              ...{ sourceKey, targetKey, type },
              ...storedMention<Omit<RelationMention, 'type'>>(row),
            });
          }
        }
        return found;
      }),
  };
}
