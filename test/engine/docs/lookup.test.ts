import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { VaiError } from '../../../src/domain/errors.ts';
import { checkAlias } from '../../../src/engine/docs/alias.ts';
import { exactEntry, lookup } from '../../../src/engine/docs/lookup.ts';
import { plainerForm } from '../../../src/engine/docs/word-forms.ts';
import type { RegistryEntry } from '../../../src/ports/registry.ts';
import { createRegistry } from '../../../src/sources/registry/registry.ts';

let entries: readonly RegistryEntry[];
before(async () => {
  ({ entries } = await createRegistry().load());
});

test('adding takes an exact id or package name, never a near one', () => {
  assert.equal(exactEntry(entries, 'bun')?.id, 'bun');
  assert.equal(exactEntry(entries, 'drizzle-orm')?.id, 'drizzle');
  assert.equal(exactEntry(entries, '@AI-SDK/openai')?.id, 'ai-sdk');
  for (const name of ['java', 'reac', 'script', 'lang', ''])
    assert.equal(exactEntry(entries, name), undefined, name);
});

test('looking around is forgiving', () => {
  const ids = (query: string) => lookup(entries, query).map((match) => match.entry.id);
  assert.equal(ids('astro')[0], 'astro');
  assert.equal(ids('astor')[0], 'astro');
  assert.deepEqual(ids('supabase python'), ['supabase-python']);
  assert.ok(ids('orm').includes('prisma'));
  assert.deepEqual(ids('zzzzzz'), []);
  assert.deepEqual(ids('  '), []);
});

test('aliases: which are allowed and which are reserved', () => {
  for (const good of ['bun', 'React19', 'a', 'my_docs-2', 'x'.repeat(64)])
    assert.equal(checkAlias(good), good);
  for (const bad of [
    '',
    '1a',
    'a b',
    'a/b',
    'a.b',
    '../x',
    'x'.repeat(65),
    'List',
    'all',
    'mcp',
    'CON',
    'com1',
    'ä',
  ])
    assert.throws(
      () => checkAlias(bad),
      (error: VaiError) => error.code === 'INVALID_INPUT',
      bad,
    );
});

test('agent nouns as the words they come from', () => {
  for (const [word, form] of [
    ['bundler', 'bundle'],
    ['installer', 'install'],
    ['the runners', 'the run'],
    ['parsers', 'parse'],
    ['compiler', 'compil'],
    ['iterator', 'iterate'],
    ['user', undefined],
    ['"bundler"', undefined],
    ['-bundler', undefined],
  ] as const)
    assert.equal(plainerForm(word), form, word);
});
