// Values of documents: copying, canonical keys for equality, and reaching a dotted path the way an index does.

import { Binary, Decimal128, Long, ObjectId, Timestamp } from 'bson';
import type { Doc } from '../wire/framing.ts';

export function isDoc(value: unknown): value is Doc {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
  );
}

/** A deep copy; BSON values are immutable here and are shared. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => clone(item)) as T;
  if (isDoc(value)) {
    const copy: Doc = {};
    for (const key of Object.keys(value)) copy[key] = clone(value[key]);
    return copy as T;
  }
  return value;
}

/** Two values are equal in MongoDB's sense exactly when their canonical keys are; missing counts as null. */
export function canonical(value: unknown): string {
  if (value === null || value === undefined) return 'z';
  switch (typeof value) {
    case 'number':
      return `n${Object.is(value, -0) ? 0 : value}`;
    case 'bigint':
      return `n${value}`;
    case 'string':
      return `s${JSON.stringify(value)}`;
    case 'boolean':
      return value ? 't' : 'f';
    default:
  }
  if (value instanceof Date) return `d${value.getTime()}`;
  if (value instanceof ObjectId) return `o${value.toHexString()}`;
  if (value instanceof Timestamp) return `T${value.t}:${value.i}`;
  if (value instanceof Long) return `n${value.toString()}`;
  if (value instanceof Binary) return `b${value.sub_type}:${Buffer.from(value.value()).toString('base64')}`;
  if (value instanceof Decimal128) return `n${value.toString()}`;
  if (value instanceof RegExp) return `r${value.source}/${value.flags}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  return `{${Object.entries(value as Doc)
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
    .join(',')}}`;
}

/** Every value at a dotted path, descending into arrays of documents; `undefined` where there is none. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const dot = path.indexOf('.');
  const head = dot === -1 ? path : path.slice(0, dot);
  if (!isDoc(value)) return [undefined];
  const inner = Object.hasOwn(value, head) ? value[head] : undefined;
  if (dot === -1) return [inner];
  const rest = path.slice(dot + 1);
  if (Array.isArray(inner)) {
    const numeric = /^\d+(?:\.|$)/.exec(rest);
    if (numeric) return valuesAt({ ...inner }, rest);
    const found = inner.flatMap((item) => (isDoc(item) ? valuesAt(item, rest) : []));
    return found.length ? found : [undefined];
  }
  return valuesAt(inner, rest);
}

/** What an index holds for a path: each element of an array, and a lone value as it is. */
export function indexedValues(doc: Doc, path: string): unknown[] {
  const out: unknown[] = [];
  for (const value of valuesAt(doc, path)) {
    if (Array.isArray(value)) out.push(...(value.length ? value : [undefined]), value);
    else out.push(value);
  }
  return out;
}

export function setPath(doc: Doc, path: string, value: unknown): void {
  const parts = path.split('.');
  let at = doc;
  for (const part of parts.slice(0, -1)) {
    const next = Object.hasOwn(at, part) ? at[part] : undefined;
    if (isDoc(next)) at = next;
    else at = at[part] = {} as Doc;
  }
  at[parts.at(-1)!] = value;
}
