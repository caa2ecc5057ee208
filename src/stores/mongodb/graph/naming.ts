// Completing the mention index: which chunks have no names yet, and taking down the names that were found. A document
// counts the chunks at its end that are still to be looked at, so that a long one may be done in parts; names are
// written before the count, and each can be written twice, so that no transaction is needed.

import type { GraphReads, Unnamed } from '../../../ports/graph-store.ts';
import type { Database } from '../client.ts';
import { groupIds } from '../documents.ts';
import { formatChunkId } from '../ids.ts';
import { NAMES, type ChunkDocument, type DocumentDocument, type WordsDocument } from '../layout.ts';

export type Naming = Pick<GraphReads, 'unnamed' | 'name'>;

/** Read at a time, however short they are. */
const MAX_DOCUMENTS = 100;
const MAX_CHUNKS = 400;

export function createNaming(database: Database): Naming {
  const { connection, limits } = database;
  return {
    unnamed: (scope, characters) =>
      connection.run(async () => {
        const owners = await database
          .collection<DocumentDocument>(NAMES.documents)
          .find({ unnamed: { $gt: 0 }, ...(scope ? { collection: { $in: [...scope] } } : {}) }, limits)
          .limit(Math.min(characters, MAX_DOCUMENTS))
          .toArray();
        const found: Unnamed[] = [];
        let room = characters;
        for (const owner of owners) {
          const chunks = await nextChunks(database, owner, room);
          // None, while the collection is being renamed.
          if (chunks.length > 0) found.push({ info: owner, chunks });
          for (const { text } of chunks) room -= text.length;
          if (room <= 0) break;
        }
        return found;
      }),
    name: (keys) =>
      connection.run(async () => {
        for (const [collection, group] of groupIds([...keys.keys()])) {
          const rows = await database
            .collection<WordsDocument>(NAMES.words)
            .find(
              { collection, chunk: { $in: group.map(({ id }) => id) }, staged: { $ne: true } },
              { ...limits, projection: { doc: 1, chunk: 1, ordinal: 1 } },
            )
            .toArray();
          for (const [doc, chunks] of Map.groupBy(rows, (row) => row.doc))
            await nameDocument(
              database,
              doc,
              new Map(
                chunks.map((row) => [row.ordinal, keys.get(formatChunkId(collection, row.chunk)) ?? []]),
              ),
            );
        }
      }),
  };
}

async function nextChunks(
  database: Database,
  owner: DocumentDocument,
  room: number,
): Promise<Unnamed['chunks']> {
  const next = owner.chunks - (owner.unnamed ?? 0);
  const rows = database
    .collection<ChunkDocument>(owner.collection)
    .find(
      { '_vai.doc': owner._id, '_vai.ordinal': { $gte: next } },
      { ...database.limits, projection: { text: 1, '_vai.headingPath': 1 }, batchSize: MAX_CHUNKS },
    )
    .sort({ '_vai.ordinal': 1 })
    .limit(Math.min(room, MAX_CHUNKS));
  const chunks: Unnamed['chunks'] = [];
  let left = room;
  for await (const { _id, text, _vai } of rows) {
    chunks.push({ id: formatChunkId(owner.collection, _id), text, headingPath: _vai.headingPath });
    left -= text.length;
    if (left <= 0) break;
  }
  return chunks;
}

/** The chunks of one version, by their place in it: those that come next get their names. */
async function nameDocument(
  database: Database,
  doc: string,
  keys: ReadonlyMap<number, readonly string[]>,
): Promise<void> {
  const documents = database.collection<DocumentDocument>(NAMES.documents);
  const owner = await documents.findOne({ _id: doc, unnamed: { $gt: 0 } }, database.limits);
  if (!owner) return;
  const before = owner.unnamed!;
  const first = owner.chunks - before;
  let next = first;
  while (keys.has(next)) next += 1;
  if (next === first) return;
  await database.collection<WordsDocument>(NAMES.words).bulkWrite(
    Array.from({ length: next - first }, (_, at) => ({
      updateOne: {
        filter: { _id: `${doc}:${first + at}` },
        update: { $set: { mentions: [...keys.get(first + at)!] } },
      },
    })),
    { ordered: false },
  );
  const left = owner.chunks - next;
  await documents.updateOne(
    // Who came further meanwhile is not put back.
    { _id: doc, unnamed: before },
    left > 0 ? { $set: { unnamed: left } } : { $unset: { unnamed: '' } },
  );
}
