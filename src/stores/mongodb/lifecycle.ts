// What touches a whole collection: removing it, renaming it, dropping its vectors. Each is more than a transaction may
// hold, so a mark is left on the record first and every step can be done twice: any process can finish what another
// began.

import { deleteAll, idBatches, updateAll } from './batches.ts';
import { forgetCounts } from './counts.ts';
import type { Database } from './database.ts';
import { codeOf } from './errors.ts';
import { docId } from './ids.ts';
import { NAMES, type ChunkDocument } from './layout.ts';

const NAMESPACE_MISSING = 26;
const BATCH = 500;
/** Collections whose documents name the collection they belong to. */
const OWNED = [
  NAMES.words,
  NAMES.postings,
  NAMES.entities,
  NAMES.relations,
  NAMES.entityMentions,
  NAMES.relationMentions,
  NAMES.history,
] as const;

/** Finishes what was begun and not ended, here or in a process that is gone. */
export async function finishPending(database: Database): Promise<void> {
  const records = database.own('collections');
  const pending = await records
    .find(
      { $or: [{ removing: true }, { revectoring: true }, { renaming: { $exists: true } }] },
      database.limits,
    )
    .toArray();
  for (const row of pending) {
    if (row.removing) await finishRemoval(database, row._id);
    else if (row.renaming !== undefined) await finishRename(database, row._id, row.renaming);
    else await finishRevectoring(database, row._id);
  }
}

/** The record goes last. */
export async function finishRemoval(database: Database, name: string): Promise<void> {
  database.prepared.delete(name);
  await database.collection(name).drop();
  for (const store of [NAMES.documents, NAMES.archive])
    for await (const ids of idBatches(database.collection(store), { collection: name })) {
      await deleteAll(database.collection(NAMES.texts), { doc: { $in: ids } });
      await deleteAll(database.collection(NAMES.headings), { doc: { $in: ids } });
    }
  for (const owned of [...OWNED, NAMES.archive, NAMES.documents])
    await deleteAll(database.collection(owned), { collection: name });
  await database.own('collections').deleteOne({ _id: name });
  forgetCounts(database);
}

/** While this runs some documents are found under the old name and some under the new one. */
export async function finishRename(database: Database, from: string, to: string): Promise<void> {
  database.prepared.delete(from);
  try {
    await database.db().renameCollection(from, to);
  } catch (thrown) {
    // Done before, by a process that did not get to the end.
    if (codeOf(thrown) !== NAMESPACE_MISSING) throw thrown;
  }
  for (const owned of [...OWNED, NAMES.archive, NAMES.documents])
    await updateAll(
      database.collection(owned),
      { collection: from },
      { $set: { collection: to, ...(owned === NAMES.history ? { 'event.collection': to } : {}) } },
    );
  await renameIds(database, to);
  const records = database.own('collections');
  const row = await records.findOne({ _id: from });
  if (row) {
    const { renaming: _done, ...rest } = row;
    await records.replaceOne({ _id: to }, { ...rest, _id: to }, { upsert: true });
    await records.deleteOne({ _id: from });
  }
  forgetCounts(database);
}

/** The identity of a document names its collection. */
async function renameIds(database: Database, name: string): Promise<void> {
  const documents = database.own('documents');
  let batch: { _id: string; path: string }[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const update = (key: string) =>
      batch.map(({ _id, path }) => ({
        updateMany: { filter: { [key]: _id }, update: { $set: { 'metadata.docId': docId(name, path) } } },
      }));
    await database.collection(name).bulkWrite(update('_vai.doc'), { ordered: false });
    await database.own('words').bulkWrite(update('doc'), { ordered: false });
    batch = [];
  };
  for await (const row of documents.find({ collection: name }, { projection: { path: 1 } })) {
    batch.push(row);
    if (batch.length >= BATCH) await flush();
  }
  await flush();
}

/** Vectors of another space or length must not be compared with new ones; until they are gone none are. */
export async function finishRevectoring(database: Database, name: string): Promise<void> {
  const { field } = database;
  const gone = { 'metadata.model': '', 'metadata.dimensions': '' };
  await updateAll(
    database.collection<ChunkDocument>(name) as never,
    { [field]: { $exists: true }, _vai: { $exists: true } },
    { $unset: { [field]: '', ...gone } },
  );
  await updateAll(
    database.collection(NAMES.words),
    { collection: name, 'metadata.model': { $exists: true } },
    { $unset: gone },
  );
  await updateAll(
    database.collection(NAMES.documents),
    { collection: name, vectors: { $gt: 0 } },
    { $set: { vectors: 0 } },
  );
  await database.own('collections').updateOne({ _id: name }, { $unset: { revectoring: '' } });
  forgetCounts(database);
}
