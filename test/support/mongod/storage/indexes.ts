// Indexes of a collection: unique enforcement, and equality look-up on any prefix of their keys. They hold entries for
// every version of a record, so a reader filters what it finds by what it can see.

import { canonical, indexedValues } from './values.ts';
import type { RecordEntry } from './collection.ts';
import type { Doc } from '../wire/framing.ts';

export interface IndexSpec extends Doc {
  name: string;
  key: Doc;
  unique?: boolean;
}

export interface Index {
  spec: IndexSpec;
  fields: string[];
  /** One map per length of key prefix: canonical key to records. */
  prefixes: Map<string, Set<RecordEntry>>[];
}

export function createIndex(spec: IndexSpec): Index {
  // An index of another kind, for example of vectors, answers no equality.
  const fields = Object.keys(spec.key).filter((field) => typeof spec.key[field] === 'number');
  return { spec, fields, prefixes: fields.map(() => new Map<string, Set<RecordEntry>>()) };
}

/** Keys of a document for the first `length` fields of an index. */
export function keysOf(index: Index, doc: Doc, length = index.fields.length): string[] {
  let keys = [''];
  for (const field of index.fields.slice(0, length)) {
    const values = new Set(indexedValues(doc, field).map(canonical));
    keys = keys.flatMap((key) => [...values].map((value) => `${key}|${value}`));
  }
  return keys;
}

export function addToIndex(index: Index, record: RecordEntry, doc: Doc): void {
  index.prefixes.forEach((map, at) => {
    for (const key of keysOf(index, doc, at + 1)) {
      const set = map.get(key);
      if (set) set.add(record);
      else map.set(key, new Set([record]));
    }
  });
}

/** Takes out the entries of a version that no other version of the record still needs. */
export function removeFromIndex(index: Index, record: RecordEntry, doc: Doc): void {
  const kept = record.versions.map((version) => version.doc);
  if (record.lock) kept.push(record.pending ?? null);
  index.prefixes.forEach((map, at) => {
    const needed = new Set(kept.flatMap((other) => (other ? keysOf(index, other, at + 1) : [])));
    for (const key of keysOf(index, doc, at + 1)) {
      if (needed.has(key)) continue;
      const set = map.get(key);
      set?.delete(record);
      if (set?.size === 0) map.delete(key);
    }
  });
}
