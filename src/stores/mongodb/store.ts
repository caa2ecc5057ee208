// One MongoDB database as the engine sees it.

import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import { createCache } from './cache.ts';
import type { Connection } from './client.ts';
import { newOwner } from '../owner.ts';
import { createDatabase } from './database.ts';
import { createCollections } from './collections.ts';
import { createDocuments } from './documents.ts';
import { createGraph } from './graph/index.ts';
import { backup, restore } from './backup.ts';
import { bytesOf, checkHealth, compact } from './health.ts';
import { lock } from './locks.ts';
import { ensureLayout } from './prepare.ts';
import { createSearchIndexes } from './search/indexes.ts';
import { createSearches } from './search/index.ts';
import { createVersions } from './versions.ts';

export interface MongodbStore extends Store {
  /** Fills the database, which must be empty, from what `backup` wrote. */
  restore(file: string): Promise<void>;
}

export function createStore(connection: Connection, name: string): MongodbStore {
  const database = createDatabase(connection, name, ensureLayout);
  const indexes = createSearchIndexes(database);
  const meta = () => database.own('meta');
  return {
    kind: 'mongodb',
    database: name,
    collections: createCollections(database, indexes),
    documents: createDocuments(database),
    search: createSearches(database, indexes),
    graph: createGraph(database),
    versions: createVersions(database),
    cache: createCache(database),
    indexes,
    lock: (lockName, info, ttlMs) => lock(database, { name: lockName, info, ttlMs }),
    getMeta: (key) => database.read(async () => (await meta().findOne({ _id: key }, database.limits))?.value),
    setMeta: (key, value) =>
      database.write(async () => {
        await meta().updateOne({ _id: key }, { $set: { value } }, { upsert: true });
      }),
    ping: () => database.read(async () => void (await database.db().command({ ping: 1 }))),
    check: () => database.read(() => checkHealth(database)),
    bytes: () => database.read(() => bytesOf(database)),
    compact: () => database.write(() => compact(database)),
    backup: (file) => database.read(() => backup(database, file)),
    restore(file) {
      const owner = newOwner();
      return connection.run(() => restore(database, indexes, { file, owner }), 'write');
    },
    // The client is shared by every database of the process and closed with them.
    close: () => Promise.resolve(),
  };
}

export function missingUri(): VaiError {
  return new VaiError('CONFIG_MISSING', 'The MongoDB store is chosen but there is no connection string.', {
    hint: 'Set MONGODB_URI, or run `vai config set mongodb-uri`.',
  });
}
