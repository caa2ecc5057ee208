// The embedded store: one SQLite file per database under `<home>/data`, or elsewhere for databases registered by name.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabaseName } from '../../domain/collection.ts';
import type { Store, Stores } from '../../ports/store.ts';
import { connect, type Connection } from './connection.ts';
import { restoreFile } from './restore.ts';
import { createStore } from './store.ts';

export interface SqliteOptions {
  /** Everything of ours; databases are in its `data` folder. */
  home: string;
  /** Databases that live elsewhere: name and file. */
  external?: ReadonlyMap<string, string>;
  now: () => Date;
}

/** Files beside the databases (logs, copies with odd names) are none of them. */
const OWN_FILE = /^([A-Za-z0-9_-]{1,63})\.db$/;

export function sqliteStores(options: SqliteOptions): Stores {
  const open = new Map<string, { store: Store; connection: Connection }>();
  const folder = join(options.home, 'data');
  const fileOf = (name: string): string => options.external?.get(name) ?? join(folder, `${name}.db`);

  return {
    kind: 'sqlite',
    async open(database) {
      const known = open.get(database);
      if (known?.connection.raw.isOpen) return known.store;
      const connection = connect(database, fileOf(checkDatabaseName(database)));
      const store = createStore(connection, options.now);
      open.set(database, { store, connection });
      return store;
    },
    async restore(database, file) {
      restoreFile(file, fileOf(checkDatabaseName(database)));
    },
    async has(database) {
      return open.has(database) || existsSync(fileOf(checkDatabaseName(database)));
    },
    async list() {
      const names = existsSync(folder) ? readdirSync(folder) : [];
      const own = names.map((name) => OWN_FILE.exec(name)?.[1]).filter((name) => name !== undefined);
      const registered = [...(options.external ?? [])]
        .filter(([, file]) => existsSync(file))
        .map(([name]) => name);
      return [...new Set([...own, ...registered])].sort();
    },
    async ping() {
      for (const { store } of open.values()) await store.ping();
    },
    async close() {
      for (const { store } of open.values()) await store.close();
      open.clear();
    },
  };
}
