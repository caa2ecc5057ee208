import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectionsOf, readContract, type ProjectContract } from '../../src/config/project-contract.ts';

function read(file: Record<string, unknown>, trusted = false): ProjectContract & { warnings: string[] } {
  const warnings: string[] = [];
  const contract = readContract('/p/.vai.json', file, { trusted, warn: (text) => warnings.push(text) });
  return { ...contract, warnings };
}

test('what a project says is taken by name', () => {
  const { warnings, ...contract } = read({
    collection: 'notes',
    folders: ['docs', 7],
    ignore: ['*.tmp'],
    sources: ['react', { alias: 'zod', package: 'npm:zod', version: '3', url: '', other: 'x' }],
    skills: ['deploy'],
  });
  assert.deepEqual(contract, {
    file: '/p/.vai.json',
    collection: 'notes',
    folders: ['docs'],
    ignore: ['*.tmp'],
    sources: [{ alias: 'react' }, { alias: 'zod', package: 'npm:zod', version: '3' }],
    skills: [],
  });
  assert.deepEqual(warnings, []);
  assert.deepEqual(read({ skills: ['deploy'] }, true).skills, ['deploy']);
  assert.deepEqual(collectionsOf(contract), ['notes', 'react', 'zod']);
  assert.deepEqual(collectionsOf({ ...contract, collection: 'zod' }), ['zod', 'react']);
  assert.deepEqual(collectionsOf(read({ sources: ['react'] })), ['react']);
});

test('what is not usable is left out, and a warning names it', () => {
  const contract = read({
    collection: '../x',
    folders: 'docs',
    ignore: null,
    sources: [{ package: 'npm:zod' }, 7, null, { alias: '-bad' }, { alias: 'good', url: 'x'.repeat(2_001) }],
  });
  assert.equal(contract.collection, undefined);
  assert.deepEqual(contract.sources, [{ alias: 'good' }]);
  assert.deepEqual(contract.warnings, [
    '.vai.json: ignored an entry of `sources` without a proper `alias`, `folders`, which is not a list.',
  ]);
  assert.deepEqual(read({ ignore: {} }).warnings, ['.vai.json: ignored `ignore`, which is not a list.']);
  assert.equal(read({ sources: [{ alias: 'a', url: 'x'.repeat(2_000) }] }).sources[0]!.url!.length, 2_000);
});

test('a name is at most 120 characters, a list at most 500 entries', () => {
  assert.equal(read({ collection: 'x'.repeat(120) }).collection, 'x'.repeat(120));
  assert.equal(read({ collection: 'x'.repeat(121) }).collection, undefined);
  assert.equal(read({ folders: Array(501).fill('a') }).folders.length, 500);
});
