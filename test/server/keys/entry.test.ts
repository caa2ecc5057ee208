import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomBytes } from 'node:crypto';
import { digestOf, idOf, newKey, readEntries, readEntry } from '../../../src/server/keys/entry.ts';

const plain = 'k'.repeat(24);
const sha256 = digestOf(plain).toString('hex');

describe('keys as the file keeps them', () => {
  it('makes keys of 24 random bytes', () => {
    assert.match(newKey(randomBytes), /^vai-mcp-key-[0-9a-f]{48}$/);
    assert.notEqual(newKey(randomBytes), newKey(randomBytes));
  });

  it('reads plain strings and digests as read and write on everything', () => {
    for (const text of [plain, `sha256:${sha256}`]) {
      const entry = readEntry(text)!;
      assert.equal(entry.id, idOf(digestOf(plain)));
      assert.deepEqual(entry.scopes, ['read', 'write']);
      assert.equal(entry.collections, '*');
    }
  });

  it('reads an entry with every limit as it was written', () => {
    const written = {
      name: 'CI',
      owner: 'ops',
      scopes: ['read', 'admin'],
      collections: ['docs', 'notes'],
      rate: 1,
      spending: 0,
      channels: 'text',
      created: '2026-01-01T00:00:00.000Z',
    };
    const digest = digestOf(plain);
    assert.deepEqual(readEntry({ ...written, sha256, expires: '2027-01-31' }), {
      ...written,
      id: sha256.slice(0, 8),
      digest,
      expires: Date.parse('2027-01-31'),
    });
    assert.deepEqual(readEntry({ sha256: `sha256:${sha256.toUpperCase()}`, expires: null }), {
      id: sha256.slice(0, 8),
      name: '',
      digest,
      scopes: ['read'],
      collections: '*',
    });
  });

  it('leaves out what only describes a key and cannot be read', () => {
    const entry = readEntry({ sha256, name: 7, owner: '', channels: 'smoke', created: 7 })!;
    assert.deepEqual(Object.keys(entry), ['id', 'name', 'digest', 'scopes', 'collections']);
    assert.equal(entry.name, '');
    assert.equal(readEntry({ sha256, name: 'x'.repeat(101) })!.name, 'x'.repeat(100));
  });

  it('takes a spending limit of up to a million dollars, and any rate above 0', () => {
    assert.equal(readEntry({ sha256, spending: 1_000_000 })!.spending, 1_000_000);
    assert.equal(readEntry({ sha256, spending: 1_000_000.01 }), undefined);
    assert.equal(readEntry({ sha256, rate: 0.5 })!.rate, 0.5);
  });

  it('never lets a limit vanish: what cannot be read is no key', () => {
    const bad: unknown[] = [
      { sha256: 'zz' },
      { sha256, scopes: 'read' },
      { sha256, collections: 'docs' },
      { sha256, collections: [1] },
      { sha256, collections: ['*'] },
      { sha256, collections: ['docs', '*'] },
      { sha256, expires: 'tomorrow-ish' },
      { sha256, expires: 12 },
      { sha256, rate: '5' },
      { sha256, rate: 0 },
      { sha256, rate: -1 },
      { sha256, rate: null },
      { sha256, spending: '5' },
      { sha256, spending: -1 },
      { scopes: ['read'] },
      null,
      7,
      '',
      'k',
      'k'.repeat(23),
    ];
    for (const stored of bad) assert.equal(readEntry(stored), undefined, JSON.stringify(stored));
    assert.deepEqual(readEntries('nonsense'), []);
  });

  it('reads any number of them, each with a name on one line', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({ sha256: digestOf(String(at)).toString('hex') }));
    assert.equal(readEntries(many).length, 3_000);
    const named = readEntry({ sha256, name: 'ada\nroot  all', owner: 'a\u2028b\u202e' })!;
    assert.deepEqual([named.name, named.owner], ['ada root  all', 'a b ']);
  });

  it('drops scopes nobody knows and reads no scope at all as read only', () => {
    assert.deepEqual(readEntry({ sha256, scopes: ['read', 'root'] })!.scopes, ['read']);
    assert.deepEqual(readEntry({ sha256 })!.scopes, ['read']);
  });
});
