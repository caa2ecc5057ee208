// What the rules must not take for names. Each line is of a kind met in real documentation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_SCHEMA } from '../../../src/domain/graph-settings.ts';
import { createRulesExtractor } from '../../../src/models/rules/index.ts';

async function read(text: string) {
  const input = { text, path: 'a.md', startLine: 1, headingPath: [] };
  const { entities, relations } = await createRulesExtractor().extract(input, DEFAULT_SCHEMA, {});
  return {
    names: entities.map((entity) => `${entity.name}:${entity.type}`),
    relations: relations.map((relation) => `${relation.source} ${relation.type} ${relation.target}`),
  };
}

test('instructions, stressed words, flags and any one of a kind name nothing', async () => {
  for (const text of [
    'Require server certificates to match the host.',
    '<p>Require server certificates to match the host.</p>',
    'The controller watches the corresponding service for changes.',
    'Traffic goes to the referenced service.',
    'Pass --storage-driver-db to name where usage is written.',
    'Current service: the one that is selected.',
    'Clients **MUST** use a token.',
  ])
    assert.deepEqual((await read(text)).names, [], text);
});

test('a pronoun is no name in any case, however often it acts', async () => {
  const novel = `# The Chase

The **Captain** saw Him and Me. Him the crew feared; me the crew obeyed. The mate followed him. Queequeg told me.

- Him: the whale
- Me: the sailor
- Myself
`;
  const { names } = await read(novel);
  assert.deepEqual(
    names.filter((name) => /^(?:him|me|myself):/i.test(name)),
    [],
    names.join(', '),
  );
});

test('after a comma a bare verb tells the reader what to do', async () => {
  const told = await read('Once the Billing Service is Running and Ready, use Redis to look at its keys.');
  assert.deepEqual(told.relations, []);
  const said = await read('The Billing Service, which uses Redis, sends letters.');
  assert.deepEqual(said.relations, ['Billing Service USES Redis']);
});

test('a cell that says all or none is no name', async () => {
  const { relations } = await read(
    '| Service | Uses |\n|---|---|\n| Billing Service | Redis |\n| Auth Service | None |\n| All | TCP |\n| Self | TCP |\n',
  );
  assert.deepEqual(relations, ['Billing Service USES Redis']);
});

test('names written like those are still names', async () => {
  const { names } = await read(
    'The billing service uses Redis. Listener Service uses etcd. The refund requested event is read by the Mail Service.',
  );
  for (const name of [
    'billing service:SERVICE',
    'Listener Service:SERVICE',
    'Mail Service:SERVICE',
    'Redis:DATABASE',
  ])
    assert.ok(names.includes(name), `${name} in ${names.join(', ')}`);
});

test('what the document has a heading for and relates to something is a concept', async () => {
  const { names } = await read(
    '# Deployments\n\nA Deployment manages a Widget.\n\nThe Gadget uses a Deployment.\n',
  );
  assert.ok(names.includes('Deployment:CONCEPT'), names.join(', '));
});

test('what tells the reader what to do, and an "it" that means nothing, relate nothing', async () => {
  for (const text of [
    'The Billing Service uses Redis. It is possible to use MySQL.',
    'The Billing Service uses Redis. For the Billing Service, use MySQL.',
  ])
    assert.deepEqual((await read(text)).relations, ['Billing Service USES Redis'], text);
});

test('a relation that the schema has no type for points the way its verb does', async () => {
  const { relations } = await read(
    'The Search Cluster contains Elasticsearch. Kibana is hosted by the Search Cluster.',
  );
  assert.ok(relations.includes('Search Cluster OTHER Elasticsearch'), relations.join());
});
