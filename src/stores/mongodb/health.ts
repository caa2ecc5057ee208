// Whether a database is sound, how big it is, and putting right what a killed process left: chunks never published,
// texts that no document or version owns.

import { inGroups } from '../../domain/few-at-a-time.ts';
import type { StoreHealth } from '../../ports/store.ts';
import { isPartial } from './backup.ts';
import { deleteAll, idBatches } from './batches.ts';
import type { Database } from './database.ts';
import { sha256 } from './ids.ts';
import { NAMES, type ChunkDocument } from './layout.ts';
import { finishPending } from './lifecycle.ts';
import { readText } from './text.ts';

const MAX_PROBLEMS = 20;

export async function checkHealth(database: Database): Promise<StoreHealth> {
  const problems: string[] = [];
  if (await isPartial(database))
    problems.push('a restore is under way or was cut short; `vai restore` begins it anew');
  const documents = database.own('documents');
  for (const name of await ownCollections(database)) {
    const chunks = database.collection<ChunkDocument>(name);
    const counts = new Map<string, number>();
    const rows = chunks.aggregate<{ _id: string; n: number; staged: number }>(
      [
        { $match: { _vai: { $exists: true } } },
        { $group: { _id: '$_vai.doc', n: { $sum: 1 }, staged: { $sum: { $cond: ['$_vai.staged', 1, 0] } } } },
      ],
      { allowDiskUse: true },
    );
    let staged = 0;
    for await (const row of rows) {
      counts.set(row._id, row.n - row.staged);
      staged += row.staged;
    }
    let texts = 0;
    let incomplete = 0;
    for await (const row of documents.find({ collection: name })) {
      if ((counts.get(row._id) ?? 0) !== row.chunks) incomplete += 1;
      counts.delete(row._id);
      if (sha256(await readText(database, row._id)) !== row.sha256) texts += 1;
    }
    const words = await database.own('words').countDocuments({ collection: name, staged: { $ne: true } });
    const chunkCount = await chunks.countDocuments({ _vai: { $exists: true }, '_vai.staged': { $ne: true } });
    if (words !== chunkCount) problems.push(`\`${name}\` has ${chunkCount} chunks and words for ${words}`);
    const strays = [...counts.values()].filter((n) => n > 0).length;
    if (incomplete) problems.push(`${incomplete} documents of \`${name}\` whose chunks are not complete`);
    if (texts) problems.push(`${texts} documents of \`${name}\` whose text does not match its hash`);
    if (strays) problems.push(`${strays} versions of documents in \`${name}\` that nothing owns`);
    if (staged)
      problems.push(
        `${staged} chunks of \`${name}\` left by an ingest that was stopped; \`vai compact\` removes them`,
      );
  }
  const loose = await unowned(database, await versionsIn(database, NAMES.texts, 'doc'));
  if (loose.length) problems.push(`${loose.length} texts that no document owns`);
  return { ok: problems.length === 0, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** Which versions of documents something is there of. */
async function versionsIn(database: Database, store: string, path: string): Promise<string[]> {
  const rows = database
    .collection(store)
    .aggregate<{ _id: string }>(
      [{ $match: { [path]: { $exists: true } } }, { $group: { _id: `$${path}` } }],
      {
        allowDiskUse: true,
      },
    );
  return (await rows.toArray()).map(({ _id }) => _id);
}

/** Those that belong to no document and no older text. Asked afterwards: what is written meanwhile has its document. */
async function unowned(database: Database, versions: readonly string[]): Promise<string[]> {
  const owned = new Set<string>();
  for (const store of [NAMES.documents, NAMES.archive])
    for await (const ids of idBatches(database.collection(store), {})) for (const id of ids) owned.add(id);
  return versions.filter((version) => !owned.has(version));
}

/** Names of the collections of ours, in order. */
async function ownCollections(database: Database): Promise<string[]> {
  const rows = await database
    .own('collections')
    .find({ removing: { $exists: false } }, { ...database.limits, projection: { _id: 1 } })
    .sort({ _id: 1 })
    .toArray();
  return rows.map((row) => row._id);
}

export async function compact(database: Database): Promise<void> {
  await finishPending(database);
  const stores: [name: string, path: string][] = [
    [NAMES.words, 'doc'],
    [NAMES.postings, 'doc'],
    [NAMES.texts, 'doc'],
    [NAMES.headings, 'doc'],
  ];
  for (const name of await ownCollections(database)) {
    await deleteAll(database.collection(name), { '_vai.staged': true });
    for (const store of [NAMES.words, NAMES.postings])
      await deleteAll(database.collection(store), { collection: name, staged: true });
    stores.push([name, '_vai.doc']);
  }
  for (const [name, path] of stores) {
    const loose = await unowned(database, await versionsIn(database, name, path));
    for (const some of inGroups(loose, 1000))
      await deleteAll(database.collection(name), { [path]: { $in: some } });
  }
}

export async function bytesOf(database: Database): Promise<number> {
  const stats = (await database.db().command({ dbStats: 1, ...database.limits })) as {
    storageSize?: number;
    indexSize?: number;
  };
  return (stats.storageSize ?? 0) + (stats.indexSize ?? 0);
}
