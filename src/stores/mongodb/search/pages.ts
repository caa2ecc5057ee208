// Pages by name: the chunk a page begins with carries its names.

import { checkRoots } from '../../../domain/filter.ts';
import type { Searches } from '../../../ports/store.ts';
import type { Database } from '../database.ts';
import { inScope, toMongoFilter } from '../filter.ts';
import { formatChunkId } from '../ids.ts';

export async function findPages(
  database: Database,
  { names, scope, limit }: Parameters<Searches['pages']>[0],
): Promise<string[]> {
  if (scope.filter) checkRoots(scope.filter);
  const rows = await database
    .own('words')
    .find(
      {
        $and: [
          {
            pages: { $in: [...names], $exists: true },
            ...inScope(scope.collections),
            staged: { $ne: true },
          },
          ...(scope.filter ? [toMongoFilter(scope.filter)] : []),
        ],
      },
      { ...database.limits, projection: { collection: 1, chunk: 1 } },
    )
    .sort({ collection: 1, source: 1, ordinal: 1 })
    .limit(limit)
    .toArray();
  return rows.map((row) => formatChunkId(row.collection, row.chunk));
}
