// The embedded store: one SQLite file per database under `<home>/data`, or elsewhere for databases registered by name.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabaseName } from '../../domain/collection.ts';
import { VaiError } from '../../domain/errors.ts';
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
  const open = new Map<string, { store: Store; connection: Connection; identity: string }>();
  /** Of files that were replaced: calls may still be using them. */
  const replaced: Store[] = [];
  const folder = join(options.home, 'data');
  const fileOf = (name: string): string => options.external?.get(name) ?? join(folder, `${name}.db`);

  return {
    kind: 'sqlite',
    async open(database) {
      const known = open.get(database);
      const file = fileOf(checkDatabaseName(database));
      if (known?.connection.raw.isOpen) {
        if (identityOf(file) === known.identity) return known.store;
        replaced.push(known.store);
      }
      const connection = connect(database, file);
      const store = createStore(connection, options.now);
      open.set(database, { store, connection, identity: identityOf(file) });
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
      for (const store of [...replaced, ...[...open.values()].map((one) => one.store)]) await store.close();
      open.clear();
    },
  };
}

/** Tells a file from another that was put in its place, which a connection does not notice. */
function identityOf(file: string): string {
  const info = statSync(file, { throwIfNoEntry: false });
  if (info) return `${info.dev}:${info.ino}`;
  throw new VaiError('STORE_CORRUPT', 'The file of the database was moved or removed.', {
    hint: 'Put it back, `vai restore` a backup, or restart to begin with an empty one.',
  });
}
