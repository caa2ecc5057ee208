// Applying an update to one document: operators by mingo, replacement, pipeline, and what upsert starts from.

import { aggregate, updateMany, updateOne } from 'mingo';
import { ServerError } from '../errors.ts';
import { canonical, clone, isDoc, setPath } from '../storage/values.ts';
import type { Doc } from '../wire/framing.ts';

export interface UpdateStatement {
  q: Doc;
  u: Doc | Doc[];
  upsert?: boolean;
  multi?: boolean;
  arrayFilters?: Doc[];
  sort?: Doc;
}

export function isReplacement(update: Doc | Doc[]): update is Doc {
  return !Array.isArray(update) && !Object.keys(update)[0]?.startsWith('$');
}

/** The document after the update, or undefined when nothing changed. */
function applyUpdate(doc: Doc, statement: UpdateStatement): Doc | undefined {
  const after = changed(doc, statement, false);
  if (after === doc) return undefined;
  if (canonical(after._id) !== canonical(doc._id))
    throw new ServerError(
      66,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  const sure = !Array.isArray(statement.u) && !isReplacement(statement.u);
  return !sure && canonical(after) === canonical(doc) ? undefined : after;
}

/** The documents after one update of many; mingo prepares its operators once for all of them. */
export function applyToAll(docs: readonly Doc[], statement: UpdateStatement): (Doc | undefined)[] {
  const { u } = statement;
  if (Array.isArray(u) || docs.length < 2 || JSON.stringify(u).includes('.$') || '$setOnInsert' in u)
    return docs.map((doc) => applyUpdate(doc, statement));
  const copies = docs.map(clone);
  try {
    updateMany(copies, {}, u as never, { arrayFilters: statement.arrayFilters, cloneMode: 'deep' });
  } catch (error) {
    throw refused(error);
  }
  return copies.map((copy, at) => (same(copy, docs[at]) ? undefined : copy));
}

/** Structural equality; BSON values are shared between a document and its copy. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => same(item, b[at]));
  if (!isDoc(a) || !isDoc(b)) return canonical(a) === canonical(b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

function refused(error: unknown): ServerError {
  const message = error instanceof Error ? error.message : 'bad update';
  return new ServerError(message.includes('immutable') ? 66 : 9, message);
}

/** What an upsert inserts when nothing matched. */
export function upsertDocument(statement: UpdateStatement, newId: () => unknown): Doc {
  const base: Doc = {};
  collectEqual(statement.q, base);
  const after = changed(base, statement, true);
  if (after._id === undefined) return { _id: base._id ?? newId(), ...after };
  const { _id, ...rest } = after;
  return { _id, ...rest };
}

function changed(doc: Doc, statement: UpdateStatement, inserting: boolean): Doc {
  const { u } = statement;
  if (isReplacement(u)) {
    const id = doc._id ?? u._id;
    return id === undefined ? clone(u) : { _id: id, ...clone(withoutId(u, doc)) };
  }
  const copy = clone(doc);
  if (Array.isArray(u)) {
    const [result] = aggregate([copy], u) as Doc[];
    return result!;
  }
  const { $setOnInsert, ...operators }: Doc = u as Doc;
  if (inserting && isDoc($setOnInsert))
    operators.$set = { ...(operators.$set as Doc | undefined), ...$setOnInsert };
  if (Object.keys(operators).length === 0) return copy;
  const holder = [copy];
  // The positional operator needs the query; anything else must not be tested twice.
  const positional = JSON.stringify(u).includes('.$');
  try {
    const { modifiedCount } = updateOne(holder, positional ? statement.q : {}, operators as never, {
      arrayFilters: statement.arrayFilters,
      cloneMode: 'deep',
    });
    if (modifiedCount === 0 && !inserting) return doc;
  } catch (error) {
    throw refused(error);
  }
  return holder[0]!;
}

function withoutId(update: Doc, doc: Doc): Doc {
  const { _id, ...rest } = update;
  if (_id !== undefined && doc._id !== undefined && canonical(_id) !== canonical(doc._id))
    throw new ServerError(
      66,
      "After applying the update, the (immutable) field '_id' was found to have been altered",
    );
  return rest;
}

function collectEqual(filter: Doc, into: Doc): void {
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and' && Array.isArray(condition))
      for (const part of condition) collectEqual(part as Doc, into);
    if (path.startsWith('$')) continue;
    if (!isDoc(condition)) {
      if (!(condition instanceof RegExp)) setPath(into, path, condition);
    } else if (!Object.keys(condition)[0]?.startsWith('$')) setPath(into, path, condition);
    else if ('$eq' in condition) setPath(into, path, condition.$eq);
  }
}
