// One collection in memory: records with their versions, and the indexes over them. Stored documents are never changed
// in place, so readers, cursors and caches may keep them.

import { randomUUID } from 'node:crypto';
import { Blocked, ServerError, writeConflict } from '../errors.ts';
import { addToIndex, createIndex, keysOf, removeFromIndex, type Index, type IndexSpec } from './indexes.ts';
import { claim, horizon, visible, type Clock, type Transaction } from './transactions.ts';
import { canonical, valuesAt } from './values.ts';
import type { SearchIndex } from '../search/indexes.ts';
import type { Doc } from '../wire/framing.ts';

interface Version {
  doc: Doc | null;
  /** Logical commit time. */
  time: number;
}

export interface RecordEntry {
  readonly collection: Collection;
  readonly key: string;
  /** Newest first. */
  versions: Version[];
  lock: Transaction | undefined;
  pending: Doc | null | undefined;
}

export interface Collection {
  readonly db: string;
  name: string;
  readonly uuid: string;
  readonly options: Doc;
  readonly records: Map<string, RecordEntry>;
  readonly indexes: Map<string, Index>;
  readonly searchIndexes: Map<string, SearchIndex>;
  /** Records whose old versions wait for a reader to finish. */
  readonly stale: Set<RecordEntry>;
  createdBy: Transaction | undefined;
}

export interface WriteEnv {
  clock: Clock;
  transaction: Transaction | undefined;
  /** Told of every committed change outside a transaction. */
  onCommit(records: Iterable<RecordEntry>): void;
}

export function createCollection(db: string, name: string, options: Doc = {}): Collection {
  const collection: Collection = {
    db,
    name,
    uuid: randomUUID(),
    options,
    records: new Map(),
    indexes: new Map(),
    searchIndexes: new Map(),
    stale: new Set(),
    createdBy: undefined,
  };
  collection.indexes.set('_id_', createIndex({ v: 2, key: { _id: 1 }, name: '_id_' }));
  return collection;
}

export function* documents(collection: Collection, transaction: Transaction | undefined): Generator<Doc> {
  for (const record of collection.records.values()) {
    const doc = visible(record, transaction);
    if (doc) yield doc;
  }
}

export function insertDocument(collection: Collection, doc: Doc, env: WriteEnv): void {
  const key = canonical(doc._id);
  const record = collection.records.get(key) ?? newRecord(collection, key);
  try {
    claim(record, env.transaction);
    if (visible(record, env.transaction)) throw duplicate(collection, collection.indexes.get('_id_')!, doc);
    write(record, doc, env);
  } finally {
    drop(record);
  }
}

export function writeDocument(record: RecordEntry, doc: Doc | null, env: WriteEnv): void {
  claim(record, env.transaction);
  write(record, doc, env);
}

function newRecord(collection: Collection, key: string): RecordEntry {
  const record: RecordEntry = { collection, key, versions: [], lock: undefined, pending: undefined };
  collection.records.set(key, record);
  return record;
}

function write(record: RecordEntry, doc: Doc | null, env: WriteEnv): void {
  const { collection } = record;
  if (doc) checkUnique(record, doc, env);
  if (doc)
    for (const index of collection.indexes.values())
      if (index.spec.name !== '_id_') addToIndex(index, record, doc);
  if (env.transaction) {
    const before = record.pending;
    record.lock = env.transaction;
    record.pending = doc;
    env.transaction.writes.add(record);
    if (before) unindex(record, before);
    return;
  }
  env.clock.now += 1;
  commitVersion(record, doc, env.clock.now);
  prune(record, env.clock);
  env.onCommit([record]);
}

export function commitVersion(record: RecordEntry, doc: Doc | null, time: number): void {
  record.versions.unshift({ doc, time });
}

/** Forgets versions that nobody can read any more. */
export function prune(record: RecordEntry, clock: Clock): void {
  const oldest = horizon(clock);
  const last = record.versions.findIndex((version) => version.time <= oldest);
  const gone = last === -1 ? [] : record.versions.splice(last + 1);
  const only = record.versions.length === 1 ? record.versions[0]! : undefined;
  if (only?.doc === null && last === 0 && !record.lock) record.versions.length = 0;
  for (const version of gone) if (version.doc) unindex(record, version.doc);
  const settled =
    record.versions.length === 0 || (record.versions.length === 1 && record.versions[0]!.doc !== null);
  if (settled) record.collection.stale.delete(record);
  else record.collection.stale.add(record);
  drop(record);
}

export function unindex(record: RecordEntry, doc: Doc): void {
  for (const index of record.collection.indexes.values())
    if (index.spec.name !== '_id_') removeFromIndex(index, record, doc);
}

/** Removes a record that no version and no transaction holds. */
export function drop(record: RecordEntry): void {
  if (record.versions.length === 0 && !record.lock) record.collection.records.delete(record.key);
}

function checkUnique(record: RecordEntry, doc: Doc, env: WriteEnv): void {
  const { collection } = record;
  for (const index of collection.indexes.values()) {
    if (!index.spec.unique) continue;
    const holds = (other: Doc | null | undefined, key: string): boolean =>
      !!other && keysOf(index, other).includes(key);
    for (const key of keysOf(index, doc))
      for (const other of index.prefixes.at(-1)!.get(key) ?? []) {
        if (other === record) continue;
        const committed = other.versions[0];
        const foreign = other.lock !== undefined && other.lock !== env.transaction;
        if (foreign && (holds(other.pending, key) || holds(committed?.doc, key))) {
          if (env.transaction) throw writeConflict();
          throw new Blocked(other.lock!.ended);
        }
        const current = other.lock === env.transaction && other.lock ? other.pending : committed?.doc;
        if (!holds(current, key)) continue;
        if (env.transaction && !other.lock && (committed?.time ?? 0) > env.transaction.snapshot)
          throw writeConflict(true);
        throw duplicate(collection, index, doc);
      }
  }
}

function duplicate(collection: Collection, index: Index, doc: Doc): ServerError {
  const keyValue: Doc = {};
  for (const field of index.fields) keyValue[field] = valuesAt(doc, field)[0] ?? null;
  const shown = Object.entries(keyValue)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
  return new ServerError(
    11000,
    `E11000 duplicate key error collection: ${collection.db}.${collection.name} index: ${index.spec.name} dup key: { ${shown} }`,
    { extra: { keyPattern: index.spec.key, keyValue } },
  );
}

/** Adds an index and fills it; a unique one refuses data that already clashes. */
export function buildIndex(collection: Collection, spec: IndexSpec): void {
  const index = createIndex(spec);
  for (const record of collection.records.values()) {
    for (const version of record.versions) if (version.doc) addToIndex(index, record, version.doc);
    if (record.pending) addToIndex(index, record, record.pending);
  }
  if (spec.unique) {
    const seen = new Map<string, RecordEntry>();
    for (const record of collection.records.values()) {
      const doc = record.versions[0]?.doc;
      if (!doc) continue;
      for (const key of new Set(keysOf(index, doc))) {
        if (seen.has(key)) throw duplicate(collection, index, doc);
        seen.set(key, record);
      }
    }
  }
  collection.indexes.set(spec.name, index);
}
