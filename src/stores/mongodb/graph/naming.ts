// Completing the mention index: which chunks have no names yet, and taking down the names that were found. A document
// counts the chunks at its end that are still to be looked at, so that a long one may be done in parts; names are
// written before the count, and each can be written twice, so that no transaction is needed. Few round trips, however
// many documents there are.

import type { GraphReads, Unnamed } from '../../../ports/graph-store.ts';
import type { Database } from '../database.ts';
import { groupIds } from '../documents.ts';
import { inScope } from '../filter.ts';
import { formatChunkId } from '../ids.ts';
import { type ChunkDocument, type DocumentDocument, type WordsDocument } from '../layout.ts';

export type Naming = Pick<GraphReads, 'unnamed' | 'name'>;

/** Read at a time, however short they are. */
const MAX_DOCUMENTS = 100;
const MAX_CHUNKS = 400;

export function createNaming(database: Database): Naming {
  const { limits } = database;
  return {
    unnamed: (scope, characters) =>
      database.read(async () => {
        const owners = await database
          .own('documents')
          .find({ unnamed: { $gt: 0 }, ...inScope(scope) }, limits)
          .limit(Math.min(characters, MAX_DOCUMENTS))
          .toArray();
        const found: Unnamed[] = [];
        let room = characters;
        for (const [collection, group] of Map.groupBy(owners, (owner) => owner.collection)) {
          const parts = await nextChunks(database, { collection, owners: enough(group, room), room });
          found.push(...parts);
          for (const { chunks } of parts) for (const { text } of chunks) room -= text.length;
          if (room <= 0) break;
        }
        return found;
      }),
    name: (keys) =>
      database.write(async () => {
        for (const [collection, group] of groupIds([...keys.keys()])) {
          const rows = await database
            .own('words')
            .find(
              { collection, chunk: { $in: group.map(({ id }) => id) }, staged: { $ne: true } },
              { ...limits, projection: { doc: 1, chunk: 1, ordinal: 1 } },
            )
            .toArray();
          await nameChunks(database, rows, (row) => keys.get(formatChunkId(collection, row.chunk)) ?? []);
        }
      }),
  };
}

/** As many as are likely to fill the room. */
function enough(owners: readonly DocumentDocument[], room: number): DocumentDocument[] {
  let left = room;
  return owners.filter(({ bytes, chunks, unnamed = 0 }) => {
    const wanted = left > 0;
    left -= (bytes * unnamed) / chunks;
    return wanted;
  });
}

async function nextChunks(
  database: Database,
  { collection, owners, room }: { collection: string; owners: readonly DocumentDocument[]; room: number },
): Promise<Unnamed[]> {
  const rows = database
    .collection<ChunkDocument>(collection)
    .find(
      {
        $or: owners.map(({ _id, chunks, unnamed = 0 }) => ({
          '_vai.doc': _id,
          '_vai.ordinal': { $gte: chunks - unnamed },
        })),
      },
      {
        ...database.limits,
        projection: { text: 1, '_vai.doc': 1, '_vai.headingPath': 1 },
        batchSize: MAX_CHUNKS,
      },
    )
    .sort({ '_vai.doc': 1, '_vai.ordinal': 1 })
    .limit(Math.min(room, MAX_CHUNKS));
  const found = new Map<string, Unnamed>();
  let left = room;
  for await (const { _id, text, _vai } of rows) {
    let part = found.get(_vai.doc);
    if (!part) {
      const owner = owners.find((one) => one._id === _vai.doc)!;
      found.set(_vai.doc, (part = { info: owner, chunks: [] }));
    }
    part.chunks.push({ id: formatChunkId(collection, _id), text, headingPath: _vai.headingPath });
    left -= text.length;
    if (left <= 0) break;
  }
  return [...found.values()];
}

/** The chunks that come next in their document get their names. */
async function nameChunks(
  database: Database,
  rows: readonly WordsDocument[],
  namesOf: (row: WordsDocument) => readonly string[],
): Promise<void> {
  const documents = database.own('documents');
  const versions = Map.groupBy(rows, (row) => row.doc);
  const owners = await documents
    .find({ _id: { $in: [...versions.keys()] }, unnamed: { $gt: 0 } }, database.limits)
    .toArray();
  const parts = owners.map((owner) => {
    const given = new Map(versions.get(owner._id)!.map((row) => [row.ordinal, row]));
    const before = owner.unnamed!;
    const next: WordsDocument[] = [];
    for (let row = given.get(owner.chunks - before); row; row = given.get(row.ordinal + 1)) next.push(row);
    return { doc: owner._id, before, next };
  });
  const names = parts.flatMap(({ next }) => next);
  if (names.length === 0) return;
  await database.own('words').bulkWrite(
    names.map((row) => ({
      updateOne: { filter: { _id: row._id }, update: { $set: { mentions: [...namesOf(row)] } } },
    })),
    { ordered: false },
  );
  await documents.bulkWrite(
    parts.map(({ doc, before, next }) => {
      const left = before - next.length;
      return {
        updateOne: {
          // Who came further meanwhile is not put back.
          filter: { _id: doc, unnamed: before },
          update: left > 0 ? { $set: { unnamed: left } } : { $unset: { unnamed: '' } },
        },
      };
    }),
    { ordered: false },
  );
}
