import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allDocuments } from '../../src/engine/documents.ts';
import { textStore } from './cite/text-store.ts';

test('documents are read to the last page', async () => {
  const paths = Array.from({ length: 2001 }, (_, at) => `${1000 + at}.md`);
  const { store } = textStore({ docs: Object.fromEntries(paths.map((path) => [path, ''])) });
  const found = (await allDocuments(store, 'docs')).map(({ path }) => path);
  assert.deepEqual(found, paths);
});
