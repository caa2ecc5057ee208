// Filters: what is allowed, what is refused, and that a match means what MongoDB means by it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Query } from 'mingo';
import { filterRecord, matches, parseFilter } from '../../src/domain/filter.ts';

const parsed = (input: unknown) => parseFilter(input)!;

test('plain values, operators and logic are read', () => {
  assert.deepEqual(parseFilter({ source: 'a.md' }), { op: 'eq', path: 'source', value: 'a.md' });
  assert.deepEqual(parseFilter({ 'metadata.year': { $gte: 2020, $lt: 2024 } }), {
    op: 'and',
    filters: [
      { op: 'gte', path: 'metadata.year', value: 2020 },
      { op: 'lt', path: 'metadata.year', value: 2024 },
    ],
  });
  assert.deepEqual(parseFilter({ $or: [{ source: 'a' }, { source: { $nin: ['b', null] } }] }), {
    op: 'or',
    filters: [
      { op: 'eq', path: 'source', value: 'a' },
      { op: 'nin', path: 'source', values: ['b', null] },
    ],
  });
  assert.deepEqual(parseFilter({ 'metadata.x': { $not: { $exists: true } } }), {
    op: 'not',
    filter: { op: 'exists', path: 'metadata.x', value: true },
  });
  for (const nothing of [undefined, null, {}]) assert.equal(parseFilter(nothing), undefined);
});

test('what begins like a text is a range', () => {
  const filter = parsed({ source: { $startsWith: 'docs/' } });
  assert.deepEqual(filter, {
    op: 'and',
    filters: [
      { op: 'gte', path: 'source', value: 'docs/' },
      { op: 'lt', path: 'source', value: 'docs0' },
    ],
  });
  const found = [
    'doc',
    'docs',
    'docs-old/a',
    'docs/',
    'docs/a.md',
    'docs/~',
    'docs/é/ü.md',
    'docs0',
    'dodo',
    7,
  ];
  assert.deepEqual(
    found.filter((source) => matches(filter, { source })),
    ['docs/', 'docs/a.md', 'docs/~', 'docs/é/ü.md'],
  );
  for (const odd of ['', 7, null, ['a']])
    assert.throws(() => parseFilter({ source: { $startsWith: odd } }), { code: 'FILTER_NOT_ALLOWED' });
  assert.throws(() => parseFilter({ 'metadata.tags': { $startsWith: 'm' } }), { code: 'FILTER_NOT_ALLOWED' });
});

test('everything else is refused with a way out', () => {
  const deep = { $and: [{ $and: [{ $and: [{ $and: [{ $and: [{ source: 'x' }] }] }] }] }] };
  const circular: Record<string, unknown> = {};
  circular['source'] = circular;
  const refusedInputs: unknown[] = [
    'text',
    7,
    [],
    { $where: 'sleep(1000)' },
    { $expr: {} },
    { source: { $regex: '.*' } },
    { source: /x/ },
    { source: new Date() },
    { source: { $eq: { a: 1 } } },
    { source: { $in: 'a' } },
    { source: { $in: [{}] } },
    { source: { $exists: 1 } },
    { source: { nested: 1 } },
    { source: {} },
    { source: NaN },
    { source: [1] },
    { $and: [] },
    { $and: { source: 'x' } },
    { '': 1 },
    { 'a..b': 1 },
    { 'metadata.$x': 1 },
    { '__proto__.x': 1, ...JSON.parse('{"__proto__": 1}') },
    { 'metadata.constructor': 1 },
    { source: { $not: 'x' } },
    deep,
    circular,
    { source: 'x'.repeat(9000) },
    { $or: Array.from({ length: 51 }, (_, n) => ({ source: n })) },
    { [`metadata.${'x'.repeat(300)}`]: 1 },
  ];
  for (const input of refusedInputs) {
    assert.throws(
      () => parseFilter(input),
      (error: { code?: string; hint?: string }) => error.code === 'FILTER_NOT_ALLOWED' && Boolean(error.hint),
    );
  }
});

test('a record has the place of the chunk beside the metadata of its document', () => {
  const record = filterRecord({
    path: 'guide/auth.md',
    metadata: { type: 'api', chunkIndex: 99 },
    fetchedAt: '2026-01-01T00:00:00.000Z',
    ordinal: 3,
    totalChunks: 7,
  });
  assert.equal(record.source, 'guide/auth.md');
  assert.deepEqual(record.metadata, {
    source: 'guide/auth.md',
    filename: 'auth.md',
    ingestedAt: '2026-01-01T00:00:00.000Z',
    type: 'api',
    chunkIndex: 3,
    totalChunks: 7,
  });
  assert.equal(
    matches(parsed({ 'metadata.filename': 'auth.md', 'metadata.chunkIndex': { $lt: 4 } }), record),
    true,
  );
});

test('missing is null, arrays match by element, types never mix', () => {
  const record = { a: 1, list: [1, 'two', null], nested: [{ b: 1 }, { b: 5 }], nothing: null };
  const yes: unknown[] = [
    { absent: null },
    { nothing: null },
    { list: 'two' },
    { list: null },
    { 'nested.b': 5 },
    { 'nested.b': { $gt: 4, $lt: 2 } },
    { 'list.1': 'two' },
    { a: { $ne: '1' } },
    { absent: { $nin: [1, 2] } },
    { nothing: { $exists: true } },
    { absent: { $exists: false } },
    { absent: { $not: { $gt: 1 } } },
    { nothing: { $gte: null } },
    { a: { $in: [1, 'x'] } },
  ];
  const no: unknown[] = [
    { a: '1' },
    { a: { $gt: '0' } },
    { list: { $ne: 'two' } },
    { absent: { $gt: 0 } },
    { absent: { $ne: null } },
    { nothing: { $gt: null } },
    { list: { $nin: [1] } },
    { $nor: [{ a: 1 }] },
    { 'a.b': 1 },
  ];
  for (const input of yes) assert.equal(matches(parsed(input), record), true, JSON.stringify(input));
  for (const input of no) assert.equal(matches(parsed(input), record), false, JSON.stringify(input));
});

const scalar = fc.oneof(
  fc.constantFrom('a', 'b', 'ab', ''),
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, 1.5),
  fc.boolean(),
  fc.constant(null),
);
// Order against null is left out too: MongoDB takes a missing field for null there, mingo does not.
const bound = scalar.filter((given) => given !== null);
const field = fc.constantFrom('x', 'y', 'z', 'o.x', 'o.y', 'l.x');
const condition = fc.oneof(
  scalar,
  fc.record({ $eq: scalar }),
  fc.record({ $ne: scalar }),
  fc.record({ $gt: bound }),
  fc.record({ $gte: bound }),
  fc.record({ $lt: bound }),
  fc.record({ $lte: bound }),
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $not: fc.record({ $eq: scalar }) }),
  fc.record({ $gte: bound, $lt: bound }),
);
const leaf = fc.tuple(field, condition).map(([path, test]) => ({ [path]: test }));
const { filter } = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
      .map(([op, parts]) => ({ [op]: parts })),
  ),
}));
const value = fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 3 }));
const inner = fc.record({ x: value, y: value }, { requiredKeys: [] });
// Arrays and missing fields inside arrays of objects are left out: there mingo itself differs from MongoDB.
const element = fc.record({ x: scalar, y: scalar });
const record = fc.record(
  { x: value, y: value, z: scalar, o: inner, l: fc.array(element, { minLength: 1, maxLength: 3 }) },
  { requiredKeys: [] },
);

test('a match means what MongoDB means', () => {
  fc.assert(
    fc.property(filter, record, (wanted, given) => {
      const ours = matches(parsed(wanted), given);
      assert.equal(ours, new Query(wanted as Record<string, unknown>).test(given), JSON.stringify(wanted));
    }),
    { numRuns: 3000 },
  );
});
