import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extendProject } from '../../../src/cli/init/extend.ts';
import type { Proposal } from '../../../src/engine/project/propose.ts';

const proposal: Proposal = {
  name: 'shop',
  read: ['package.json'],
  folders: [
    { path: 'docs', files: 2 },
    { path: 'README.md', files: 1 },
  ],
  code: [],
  sources: [
    { alias: 'zod', package: 'npm:zod', via: 'package', docsVersion: '4.1.5', installedVersion: '4.1.5' },
    { alias: 'hono', package: 'npm:hono', version: '3', via: 'registry', url: 'https://hono.dev/llms.txt' },
  ],
  unknown: [],
};

test('a new file holds all of it', () => {
  const { text, added } = extendProject(undefined, proposal);
  assert.deepEqual(added, ['shop', 'docs', 'README.md', 'zod', 'hono']);
  assert.deepEqual(JSON.parse(text), {
    version: 1,
    collection: 'shop',
    folders: ['docs', 'README.md'],
    sources: [
      { alias: 'zod', package: 'npm:zod' },
      { alias: 'hono', package: 'npm:hono', version: '3' },
    ],
  });
});

test('what a person wrote stays, entries are only added', () => {
  const before = `{\n    "collection": "mine",\n    "chunk": { "size": 900 },\n    "sources": ["Zod", { "alias": "own", "url": "https://own.example" }]\n}\n`;
  const { text, added } = extendProject(before, proposal);
  assert.deepEqual(added, ['docs', 'README.md', 'hono']);
  assert.deepEqual(JSON.parse(text), {
    collection: 'mine',
    chunk: { size: 900 },
    sources: [
      'Zod',
      { alias: 'own', url: 'https://own.example' },
      { alias: 'hono', package: 'npm:hono', version: '3' },
    ],
    folders: ['docs', 'README.md'],
  });
  assert.match(text, /^\{\n {4}"collection"/);
  assert.deepEqual(extendProject(text, proposal), { text, added: [] });
});

test('a folder around or inside one that is listed is left out, so that no text is stored twice', () => {
  const added = (...folders: string[]) => extendProject(JSON.stringify({ folders }), proposal).added;
  assert.deepEqual(added('.'), ['zod', 'hono']);
  assert.deepEqual(added('./docs/'), ['README.md', 'zod', 'hono']);
  assert.deepEqual(added('docs/api', 'docs-old'), ['README.md', 'zod', 'hono']);
});

test('a source that is called as the collection of the file is left out', () => {
  const { added } = extendProject('{ "collection": "Zod" }', proposal);
  assert.deepEqual(added, ['docs', 'README.md', 'hono']);
});

test('a file that is no project file is refused, not replaced', () => {
  assert.throws(() => extendProject('[]', proposal), { code: 'INVALID_INPUT' });
  assert.throws(() => extendProject('{"sources": 1}', proposal), { code: 'INVALID_INPUT' });
});
