// What the world sees of the tools before it calls one: names, order, what the specification asks of their inputs, hints.
// docs/reference.md has the inputs and outputs of every tool, and a test keeps it in step, so a change of the contract shows
// there. What the list may weigh: test/server/greetings.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SILENT } from '../../../src/server/log.ts';
import { compileSurface } from '../../../src/server/protocol/compile.ts';
import { ABOUT } from '../../../src/tools/about.ts';
import { createVaiToolset } from '../../../src/tools/vai/toolset.ts';

const toolset = createVaiToolset();
const surface = compileSurface([toolset], { log: SILENT, newId: () => 'id' });
const definitions = surface.tools.map((tool) => tool.definition);

test('the ten tools of the specification in its order, then vai_get', () => {
  assert.deepEqual(
    definitions.map(({ name }) => name),
    [
      'vai_query',
      'vai_search',
      'vai_rerank',
      'vai_embed',
      'vai_similarity',
      'vai_collections',
      'vai_models',
      'vai_ingest',
      'vai_explain',
      'vai_estimate',
      'vai_get',
    ],
  );
});

test('the instructions fit into 400 characters', () => {
  assert.ok(ABOUT.vai.instructions.length <= 400, `${ABOUT.vai.instructions.length}`);
});

const OPEN = ['vai_query', 'vai_search', 'vai_rerank', 'vai_embed', 'vai_similarity', 'vai_ingest'];
for (const { name, annotations, outputSchema, description, title } of definitions) {
  test(`${name}: hints of the specification, declared output`, () => {
    const writes = name === 'vai_ingest';
    assert.deepEqual(annotations, {
      readOnlyHint: !writes,
      destructiveHint: false,
      idempotentHint: !writes,
      openWorldHint: OPEN.includes(name),
    });
    assert.ok(outputSchema);
    assert.ok(title);
    assert.match(description, /\. /);
  });
}

/** The specification's inputs: name, and what must hold of its schema. */
const SPECIFIED: Record<string, Record<string, object>> = {
  vai_query: {
    query: { type: 'string', minLength: 1, maxLength: 5000 },
    db: { type: 'string' },
    collection: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 50, default: 5 },
    model: { type: 'string' },
    rerank: { type: 'boolean', default: true },
    filter: { type: 'object' },
  },
  vai_search: {
    query: { type: 'string', minLength: 1, maxLength: 5000 },
    db: { type: 'string' },
    collection: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    model: { type: 'string' },
    filter: { type: 'object' },
  },
  vai_rerank: {
    query: { type: 'string', minLength: 1, maxLength: 5000 },
    documents: { type: 'array', minItems: 1, maxItems: 100 },
    model: { enum: ['rerank-2.5', 'rerank-2.5-lite', 'builtin-rerank-1'] },
  },
  vai_embed: {
    text: { type: 'string', minLength: 1, maxLength: 32000 },
    model: { type: 'string' },
    inputType: { enum: ['document', 'query'], default: 'query' },
    dimensions: { type: 'integer' },
  },
  vai_similarity: {
    text1: { type: 'string', minLength: 1, maxLength: 32000 },
    text2: { type: 'string', minLength: 1, maxLength: 32000 },
    model: { type: 'string' },
  },
  vai_collections: { db: { type: 'string' } },
  vai_models: { category: { enum: ['embedding', 'rerank', 'all'], default: 'all' } },
  vai_ingest: {
    text: { type: 'string', minLength: 1 },
    db: { type: 'string' },
    collection: { type: 'string' },
    source: { type: 'string' },
    metadata: { type: 'object' },
    chunkStrategy: {
      enum: ['fixed', 'sentence', 'paragraph', 'recursive', 'markdown'],
      default: 'recursive',
    },
    chunkSize: { type: 'integer', minimum: 100, maximum: 8000, default: 512 },
    model: { type: 'string' },
  },
  vai_explain: { topic: { type: 'string' } },
  vai_estimate: {
    docs: { type: 'integer', minimum: 1 },
    queries: { type: 'integer', minimum: 0, default: 0 },
    months: { type: 'integer', minimum: 1, maximum: 60, default: 12 },
  },
};
const REQUIRED: Record<string, string[]> = {
  vai_query: ['query'],
  vai_search: ['query'],
  vai_rerank: ['query', 'documents'],
  vai_embed: ['text'],
  vai_similarity: ['text1', 'text2'],
  vai_collections: [],
  vai_models: [],
  vai_ingest: ['text'],
  vai_explain: ['topic'],
  vai_estimate: ['docs'],
};
for (const [name, fields] of Object.entries(SPECIFIED)) {
  test(`${name}: every input of the specification`, () => {
    const schema = definitions.find((definition) => definition.name === name)!.inputSchema;
    const properties = schema.properties as Record<string, Record<string, unknown>>;
    for (const [field, facts] of Object.entries(fields)) {
      for (const [key, value] of Object.entries(facts))
        assert.deepEqual(properties[field]?.[key], value, `${field}.${key}`);
    }
    assert.deepEqual(schema.required ?? [], REQUIRED[name]);
  });
}

test('no input is a path of the server', () => {
  const names = definitions.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties as object));
  for (const name of names) assert.doesNotMatch(name, /path|file|folder|dir|uri|url/i);
});

test('a reranker added to the catalogue is offered', () => {
  const own = createVaiToolset({ rerankModels: ['rerank-3'] }).tools.find(
    ({ name }) => name === 'vai_rerank',
  )!;
  assert.equal(own.input.safeParse({ query: 'q', documents: ['d'], model: 'rerank-3' }).success, true);
  assert.equal(own.input.safeParse({ query: 'q', documents: ['d'], model: 'voyage-4' }).success, false);
});
