// Older texts of documents and the history of updates.

import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import type { HistoryEvent, Versions } from '../../ports/store.ts';
import type { Database } from './database.ts';
import { type ArchiveDocument } from './layout.ts';
import { insertAll } from './staging.ts';
import { piecesOf, readText } from './text.ts';

const MAX_HISTORY_PER_COLLECTION = 1000;

export function createVersions(database: Database): Versions {
  const archived = (collection: string, path: string, session?: ClientSession): Promise<ArchiveDocument[]> =>
    database
      .own('archive')
      .find({ collection, path }, { ...database.limits, session })
      .sort({ order: -1 })
      .toArray();
  return {
    list: (collection, path) =>
      database.read(async () =>
        (await archived(collection, path)).map(
          ({ sha256, fetchedAt, archivedAt, lines, headings, bytes }) => ({
            sha256,
            fetchedAt,
            archivedAt,
            lines,
            headings,
            bytes,
          }),
        ),
      ),
    text: (collection, path, shaPrefix) =>
      database.read(async () => {
        const versions = await archived(collection, path);
        const found = versions.find((version) => version.sha256.startsWith(shaPrefix.toLowerCase()));
        return found && readText(database, found._id);
      }),
    pathsOf: (collection, shaPrefix) =>
      database.read(async () => {
        const from = shaPrefix.toLowerCase();
        const wanted = { collection, sha256: { $gte: from, $lt: `${from}g` } };
        const options = { ...database.limits, projection: { path: 1 } };
        const [present, past] = await Promise.all([
          database.own('documents').find(wanted, options).toArray(),
          database.own('archive').find(wanted, options).toArray(),
        ]);
        return [...new Set([...present, ...past].map(({ path }) => path))];
      }),
    keep: (collection, path, { text, ...version }) =>
      database.transaction(async (session) => {
        const _id = randomUUID();
        const [newest] = await archived(collection, path, session);
        const row = { ...version, _id, collection, path, order: (newest?.order ?? 0) + 1 };
        await database.own('archive').insertOne(row, { session });
        await insertAll(database.own('texts'), piecesOf(_id, text), session);
      }),
    history: (collection, limit) =>
      database.read(async () => {
        const rows = await database
          .own('history')
          .find(collection === undefined ? {} : { collection }, database.limits)
          .sort({ order: -1 })
          .limit(limit)
          .toArray();
        return rows.map((row) => row.event);
      }),
    record: (event) => database.transaction((session) => recordEvent(database, event, session)),
  };
}

export async function recordEvent(
  database: Database,
  event: HistoryEvent,
  session: ClientSession,
): Promise<void> {
  const history = database.own('history');
  const order = nextOrder(database);
  await history.insertOne({ collection: event.collection, order, at: database.now(), event }, { session });
  // Looked at now and then: the log of a watched folder must not grow for ever.
  if (order % 100 !== 0) return;
  const [oldest] = await history
    .find({ collection: event.collection }, { session })
    .sort({ order: -1 })
    .skip(MAX_HISTORY_PER_COLLECTION)
    .limit(1)
    .toArray();
  if (oldest)
    await history.deleteMany({ collection: event.collection, order: { $lte: oldest.order } }, { session });
}

let last = 0;

/** Rises within a process and follows the clock between processes. */
export function nextOrder(database: Database): number {
  last = Math.max(last + 1, database.now().getTime() * 1000);
  return last;
}
