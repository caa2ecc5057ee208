import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearlySame, sketch } from '../../../src/engine/search/duplicates.ts';

const page = Array.from({ length: 120 }, (_, at) => `word${at} explains part ${at % 7}`).join('\n');

test('the same page under two titles is one; a page on another subject is not', () => {
  assert.ok(nearlySame(sketch(page), sketch(page)));
  assert.ok(nearlySame(sketch(page), sketch(page.toUpperCase())));
  const other = page.replaceAll('word', 'term');
  assert.ok(!nearlySame(sketch(page), sketch(other)));
});

test('a word more or less leaves a page the same, half of the words changed does not', () => {
  assert.ok(nearlySame(sketch(page), sketch(`${page} addendum`)));
  const changed = page.replaceAll(/word(\d*[02468])\b/g, 'other$1');
  assert.ok(!nearlySame(sketch(page), sketch(changed)));
});

test('short texts are the same only when their words are', () => {
  const words = Array.from({ length: 60 }, (_, at) => `name${at}`);
  for (const one of words)
    for (const other of words) assert.equal(nearlySame(sketch(one), sketch(other)), one === other);
});

test('a text longer than is read, in letters of three bytes', () => {
  const long = '語'.repeat(20_000);
  assert.ok(nearlySame(sketch(long), sketch(long)));
});

test('a text is read to 8,000 characters, of any length in bytes', () => {
  const long = sketch('語'.repeat(8_000));
  for (const other of ['', '語'.repeat(7_999)]) assert.notDeepEqual(long, sketch(other));
  assert.deepEqual(sketch(`${'語'.repeat(7_999)} 語`), sketch(`${'語'.repeat(7_999)} 本`));
});

test('letters and digits make words in either case, everything else in ASCII parts them', () => {
  const apart = sketch('x y');
  for (let code = 0; code < 128; code += 1) {
    const character = String.fromCharCode(code);
    const isWord = /[a-z0-9]/i.test(character);
    const found = sketch(`x${character}y`);
    assert.deepEqual(found, isWord ? sketch(`x${character.toLowerCase()}y`) : apart, `${code}`);
    assert.equal(nearlySame(found, apart), !isWord, `${code}`);
  }
  assert.notDeepEqual(sketch('語'), sketch('本'));
});

test('neither the order of words nor the space between them counts', () => {
  assert.deepEqual(sketch('beta, alpha, beta'), sketch('alpha beta'));
  assert.notDeepEqual(sketch('a'), sketch('b'));
});

test('each word falls into one of sixteen slots, and the smallest hash of each is kept', () => {
  const used = (text: string) => [...sketch(text).entries()].filter(([, value]) => value !== 0x7fffffff);
  assert.equal(sketch('').length, 16);
  assert.deepEqual(used('harbour'), [[8, 1_317_960_872]]);
  const words = Array.from({ length: 400 }, (_, at) => `word${at}`);
  const smallest = new Map<number, number>();
  for (const [slot, value] of words.flatMap(used))
    smallest.set(slot, Math.min(value, smallest.get(slot) ?? Infinity));
  assert.deepEqual(new Map(used(words.join(' '))), new Map([...smallest].sort(([a], [b]) => a - b)));
});

test('fifteen of sixteen slots that are used must agree', () => {
  const same = (used: number, equal: number): boolean => {
    const [a, b] = [new Uint32Array(16).fill(0x7fffffff), new Uint32Array(16).fill(0x7fffffff)];
    for (let slot = 0; slot < used; slot += 1) [a[slot], b[slot]] = [7, slot < equal ? 7 : 8];
    return nearlySame(a, b);
  };
  assert.deepEqual([same(16, 16), same(16, 15), same(15, 15), same(1, 1), same(0, 0)], Array(5).fill(true));
  assert.deepEqual([same(16, 14), same(15, 14), same(2, 1), same(1, 0)], Array(4).fill(false));
});
