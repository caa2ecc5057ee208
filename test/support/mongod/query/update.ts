// Applying an update to one document: operators by mingo, replacement, and what upsert starts from.

import { updateMany, updateOne } from 'mingo';
import { ServerError } from '../errors.ts';
import { canonical, clone, isDoc, setPath } from '../storage/values.ts';
import type { Doc } from '../wire/framing.ts';

export interface UpdateStatement {
  q: Doc;
  u: Doc;
  upsert?: boolean;
  multi?: boolean;
}

export function isReplacement(update: Doc): boolean {
  return !Object.keys(update)[0]?.startsWith('$');
}

/** The document after the update, or undefined when nothing changed. */
function applyUpdate(doc: Doc, update: Doc): Doc | undefined {
  const after = changed(doc, update);
  if (after === doc) return undefined;
  if (canonical(after._id) !== canonical(doc._id))
    throw new ServerError(
      66,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  return isReplacement(update) && canonical(after) === canonical(doc) ? undefined : after;
}

/** The documents after one update of many; mingo prepares its operators once for all of them. */
export function applyToAll(docs: readonly Doc[], update: Doc): (Doc | undefined)[] {
  if (docs.length < 2) return docs.map((doc) => applyUpdate(doc, update));
  const copies = docs.map(clone);
  try {
    updateMany(copies, {}, update as never, { cloneMode: 'deep' });
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
export function upsertDocument({ q, u }: UpdateStatement, newId: () => unknown): Doc {
  const base: Doc = {};
  for (const [path, condition] of Object.entries(q))
    if (!path.startsWith('$') && !(isDoc(condition) && Object.keys(condition)[0]?.startsWith('$')))
      setPath(base, path, condition);
  const { _id = newId(), ...rest } = changed(base, u);
  return { _id, ...rest };
}

function changed(doc: Doc, update: Doc): Doc {
  if (isReplacement(update)) {
    const id = doc._id ?? update._id;
    return id === undefined ? clone(update) : { _id: id, ...clone(withoutId(update, doc)) };
  }
  const holder = [clone(doc)];
  try {
    const { modifiedCount } = updateOne(holder, {}, update as never, { cloneMode: 'deep' });
    return modifiedCount === 0 ? doc : holder[0]!;
  } catch (error) {
    throw refused(error);
  }
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
