// Query predicates by mingo, compiled once per filter, and the choice of records an equality can narrow a query to.

import { Query } from 'mingo';
import { ServerError } from '../errors.ts';
import { canonical, isDoc } from '../storage/values.ts';
import { visible, type Transaction } from '../storage/transactions.ts';
import type { Collection, RecordEntry } from '../storage/collection.ts';
import type { Doc } from '../wire/framing.ts';

export interface Reader {
  transaction: Transaction | undefined;
  /** Throws when the operation's time is up. */
  check(): void;
}

const compiled = new WeakMap<Doc, Query>();

function compile(filter: Doc): Query {
  let query = compiled.get(filter);
  if (!query) {
    try {
      query = new Query(filter);
    } catch (error) {
      throw new ServerError(2, error instanceof Error ? error.message : 'bad query');
    }
    compiled.set(filter, query);
  }
  return query;
}

export function matches(doc: Doc, filter: Doc): boolean {
  return compile(filter).test(doc);
}

/** Records whose visible document passes the filter, with that document. */
export function* matching(
  collection: Collection,
  filter: Doc,
  reader: Reader,
): Generator<[RecordEntry, Doc]> {
  const query = compile(filter);
  let seen = 0;
  for (const record of candidates(collection, filter)) {
    if ((++seen & 63) === 0) reader.check();
    const doc = visible(record, reader.transaction);
    if (doc && query.test(doc)) yield [record, doc];
  }
}

/** A superset of the records that can match, as small as one equality on `_id` or an index prefix makes it. */
function candidates(collection: Collection, filter: Doc): Iterable<RecordEntry> {
  const equal = new Map<string, string[]>();
  collectEqualities(filter, equal);
  const ids = equal.get('_id');
  if (ids) return ids.flatMap((id) => collection.records.get(id) ?? []);
  let best: { index: RecordEntry[]; depth: number } | undefined;
  for (const index of collection.indexes.values()) {
    if (index.spec.name === '_id_') continue;
    let keys = [''];
    let depth = 0;
    for (const field of index.fields) {
      const values = equal.get(field);
      if (!values || keys.length * values.length > 20_000) break;
      keys = keys.flatMap((key) => values.map((value) => `${key}|${value}`));
      depth += 1;
    }
    if (depth === 0 || depth <= (best?.depth ?? 0)) continue;
    const found = new Set<RecordEntry>();
    for (const key of keys) for (const record of index.prefixes[depth - 1]!.get(key) ?? []) found.add(record);
    best = { index: [...found], depth };
  }
  return best?.index ?? [...collection.records.values()];
}

function collectEqualities(filter: Doc, into: Map<string, string[]>): void {
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and' && Array.isArray(condition)) {
      for (const part of condition) if (isDoc(part)) collectEqualities(part, into);
      continue;
    }
    if (path.startsWith('$')) continue;
    const values = equalTo(condition);
    const before = into.get(path);
    if (values && (!before || values.length < before.length)) into.set(path, values);
  }
}

function equalTo(condition: unknown): string[] | undefined {
  if (condition instanceof RegExp || Array.isArray(condition)) return undefined;
  if (!isDoc(condition)) return [canonical(condition)];
  const operators = Object.keys(condition);
  if (!operators[0]?.startsWith('$')) return [canonical(condition)];
  if ('$eq' in condition) return equalTo(condition.$eq);
  if (Array.isArray(condition.$in)) {
    const all = condition.$in.map((value: unknown) => (isDoc(value) ? undefined : equalTo(value)));
    return all.every((value) => value !== undefined) ? [...new Set(all.flat())] : undefined;
  }
  return undefined;
}
