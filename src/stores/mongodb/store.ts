// One MongoDB database as the engine sees it.

import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import { createCache } from './cache.ts';
import { createDatabase, type Connection } from './client.ts';
import { createCollections } from './collections.ts';
import { createDocuments } from './documents.ts';
import { createGraph } from './graph/index.ts';
import { backup, bytesOf, checkHealth, compact } from './health.ts';
import { ensureLayout, NAMES } from './layout.ts';
import { takeLock } from './locks.ts';
import { createIndexBook } from './search/indexes.ts';
import { createSearches } from './search/index.ts';
import { createVersions } from './versions.ts';

interface MetaDocument {
  _id: string;
  value: string;
}

export function createStore(connection: Connection, name: string): Store {
  const database = createDatabase(connection, name);
  const book = createIndexBook(database);
  let layout: Promise<void> | undefined;
  /** Our own collections exist; asked before every kind of write, done once. */
  const ready = (): Promise<void> =>
    (layout ??= ensureLayout(database).catch((thrown: unknown) => {
      layout = undefined;
      throw thrown;
    }));
  const meta = () => database.collection<MetaDocument>(NAMES.meta);
  return {
    kind: 'mongodb',
    database: name,
    collections: createCollections(database, book, ready),
    documents: createDocuments(database, ready),
    search: createSearches(database, book),
    graph: createGraph(database),
    versions: createVersions(database),
    cache: createCache(database, ready),
    indexes: book,
    async lock(lockName, info, ttlMs) {
      await connection.run(ready);
      return takeLock(database, { name: lockName, info, ttlMs });
    },
    getMeta: (key) =>
      connection.run(async () => (await meta().findOne({ _id: key }, database.limits))?.value),
    setMeta: (key, value) =>
      connection.run(async () => {
        await ready();
        await meta().updateOne({ _id: key }, { $set: { value } }, { upsert: true });
      }),
    ping: () => connection.run(async () => void (await database.db().command({ ping: 1 }))),
    check: () => connection.run(() => checkHealth(database)),
    bytes: () => connection.run(() => bytesOf(database)),
    compact: () => connection.run(() => compact(database)),
    backup: (file) => connection.run(() => backup(database, file)),
    // The client is shared by every database of the process and closed with them.
    close: () => Promise.resolve(),
  };
}

export function missingUri(): VaiError {
  return new VaiError('CONFIG_MISSING', 'The MongoDB store is chosen but there is no connection string.', {
    hint: 'Set MONGODB_URI, or run `vai config set mongodb-uri`.',
  });
}
