// Databases and collections of the stand-in, and the end of a transaction: everything it wrote becomes visible at one
// moment and is journalled as one entry, or none of it.

import {
  commitVersion,
  createCollection,
  drop,
  prune,
  unindex,
  type Collection,
  type RecordEntry,
  type WriteEnv,
} from './collection.ts';
import { createClock, type Clock, type Transaction } from './transactions.ts';
import { ServerError } from '../errors.ts';
import type { Journal } from './journal.ts';
import type { Doc } from '../wire/framing.ts';

export interface Catalog {
  readonly clock: Clock;
  readonly databases: Map<string, Map<string, Collection>>;
  journal: Journal | undefined;
}

export function createCatalog(): Catalog {
  return { clock: createClock(), databases: new Map(), journal: undefined };
}

export function findCollection(catalog: Catalog, db: string, name: string): Collection | undefined {
  return catalog.databases.get(db)?.get(name);
}

/** The collection, made on the first write as MongoDB does. */
export function ensureCollection(
  catalog: Catalog,
  namespace: { db: string; name: string; options?: Doc },
  transaction?: Transaction,
): Collection {
  const { db, name, options } = namespace;
  const found = findCollection(catalog, db, name);
  if (found) return found;
  if (!name || name.includes('$') || name.includes('\0') || name.startsWith('.'))
    throw new ServerError(73, `Invalid namespace specified '${db}.${name}'`);
  const made = createCollection(db, name, options);
  made.createdBy = transaction;
  transaction?.created.add(made);
  let collections = catalog.databases.get(db);
  if (!collections) catalog.databases.set(db, (collections = new Map<string, Collection>()));
  collections.set(name, made);
  if (!transaction) catalog.journal?.append([{ create: name, db, options: options ?? {} }]);
  return made;
}

export function dropCollection(catalog: Catalog, collection: Collection): void {
  const collections = catalog.databases.get(collection.db);
  collections?.delete(collection.name);
  if (collections?.size === 0) catalog.databases.delete(collection.db);
  catalog.journal?.append([{ drop: collection.name, db: collection.db }]);
}

export function writeEnv(catalog: Catalog, transaction: Transaction | undefined): WriteEnv {
  return {
    clock: catalog.clock,
    transaction,
    onCommit: (records) => catalog.journal?.append([...records].map(recordEntry)),
  };
}

function recordEntry(record: RecordEntry): Doc {
  const { db, name } = record.collection;
  return { put: name, db, key: record.key, doc: record.versions[0]?.doc ?? null };
}

export function commitTransaction(catalog: Catalog, transaction: Transaction): void {
  catalog.clock.now += 1;
  const entries: Doc[] = [...transaction.created].map((c) => ({
    create: c.name,
    db: c.db,
    options: c.options,
  }));
  for (const record of transaction.writes) {
    commitVersion(record, record.pending ?? null, catalog.clock.now);
    record.lock = undefined;
    record.pending = undefined;
    entries.push(recordEntry(record));
  }
  for (const collection of transaction.created) collection.createdBy = undefined;
  if (entries.length) catalog.journal?.append(entries);
  finish(catalog, transaction, 'committed');
}

export function abortTransaction(catalog: Catalog, transaction: Transaction): void {
  if (transaction.state !== 'active') return;
  for (const record of transaction.writes) {
    const doc = record.pending;
    record.lock = undefined;
    record.pending = undefined;
    if (doc) unindex(record, doc);
    drop(record);
  }
  for (const collection of transaction.created) catalog.databases.get(collection.db)?.delete(collection.name);
  finish(catalog, transaction, 'aborted');
}

function finish(catalog: Catalog, transaction: Transaction, state: 'committed' | 'aborted'): void {
  transaction.state = state;
  catalog.clock.active.delete(transaction);
  for (const collections of catalog.databases.values())
    for (const collection of collections.values())
      for (const record of [...collection.stale, ...transaction.writes])
        if (record.collection === collection) prune(record, catalog.clock);
  transaction.end();
}
