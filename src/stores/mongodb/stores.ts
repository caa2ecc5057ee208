// MongoDB as a place for databases: one pooled client for all of them, made when the first call needs it.

import { checkDatabaseName, DEFAULT_DATABASE } from '../../domain/collection.ts';
import type { Stores } from '../../ports/store.ts';
import { createConnection, type MongoOptions } from './client.ts';
import { describeServer } from './server.ts';
import { createStore, missingUri, type MongodbStore } from './store.ts';

export interface MongodbSettings extends Partial<
  Pick<MongoOptions, 'field' | 'index' | 'filterFields' | 'autoIndex'>
> {
  mongodbUri?: string;
  defaultDb?: string;
}

export interface MongodbStoresInput {
  settings: MongodbSettings;
  now: () => Date;
  /** Time limits, where a test cannot wait for the usual ones. */
  limits?: Pick<MongoOptions, 'selectionMs' | 'operationMs' | 'patienceMs'>;
  /** Logs the server's message when it refuses something. */
  debug?: MongoOptions['debug'];
}

const SYSTEM = new Set(['admin', 'local', 'config']);

export function mongodbStores({ settings, now, limits, debug }: MongodbStoresInput): Stores {
  const { mongodbUri: uri, defaultDb = DEFAULT_DATABASE } = settings;
  if (!uri) throw missingUri();
  const { field = 'embedding', index = 'vector_index', filterFields = [], autoIndex = true } = settings;
  const connection = createConnection({ uri, field, index, filterFields, autoIndex, now, debug, ...limits });
  const opened = new Map<string, MongodbStore>();
  const open = (name: string): MongodbStore => {
    checkDatabaseName(name);
    let store = opened.get(name);
    if (!store) opened.set(name, (store = createStore(connection, name)));
    return store;
  };
  return {
    kind: 'mongodb',
    open: async (name) => open(name),
    restore: async (name, file) => open(name).restore(file),
    list: () =>
      connection.run(async (client) => {
        const { databases } = await client
          .db('admin')
          .admin()
          .listDatabases({ nameOnly: true, authorizedDatabases: true });
        return databases
          .map(({ name }) => name)
          .filter((name) => !SYSTEM.has(name))
          .sort();
      }),
    ping: () => connection.run(async (client) => void (await client.db('admin').command({ ping: 1 }))),
    about: async () => describeServer(await connection.server(defaultDb)),
    async close() {
      opened.clear();
      await connection.close();
    },
  };
}
