// Keeps the data across a restart or a kill: each commit is one BSON entry, appended before the client hears of it.
// An entry that a kill cut short is ignored, so a transaction is on disk whole or not at all. No fsync: this survives
// the death of the process, not of the machine.

import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { commitVersion, buildIndex, createCollection, prune, type RecordEntry } from './collection.ts';
import { addToIndex, type IndexSpec } from './indexes.ts';
import { decode, encode, type Doc } from '../wire/framing.ts';
import { restoreSearchIndex } from '../search/indexes.ts';
import type { Catalog } from './catalog.ts';

export interface Journal {
  append(entries: Doc[]): void;
}

export function openJournal(file: string, catalog: Catalog): Journal {
  if (existsSync(file)) replay(file, catalog);
  return { append: (entries) => appendFileSync(file, encode({ entries })) };
}

function replay(file: string, catalog: Catalog): void {
  const bytes = readFileSync(file);
  let at = 0;
  while (at + 4 <= bytes.length) {
    const size = bytes.readInt32LE(at);
    if (size < 5 || at + size > bytes.length) break;
    const { entries } = decode(bytes.subarray(at, at + size)) as { entries: Doc[] };
    for (const entry of entries) apply(catalog, entry);
    at += size;
  }
  if (at < bytes.length) truncateSync(file, at);
}

function apply(catalog: Catalog, entry: Doc): void {
  const db = entry.db as string;
  let collections = catalog.databases.get(db);
  if (!collections) catalog.databases.set(db, (collections = new Map()));
  if (typeof entry.create === 'string') {
    collections.set(entry.create, createCollection(db, entry.create, entry.options as Doc));
    return;
  }
  if (typeof entry.drop === 'string') {
    collections.delete(entry.drop);
    if (collections.size === 0) catalog.databases.delete(db);
    return;
  }
  const name = (entry.put ?? entry.collection) as string;
  const collection = collections.get(name);
  if (!collection) return;
  if (entry.put !== undefined) {
    const key = entry.key as string;
    const doc = entry.doc as Doc | null;
    const record: RecordEntry = collection.records.get(key) ?? {
      collection,
      key,
      versions: [],
      lock: undefined,
      pending: undefined,
    };
    collection.records.set(key, record);
    if (doc)
      for (const index of collection.indexes.values())
        if (index.spec.name !== '_id_') addToIndex(index, record, doc);
    catalog.clock.now += 1;
    commitVersion(record, doc, catalog.clock.now);
    prune(record, catalog.clock);
  } else if (entry.index !== undefined) {
    buildIndex(collection, entry.index as IndexSpec);
  } else if (typeof entry.dropIndex === 'string') {
    collection.indexes.delete(entry.dropIndex);
  } else if (entry.searchIndex !== undefined) {
    restoreSearchIndex(collection, entry.searchIndex as Doc);
  } else if (typeof entry.dropSearchIndex === 'string') {
    collection.searchIndexes.delete(entry.dropSearchIndex);
  } else if (typeof entry.rename === 'string') {
    collections.delete(name);
    collection.name = entry.rename;
    collections.set(entry.rename, collection);
  }
}
