// One database with everything the modules of the store share.

import type { ClientSession, Collection, Db, Document } from 'mongodb';
import { once } from '../../domain/once.ts';
import type { Connection, Limits } from './client.ts';
import { NAMES, type Owned } from './layout.ts';
import { readOnlyServer, type Server } from './server.ts';

export interface Database {
  readonly name: string;
  readonly connection: Connection;
  readonly limits: Limits;
  /** Of the vector in a chunk. */
  readonly field: string;
  /** A user's collection of chunks, or one that is chosen by its name. */
  collection<T extends Document>(name: string): Collection<T>;
  /** One of our own. */
  own<Name extends keyof Owned>(name: Name): Collection<Owned[Name]>;
  db(): Db;
  now(): Date;
  server(): Promise<Server>;
  /** Work that reads. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /** Work that writes: the server is one that can be written to, and our own collections exist. */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** The same, repeated as a whole after a conflict, a lost connection or a change of primary. */
  patiently<T>(work: (attempt: number) => Promise<T>): Promise<T>;
  /** The same in one transaction. */
  transaction<T>(work: (session: ClientSession, attempt: number) => Promise<T>): Promise<T>;
  /**
   * Collections of chunks this process has prepared, with the length of their vectors; asking the server again for every
   * document would be slow.
   */
  readonly prepared: Map<string, number | undefined>;
}

export function createDatabase(
  connection: Connection,
  name: string,
  prepare: (database: Database) => Promise<void>,
): Database {
  const server = (): Promise<Server> => connection.server(name);
  /** Asked before every write, done once. */
  const ready = once(async () => {
    if (!(await server()).transactions) throw readOnlyServer();
    await prepare(database);
  });
  const patiently: Database['patiently'] = (work) =>
    connection.patiently(async (attempt) => {
      await ready();
      return work(attempt);
    });
  const database: Database = {
    name,
    connection,
    limits: connection.limits,
    field: connection.options.field,
    now: () => connection.now(),
    prepared: new Map(),
    server,
    read: (work) => connection.run(work),
    write: (work) =>
      connection.run(async () => {
        await ready();
        return work();
      }, 'write'),
    patiently,
    transaction: (work) => patiently((attempt) => connection.attempt((session) => work(session, attempt))),
    db: () => connection.database(name),
    collection: <T extends Document>(collection: string) =>
      connection.database(name).collection<T>(collection),
    own: (own) => connection.database(name).collection(NAMES[own]),
  };
  return database;
}
