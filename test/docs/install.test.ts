// Nobody is told to fetch a package that is not there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesWithInstall, UNPUBLISHED, withoutInstall } from '../../scripts/install-text.ts';

test('every page says how to install vai in the same words', () => {
  const marked = pagesWithInstall().filter(({ text }) => text.includes('<!-- install -->'));
  assert.ok(marked.length >= 2);
  for (const { path, text, wanted } of marked) assert.equal(text, wanted, `${path}: run npm run reference`);
});

test('outside of it no page suggests a package that is not published', () => {
  for (const { path, text } of pagesWithInstall())
    if (UNPUBLISHED) assert.doesNotMatch(withoutInstall(text), UNPUBLISHED, path);
});
