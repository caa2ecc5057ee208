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

test('sixteen kilobytes and five levels are as far as it goes', () => {
  const sized = (bytes: number): object => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
  const nested = (levels: number): object => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) });
  const lists = (levels: number): unknown => (levels === 0 ? 1 : [lists(levels - 1)]);
  const fits: unknown[] = [sized(16_384), nested(5), { a: lists(4) }, { a: { a: { a: { a: [1] } } } }];
  for (const metadata of fits as Record<string, unknown>[])
    assert.deepEqual(checkMetadata(metadata), { metadata, warnings: [] });
  const tooMuch: [unknown, RegExp][] = [
    [sized(16_385), /larger than 16 KB/],
    [{ a: 'ü'.repeat(8_200) }, /larger than 16 KB/],
    [nested(6), /deeper than 5 levels/],
    [{ a: lists(5) }, /deeper than 5 levels/],
    [{ a: [{ a: [{ a: [1] }] }] }, /deeper than 5 levels/],
  ];
  for (const [metadata, message] of tooMuch)
    assert.throws(() => checkMetadata(metadata as Record<string, unknown>), {
      code: 'INVALID_INPUT',
      message,
    });
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
