// Filters: a bounded, allow-listed subset of MongoDB's query language, parsed once and meant the same by every store.
// A path names a field of the chunk as the specification shapes it: `source`, `metadata.<key>`.

import { VaiError } from './errors.ts';
import { isObject } from './object.ts';
import { sourceOf, type Metadata } from './document.ts';

export type Scalar = string | number | boolean | null;

export type Filter =
  | { op: 'and' | 'or' | 'nor'; filters: Filter[] }
  | { op: 'not'; filter: Filter }
  | { op: Comparison; path: string; value: Scalar }
  | { op: 'in' | 'nin'; path: string; values: Scalar[] }
  | { op: 'exists'; path: string; value: boolean };

export type Comparison = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';

const MAX_DEPTH = 5;
const MAX_CONDITIONS = 50;
const MAX_BYTES = 8192;
const MAX_PATH = 256;
const COMPARISONS = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']);
const LOGICAL = new Set(['$and', '$or', '$nor']);
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

interface Budget {
  conditions: number;
}

/** A filter from outside. Undefined when there is nothing to filter by; anything not allowed is refused by name. */
export function parseFilter(input: unknown): Filter | undefined {
  if (input === undefined || input === null) return undefined;
  requireSmall(input);
  const filters = parseObject(input, 1, { conditions: 0 });
  if (filters.length === 0) return undefined;
  return all(filters);
}

function requireSmall(input: unknown): void {
  let size = Infinity;
  try {
    size = Buffer.byteLength(JSON.stringify(input) ?? '');
  } catch {
    // Circular or otherwise not JSON.
  }
  if (size > MAX_BYTES) throw refused(`A filter has at most ${MAX_BYTES} bytes of JSON.`);
}

function parseObject(input: unknown, depth: number, budget: Budget): Filter[] {
  if (depth > MAX_DEPTH) throw refused(`A filter is nested at most ${MAX_DEPTH} levels deep.`);
  return entriesOf(input, 'A filter is an object of fields and conditions.').flatMap(([key, value]) => {
    if (LOGICAL.has(key)) {
      if (!Array.isArray(value) || value.length === 0) throw refused(`\`${key}\` takes a list of filters.`);
      const filters = value.map((part) => all(parseObject(part, depth + 1, budget)));
      return [{ op: key.slice(1) as 'and' | 'or' | 'nor', filters }];
    }
    if (key.startsWith('$')) throw notAllowed(key);
    return parseField(checkPath(key), value, { depth, budget });
  });
}

function parseField(path: string, value: unknown, at: { depth: number; budget: Budget }): Filter[] {
  if (isScalar(value)) {
    count(at.budget);
    return [{ op: 'eq', path, value }];
  }
  const entries = entriesOf(
    value,
    `\`${path}\` is compared with a text, a number, true, false, null or an operator.`,
  );
  if (entries.length === 0) throw refused(`\`${path}\` has no condition.`);
  return entries.map(([key, operand]) => parseOperator(path, [key, operand], at));
}

function parseOperator(
  path: string,
  [key, operand]: [string, unknown],
  at: { depth: number; budget: Budget },
): Filter {
  if (!key.startsWith('$'))
    throw refused(`\`${path}\` cannot be compared with an object; name the inner field with a dot.`);
  if (key === '$not') {
    if (isScalar(operand)) throw refused('`$not` takes an object of operators.');
    if (at.depth >= MAX_DEPTH) throw refused(`A filter is nested at most ${MAX_DEPTH} levels deep.`);
    return { op: 'not', filter: all(parseField(path, operand, { ...at, depth: at.depth + 1 })) };
  }
  count(at.budget);
  const op = key.slice(1);
  if (COMPARISONS.has(op)) {
    if (!isScalar(operand)) throw refused(`\`${key}\` takes a text, a number, true, false or null.`);
    return { op: op as Comparison, path, value: operand };
  }
  if (op === 'startsWith') {
    if (typeof operand !== 'string' || operand === '') throw refused('`$startsWith` takes a text.');
    // Metadata may be lists, of which one value may be above the range and another below it.
    if (path !== 'source') throw refused('`$startsWith` works on `source` only.');
    return prefixFilter(path, operand);
  }
  if (op === 'in' || op === 'nin') {
    if (!Array.isArray(operand) || !operand.every(isScalar))
      throw refused(`\`${key}\` takes a list of plain values.`);
    return { op, path, values: [...operand] };
  }
  if (op === 'exists') {
    if (typeof operand !== 'boolean') throw refused('`$exists` takes true or false.');
    return { op, path, value: operand };
  }
  throw notAllowed(key);
}

/** As a range, which every store compares by its index: up to the text that ends in the next character. */
export function prefixFilter(path: string, prefix: string): Filter {
  const next = String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  return {
    op: 'and',
    filters: [
      { op: 'gte', path, value: prefix },
      { op: 'lt', path, value: prefix.slice(0, -1) + next },
    ],
  };
}

/** Own entries of a plain object: what came through JSON and nothing else. */
function entriesOf(value: unknown, otherwise: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(otherwise);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw refused(otherwise);
  return Object.entries(value);
}

function checkPath(path: string): string {
  const segments = path.split('.');
  const odd = segments.some(
    (part) => part === '' || part.startsWith('$') || part.includes('\0') || FORBIDDEN.has(part),
  );
  if (odd || path.length > MAX_PATH || segments.length > 8) {
    throw refused('A filter names a field as `source` or `metadata.<key>`.');
  }
  return path;
}

function count(budget: Budget): void {
  budget.conditions += 1;
  if (budget.conditions > MAX_CONDITIONS) throw refused(`A filter has at most ${MAX_CONDITIONS} conditions.`);
}

function all(filters: Filter[]): Filter {
  return filters.length === 1 ? filters[0]! : { op: 'and', filters };
}

function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

function notAllowed(operator: string): VaiError {
  return refused(`The filter operator \`${operator.slice(0, 40).replaceAll('`', "'")}\` is not allowed.`);
}

function refused(message: string): VaiError {
  return new VaiError('FILTER_NOT_ALLOWED', message, {
    hint: 'Use $eq $ne $gt $gte $lt $lte $in $nin $startsWith $exists $not $and $or $nor on `source` or `metadata.<key>`.',
  });
}

/** What a filter sees of a chunk. */
export interface Filterable {
  path: string;
  metadata: Metadata;
  fetchedAt: string;
  ordinal: number;
  totalChunks: number;
  /** Fields the store writes itself: model, dimensions, chunkStrategy, docId. */
  reserved?: Record<string, unknown>;
}

/** The record of a chunk in the shape of the specification; metadata of the user wins over what is derived, but for its place. */
export function filterRecord(chunk: Filterable): { source: string; metadata: Record<string, unknown> } {
  const { path, metadata, fetchedAt, ordinal, totalChunks, reserved } = chunk;
  const source = sourceOf(path);
  const filename = source.slice(source.lastIndexOf('/') + 1);
  const derived = { source, filename, ingestedAt: fetchedAt };
  return {
    source,
    metadata: { ...derived, ...metadata, ...reserved, chunkIndex: ordinal, totalChunks },
  };
}

/** Every path a filter names. */
export function filterPaths(filter: Filter): string[] {
  switch (filter.op) {
    case 'and':
    case 'or':
    case 'nor':
      return filter.filters.flatMap(filterPaths);
    case 'not':
      return filterPaths(filter.filter);
    default:
      return [filter.path];
  }
}

/** Whether a record matches, with MongoDB's meaning: missing is null, an array matches by any of its elements. */
export function matches(filter: Filter, record: unknown): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((part) => matches(part, record));
    case 'or':
      return filter.filters.some((part) => matches(part, record));
    case 'nor':
      return !filter.filters.some((part) => matches(part, record));
    case 'not':
      return !matches(filter.filter, record);
    case 'exists':
      return valuesAt(record, filter.path).some((value) => value !== undefined) === filter.value;
    case 'in':
    case 'nin': {
      const values = valuesAt(record, filter.path);
      return filter.values.some((value) => compares('eq', values, value)) === (filter.op === 'in');
    }
    case 'ne':
      return !compares('eq', valuesAt(record, filter.path), filter.value);
    default:
      return compares(filter.op, valuesAt(record, filter.path), filter.value);
  }
}

/** The values a dotted path reaches; undefined stands for a field that is not there. */
function valuesAt(record: unknown, path: string): unknown[] {
  const found: unknown[] = [];
  const walk = (value: unknown, segments: readonly string[]): void => {
    const [segment, ...rest] = segments;
    if (segment === undefined) {
      found.push(value);
    } else if (Array.isArray(value)) {
      if (/^\d+$/.test(segment) && Number(segment) < value.length) walk(value[Number(segment)], rest);
      for (const element of value) if (isObject(element)) walk(element, segments);
    } else if (isObject(value)) {
      walk(Object.hasOwn(value, segment) ? value[segment] : undefined, rest);
    } else {
      found.push(undefined);
    }
  };
  walk(record, path.split('.'));
  return found;
}

function compares(
  op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte',
  values: readonly unknown[],
  wanted: Scalar,
): boolean {
  return values.some((value) =>
    Array.isArray(value) ? value.some((element) => holds(op, element, wanted)) : holds(op, value, wanted),
  );
}

/** Values of different types never compare; null equals null and a missing field. */
function holds(op: 'eq' | 'gt' | 'gte' | 'lt' | 'lte', value: unknown, wanted: Scalar): boolean {
  if (wanted === null) return (value === null || value === undefined) && op !== 'gt' && op !== 'lt';
  if (typeof value !== typeof wanted) return false;
  const given = value as string | number | boolean;
  switch (op) {
    case 'eq':
      return given === wanted;
    case 'gt':
      return given > wanted;
    case 'gte':
      return given >= wanted;
    case 'lt':
      return given < wanted;
    case 'lte':
      return given <= wanted;
  }
}

const ROOTS = new Set(['source', 'metadata']);

/** A filter names `source` or something under `metadata`; anything else is a mistake worth telling. */
export function checkRoots(filter: Filter): void {
  const unknown = filterPaths(filter).find((path) => !ROOTS.has(path.split('.', 1)[0]!));
  if (unknown === undefined) return;
  throw new VaiError('FILTER_NOT_INDEXED', `There is no field \`${unknown}\` to filter by.`, {
    hint: `Filter by \`source\` or by \`metadata.<key>\`, for example \`metadata.${unknown}\`.`,
  });
}
