// A process started in a project searches the project's collections and says so; it can be asked to look wider.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { localCall } from '../../src/engine/call.ts';
import { tempEngine, type TempEngine } from '../support/temp-engine.ts';
import { tempFolder } from '../support/temp-folder.ts';

const call = localCall();
const query = 'heron';
const home = tempFolder('scope');
let temp: TempEngine;

before(async () => {
  writeFileSync(
    join(home, '.vai.json'),
    JSON.stringify({ collection: 'ours', sources: [{ alias: 'birds' }, 'fish', { alias: '../x' }, 7] }),
  );
  temp = await tempEngine({ home });
  for (const collection of ['ours', 'birds', 'theirs'])
    await temp.engine.ingest.text(call, { collection, source: 'a', text: `A heron of ${collection}.` });
});
after(() => temp.close());

const scope = { project: '.vai.json', collections: ['birds', 'ours'], missing: ['fish'] };

test('a search that names nothing stays within, and says so and what is missing', async () => {
  const found = await temp.engine.search.run(call, { query, limit: 10 });
  assert.deepEqual(found.hits.map((hit) => hit.collection).sort(), ['birds', 'ours']);
  assert.deepEqual(found.scope, scope);
  assert.match(found.notices.map(({ message }) => message).join(), /not installed yet: fish\. `vai sync`/);
});

test('find and the graph stay within as well', async () => {
  const found = await temp.engine.docs.find(call, { query });
  assert.deepEqual(found.hits.map((hit) => hit.alias).sort(), ['birds/a', 'ours/a']);
  assert.deepEqual(found.scope, scope);
  const graph = await temp.engine.graph.search(call, { query, mode: 'naive', limit: 10 });
  assert.deepEqual(graph.results.map((hit) => hit.collection).sort(), ['birds', 'ours']);
  assert.deepEqual(graph.scope, scope);
});

test('each can be asked to look wider, or elsewhere', async () => {
  const everywhere = ['birds', 'ours', 'theirs'];
  const wide = await temp.engine.search.run(call, { query, limit: 10, collections: ['*'] });
  assert.deepEqual(wide.hits.map((hit) => hit.collection).sort(), everywhere);
  assert.equal(wide.scope, undefined);
  const found = await temp.engine.docs.find(call, { query, source: 'all' });
  assert.deepEqual(
    found.hits.map((hit) => hit.alias).sort(),
    everywhere.map((name) => `${name}/a`),
  );
  const other = await temp.engine.docs.find(call, { query, source: 'theirs' });
  assert.deepEqual([other.hits.map((hit) => hit.alias), other.scope], [['theirs/a'], undefined]);
  const graph = await temp.engine.graph.search(call, { query, mode: 'naive', limit: 10, collection: '*' });
  assert.deepEqual(graph.results.map((hit) => hit.collection).sort(), everywhere);
});

test('a collection that a flag names goes before the project', async () => {
  const flagged = await tempEngine({ home, flags: { defaultCollection: 'theirs' } });
  const found = await flagged.engine.search.run(call, { query, limit: 10 });
  assert.deepEqual([found.hits.map((hit) => hit.collection), found.scope], [['theirs'], undefined]);
  await flagged.engine.close();
});

test('what is no proper entry is left out and named', () => {
  assert.deepEqual(
    temp.settings.project?.sources.map(({ alias }) => alias),
    ['birds', 'fish'],
  );
  assert.match(temp.settings.warnings.join(), /an entry of `sources` without a proper `alias`/);
});
