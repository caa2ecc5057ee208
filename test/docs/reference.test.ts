import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { reference } from '../../scripts/reference.ts';

test('the reference says what the code says', async () => {
  const written = readFileSync(resolve(import.meta.dirname, '../../docs/reference.md'), 'utf8');
  assert.equal(written, await reference(), 'run npm run reference');
});
