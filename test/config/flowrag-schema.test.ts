// What may stand in flowrag.config.json: each mistake is told with its place.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkFlowragFile, type FlowragFile } from '../../src/config/flowrag-schema.ts';

class Problem extends Error {}

const check = (value: unknown): FlowragFile =>
  checkFlowragFile(value, (keys, problem) => {
    throw new Problem(`${keys.join('.')}: ${problem}`);
  });

const refused = (value: unknown, message: RegExp): void =>
  assert.throws(
    () => check(value),
    (thrown) => thrown instanceof Problem && message.test(thrown.message),
    JSON.stringify(value)?.slice(0, 200),
  );

describe('flowrag.config.json', () => {
  it('is taken as it is written', () => {
    const file = {
      data: './data',
      docs: './docs',
      include: ['*.md'],
      exclude: ['tmp'],
      maxBytes: 1,
      schema: {
        entityTypes: ['SERVICE', 'My Type', 'SERVICE'],
        relationTypes: ['USES'],
        reverseFlow: [],
        documentFields: { status: { type: 'enum', values: ['a', 'b'], default: 'b', filterable: true } },
        entityFields: { note: {} },
        relationFields: { why: { type: 'string', default: 'x', filterable: false } },
        lexicon: { SERVICE: ['api'] },
        aliases: { api: ['the api'] },
      },
      embedder: { provider: 'builtin' },
      extractor: { provider: 'rules', maxCost: 0 },
    };
    assert.deepEqual(check(file), {
      ...file,
      warnings: [],
      schema: {
        ...file.schema,
        entityTypes: ['SERVICE', 'My Type'],
        entityFields: { note: { type: 'string' } },
        relationFields: { why: { type: 'string', default: 'x' } },
      },
      embedder: check({ embedder: { provider: 'builtin' } }).embedder,
      extractor: check({ extractor: { provider: 'rules', maxCost: 0 } }).extractor,
    });
    assert.deepEqual(check({}), { warnings: [] });
  });

  it('is one object, with keys we know', () => {
    for (const value of [null, [], 'x', 7]) refused(value, /^: the file must contain one JSON object$/);
    refused({ dcs: 'x' }, /^dcs: there is no key `dcs` here; did you mean `docs`\?$/);
    refused({ ['x'.repeat(100)]: 1 }, new RegExp(`there is no key \`${'x'.repeat(60)}\` here$`));
    refused({ schema: { entityType: [] } }, /did you mean `entityTypes`/);
    const { warnings } = check({ namespace: 'a', port: 1 });
    assert.equal(warnings.length, 2);
    assert.match(warnings[0]!, /^`namespace` in the FlowRAG config has no effect here/);
  });

  it('has texts, lists and numbers where they belong', () => {
    for (const data of [7, '', '  ', 'x'.repeat(4_097), null])
      refused({ data }, /^data: `data` must be a text$/);
    assert.equal(check({ docs: 'x'.repeat(4_096) }).docs!.length, 4_096);
    refused({ include: 'a' }, /^include: `include` must be a list of texts$/);
    refused({ exclude: ['a', 7] }, /^exclude\.1: `exclude\.1` must be a text$/);
    refused({ include: Array(501).fill('a') }, /list of texts/);
    assert.equal(check({ include: Array(500).fill('a') }).include!.length, 500);
    for (const maxBytes of [0, -1, 1.5, '7', null])
      refused({ maxBytes }, /^maxBytes: `maxBytes` must be a whole number above 0$/);
  });

  it('has types with names, at least one of each', () => {
    refused({ schema: [] }, /^schema: `schema` must be an object$/);
    refused({ schema: { entityTypes: [] } }, /^schema\.entityTypes: `entityTypes` must not be empty$/);
    refused({ schema: { relationTypes: [] } }, /must not be empty/);
    refused({ schema: { entityTypes: ['A', '1x'] } }, /^schema\.entityTypes\.1: a type is up to 64 letters/);
    refused({ schema: { entityTypes: ['A'.repeat(65)] } }, /a type is up to 64/);
    assert.equal(check({ schema: { entityTypes: ['A'.repeat(64)] } }).schema!.entityTypes!.length, 1);
    refused({ schema: { lexicon: ['a'] } }, /^schema\.lexicon: `lexicon` must be an object of lists$/);
    refused({ schema: { aliases: { a: 'b' } } }, /^schema\.aliases\.a: .* must be a list of texts$/);
  });

  it('has fields that are defined whole', () => {
    const field = (definition: unknown) => ({ schema: { entityFields: { f: definition } } });
    refused({ schema: { entityFields: [] } }, /^schema\.entityFields: `entityFields` must be an object/);
    refused(field('x'), /^schema\.entityFields\.f: the field `f` must be an object$/);
    refused(field({ type: 'number' }), /^schema\.entityFields\.f\.type: a field is of type string or enum$/);
    refused(field({ type: 'enum' }), /^schema\.entityFields\.f: the enum `f` needs `values`$/);
    refused(field({ type: 'enum', values: [] }), /needs `values`/);
    refused(
      field({ type: 'enum', values: ['a'], default: 'b' }),
      /^schema\.entityFields\.f\.default: the default must be one of the values$/,
    );
    refused(field({ default: 7 }), /\.default` must be a text$/);
    refused(field({ typ: 'x' }), /there is no key `typ` here; did you mean `type`\?/);
    assert.deepEqual(check(field({ values: ['a'], default: 'z' })).schema!.entityFields, {
      f: { type: 'string', values: ['a'], default: 'z' },
    });
  });

  it('names providers that can do the work', () => {
    refused({ embedder: 'builtin' }, /^embedder: .* must be an object such as \{ "provider": "voyage" \}$/);
    refused({ extractor: 7 }, /^extractor: .* must be an object such as \{ "provider": "builtin" \}$/);
    refused({ embedder: {} }, /^embedder\.provider: `embedder\.provider` must be a text$/);
    refused({ embedder: { provider: 'nobody' } }, /`embedder\.provider` must be one of .*builtin/);
    refused({ embedder: { provider: 'rules' } }, /^embedder\.provider: `rules` has no embedder; use one of /);
    refused({ extractor: { provider: 'voyage' } }, /^extractor\.provider: `voyage` has no extractor/);
    refused({ embedder: { provider: 'builtin', maxCost: 1 } }, /^embedder\.maxCost: there is no key/);
    refused({ extractor: { provider: 'rules', dimensions: 1 } }, /^extractor\.dimensions: there is no key/);
    refused({ embedder: { provider: 'builtin', dimensions: 0 } }, /whole number above 0/);
    for (const maxCost of ['1', -1, NaN])
      refused(
        { extractor: { provider: 'rules', maxCost } },
        /^extractor\.maxCost: `maxCost` must be an amount/,
      );
    refused({ embedder: { provider: 'openai' } }, /^embedder: `openai` needs a `model`$/);
    const { embedder } = check({ embedder: { provider: 'openai', model: 'nomic', dimensions: 8 } });
    assert.deepEqual([embedder!.provider, embedder!.dimensions], ['openai', 8]);
    assert.match(embedder!.model, /nomic$/);
    const extractor = { provider: 'rules', model: 'rules' };
    assert.deepEqual(check({ extractor: { provider: 'rules' } }).extractor, extractor);
    assert.deepEqual(check({ extractor: { ...extractor, maxCost: 0 } }).extractor, {
      ...extractor,
      maxCost: 0,
    });
  });
});
