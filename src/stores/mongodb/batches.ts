// Changing or removing any number of documents in steps that each end well within an operation's time limit. Not
// atomic: the caller leaves a mark first, by which the rest is done when this is interrupted.

import type { Collection, Document, Filter, UpdateFilter } from 'mongodb';

const BATCH = 2000;

async function nextIds(collection: Collection, filter: Filter<Document>): Promise<unknown[]> {
  const rows = await collection.find(filter, { projection: { _id: 1 }, limit: BATCH }).toArray();
  return rows.map((row) => row._id);
}

export async function deleteAll(collection: Collection, filter: Filter<Document>): Promise<void> {
  for (let ids = await nextIds(collection, filter); ids.length > 0; ids = await nextIds(collection, filter))
    await collection.deleteMany({ _id: { $in: ids as never[] } });
}

/** The update must make the document fall out of the filter. */
export async function updateAll(
  collection: Collection,
  filter: Filter<Document>,
  update: UpdateFilter<Document>,
): Promise<void> {
  for (let ids = await nextIds(collection, filter); ids.length > 0; ids = await nextIds(collection, filter))
    await collection.updateMany({ _id: { $in: ids as never[] } }, update);
}

/** The ids of all matching documents, a batch at a time. */
export async function* idBatches(collection: Collection, filter: Filter<Document>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const row of collection.find(filter, { projection: { _id: 1 } })) {
    batch.push(String(row._id));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length) yield batch;
}
