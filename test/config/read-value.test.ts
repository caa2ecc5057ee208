// Values of every kind: what is accepted, what is refused, and the edges between them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BadValue, readValue } from '../../src/config/read-value.ts';
import type { SettingKind } from '../../src/domain/setting.ts';

const paths = { base: '/base', userHome: '/home/me' };
const read = (kind: SettingKind, raw: unknown): unknown =>
  readValue({ name: 'x', kind, description: '' }, raw, paths);
const refused = (kind: SettingKind, raw: unknown, message: RegExp): void =>
  assert.throws(
    () => read(kind, raw),
    (thrown) => thrown instanceof BadValue && message.test(thrown.message),
    JSON.stringify(raw),
  );

describe('a value', () => {
  it('of text is trimmed, one line and not too long', () => {
    assert.equal(read({ type: 'string' }, '  a b '), 'a b');
    assert.equal(read({ type: 'string', max: 3 }, 'abc'), 'abc');
    assert.equal((read({ type: 'string' }, 'x'.repeat(1_000)) as string).length, 1_000);
    refused({ type: 'string', max: 3 }, 'abcd', /^must be text of 1 to 3 characters$/);
    refused({ type: 'string' }, 'x'.repeat(1_001), /1 to 1000 characters/);
    for (const raw of ['', '   ', 'a\nb', 'a\u0000b', 7, null, ['a']])
      refused({ type: 'string' }, raw, /must be text/);
  });

  it('of a name is one that a database or a collection may have', () => {
    assert.equal(read({ type: 'name', of: 'database' }, 'team'), 'team');
    assert.equal(read({ type: 'name', of: 'collection' }, 'my notes'), 'my notes');
    refused({ type: 'name', of: 'database' }, 'a/b', /^is not a database name\. .*[^.]$/);
    refused({ type: 'name', of: 'collection' }, '../x', /^is not a collection name\. .*[^.]$/);
    refused({ type: 'name', of: 'collection' }, 'x'.repeat(121), /1 to 120 characters/);
  });

  it('of a whole number is within its bounds, also as digits', () => {
    const kind: SettingKind = { type: 'integer', min: -2, max: 5 };
    for (const raw of [-2, 5, 0, '-2', ' 5 ']) assert.equal(read(kind, raw), Number(raw));
    for (const raw of [-3, 6, 1.5, '1.5', '6', '', 'five', NaN, Infinity, true, null, ['3'], '0x3', '1e0'])
      refused(kind, raw, /^must be a whole number from -2 to 5$/);
    const wide: SettingKind = { type: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER };
    assert.equal(read(wide, '123456789012345'), 123456789012345);
    refused(wide, '1234567890123456', /whole number/);
  });

  it('of true or false is written in several ways', () => {
    for (const raw of [true, '1', 'true', ' YES ', 'on', 1])
      assert.equal(read({ type: 'boolean' }, raw), true);
    for (const raw of [false, '0', 'False', 'no', 'off', 0])
      assert.equal(read({ type: 'boolean' }, raw), false);
    for (const raw of ['', 'maybe', 2, null]) refused({ type: 'boolean' }, raw, /^must be true or false$/);
  });

  it('of a choice is one of them, exactly', () => {
    const kind: SettingKind = { type: 'choice', choices: ['sqlite', 'mongodb'] };
    assert.equal(read(kind, 'mongodb'), 'mongodb');
    for (const raw of ['SQLite', '', 1, ['sqlite']]) refused(kind, raw, /^must be one of sqlite, mongodb$/);
  });

  it('of a list is an array or text with commas', () => {
    const kind: SettingKind = { type: 'list' };
    assert.deepEqual(read(kind, 'a, b ,,'), ['a', 'b']);
    assert.deepEqual(read(kind, ['a', ' ', 'b']), ['a', 'b']);
    assert.deepEqual(read(kind, 'x'.repeat(500)), ['x'.repeat(500)]);
    assert.equal((read(kind, Array(200).fill('a')) as string[]).length, 200);
    refused(kind, Array(201).fill('a'), /at most 200 texts/);
    refused(kind, 'x'.repeat(501), /1 to 500 characters/);
    for (const raw of [7, {}, null]) refused(kind, raw, /^must be a list/);
    refused(kind, ['a', 7], /must be text/);
  });

  it('of hosts is all, none, or names', () => {
    const kind: SettingKind = { type: 'hosts' };
    assert.equal(read(kind, '1'), true);
    assert.equal(read(kind, false), false);
    assert.deepEqual(read(kind, 'Wiki.Corp,*.docs.corp, a:8080,[::1]'), [
      'wiki.corp',
      '*.docs.corp',
      'a:8080',
      '[::1]',
    ]);
    for (const raw of ['https://wiki.corp', 'a/b', 'a.*.b', '*', 'a b'])
      refused(kind, raw, /^must be 1, 0 or a list of host names without `https:\/\/`$/);
  });

  it('of a path begins at the base or at home', () => {
    const kind: SettingKind = { type: 'path' };
    assert.equal(read(kind, 'a/../b'), '/base/b');
    assert.equal(read(kind, '/x/./y'), '/x/y');
    assert.equal(read(kind, '~'), '/home/me');
    assert.equal(read(kind, '~/n'), '/home/me/n');
    assert.equal(read(kind, '~other'), '/base/~other');
    refused(kind, `/${'x'.repeat(4_000)}`, /1 to 4000 characters/);
    assert.equal((read(kind, `/${'x'.repeat(3_999)}`) as string).length, 4_000);
  });

  it('of an address has a protocol of the web and no user', () => {
    const kind: SettingKind = { type: 'url' };
    assert.equal(read(kind, 'https://a.example/v1//'), 'https://a.example/v1');
    assert.equal(read(kind, 'http://127.0.0.1:8080'), 'http://127.0.0.1:8080');
    assert.equal((read(kind, `https://a.example/${'x'.repeat(1_982)}`) as string).length, 2_000);
    for (const raw of ['ftp://a', 'a.example', 'https://me@a.example', 'https://:secret@a.example'])
      refused(kind, raw, /^must be an http or https address without a user name$/);
    refused(kind, `https://a.example/${'x'.repeat(1_983)}`, /1 to 2000 characters/);
  });

  it('of dollars is an amount up to its bound, also as digits', () => {
    const kind: SettingKind = { type: 'dollars', max: 100 };
    for (const raw of [0, 100, 0.5, '0.25', ' 100 ']) assert.equal(read(kind, raw), Number(raw));
    for (const raw of [-1, 100.5, '101', '$5', '', NaN, null, '1e1'])
      refused(kind, raw, /^must be a number of dollars from 0 to 100$/);
  });

  it('of chunking has parts that fit each other', () => {
    const kind: SettingKind = { type: 'chunk' };
    assert.deepEqual(read(kind, {}), {});
    assert.deepEqual(read(kind, { strategy: 'markdown', size: '100', overlap: 49 }), {
      strategy: 'markdown',
      size: 100,
      overlap: 49,
    });
    assert.deepEqual(read(kind, { size: 8_000 }), { size: 8_000 });
    assert.deepEqual(read(kind, { overlap: 4_000 }), { overlap: 4_000 });
    assert.deepEqual(read(kind, { overlap: 0 }), { overlap: 0 });
    refused(kind, { size: 99 }, /^must have a size from 100 to 8000$/);
    refused(kind, { size: 8_001 }, /size from 100 to 8000/);
    refused(kind, { overlap: -1 }, /^must have a overlap from 0 to 4000$/);
    refused(kind, { overlap: 4_001 }, /overlap from 0 to 4000/);
    refused(kind, { size: 100, overlap: 50 }, /^must have an overlap under half its size$/);
    refused(kind, { strategy: 'magic' }, /^must have a strategy of /);
    for (const raw of ['markdown', null, []]) refused(kind, raw, /^must be an object/);
  });

  it('of files maps names to paths', () => {
    const kind: SettingKind = { type: 'files' };
    assert.deepEqual(
      { ...(read(kind, { team: 'a.db', other: '~/b.db' }) as object) },
      {
        team: '/base/a.db',
        other: '/home/me/b.db',
      },
    );
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`d${n}`, 'x']));
    assert.equal(Object.keys(read(kind, many(1_000)) as object).length, 1_000);
    refused(kind, many(1_001), /^must map database names to files$/);
    refused(kind, 'a.db', /must map/);
    refused(kind, { 'a/b': 'x' }, /not a database name/);
    refused(kind, { a: 7 }, /must be text/);
    refused(kind, { a: 'x'.repeat(4_001) }, /1 to 4000 characters/);
  });
});
