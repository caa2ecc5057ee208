import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMetadata } from '../../../src/engine/index/metadata.ts';

test('plain metadata passes as it is', () => {
  const metadata = { type: 'meeting-notes', date: '2026-02-11', tags: ['a', 1, null], deep: { ok: true } };
  assert.deepEqual(checkMetadata(metadata), { metadata, warnings: [] });
  assert.deepEqual(checkMetadata(undefined), { metadata: {}, warnings: [] });
});

test('reserved names move under user, with a word about it', () => {
  const { metadata, warnings } = checkMetadata({ model: 'mine', type: 'x' });
  assert.deepEqual(metadata, { type: 'x', user: { model: 'mine' } });
  assert.equal(warnings.length, 1);
});

const bad: [string, Record<string, unknown>][] = [
  ['operator key', { $where: 'x' }],
  ['dotted key', { 'a.b': 1 }],
  ['empty key', { '': 1 }],
  ['prototype key', JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>],
  ['too deep', { a: { b: { c: { d: { e: { f: 1 } } } } } }],
  ['too large', { a: 'x'.repeat(20_000) }],
  ['not JSON', { a: () => 1 }],
  ['not finite', { a: NaN }],
];
for (const [name, value] of bad) {
  test(`refuses ${name}`, () => assert.throws(() => checkMetadata(value), { code: 'INVALID_INPUT' }));
}
