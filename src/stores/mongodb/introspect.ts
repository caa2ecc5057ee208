// What a look at a collection that ours did not make shows: how much is in it, and its vector index. One that cannot be
// read shows nothing and does not hide the others.

import type { Database } from './database.ts';
import { isDriverError, passing } from './errors.ts';
import { countForeignSources } from './foreign.ts';
import type { SearchIndexes } from './search/indexes.ts';

export interface CollectionLook {
  documentCount: number;
  /** Different sources among the documents; the count itself where that takes too long. */
  sources: number;
  /** Of its vector index. */
  dimensions?: number;
}

export async function lookInto(
  database: Database,
  indexes: SearchIndexes,
  name: string,
): Promise<CollectionLook> {
  try {
    const documentCount = await database.collection(name).estimatedDocumentCount(database.limits);
    const sources = await countForeignSources(database, name).catch(() => documentCount);
    const dimensions = (await indexes.known(name)).find((index) => index.type === 'vector')?.dimensions;
    return { documentCount, sources, ...(dimensions === undefined ? {} : { dimensions }) };
  } catch (thrown) {
    if (!isDriverError(thrown) || passing(thrown) === 'outage') throw thrown;
    return { documentCount: 0, sources: 0 };
  }
}
