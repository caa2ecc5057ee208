import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createModels, type ModelSettings } from '../../src/models/index.ts';
import { ATLAS_BASE, endpointWarning, voyageBase, VOYAGE_BASE } from '../../src/models/voyage/endpoint.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = tempFolder('models');

const noNetwork: typeof fetch = () => {
  throw new Error('the network was touched');
};
const models = (settings: ModelSettings = {}) =>
  createModels({ settings, env: {}, fetch: noNetwork, now: () => new Date(0) });
const KEYED: ModelSettings = { providers: { voyage: { apiKey: 'pa-0123456789' } } };

test('defaults: built-in without a key, Voyage with one', () => {
  assert.deepEqual(models().defaults(), { embedding: 'builtin-embed-1', rerank: 'builtin-rerank-1' });
  assert.deepEqual(models(KEYED).defaults(), { embedding: 'voyage-4-large', rerank: 'rerank-2.5' });
});

test('the catalogue: current before legacy, hidden left out, numbers everywhere', () => {
  const list = models().list();
  const states = list.map((model) => model.status);
  assert.ok(!states.includes('hidden'));
  assert.ok(states.lastIndexOf('current') < states.indexOf('legacy'));
  assert.equal(list.length, 21);
  for (const model of list) {
    assert.ok(model.contextTokens > 0, model.name);
    assert.ok(model.pricePerMToken >= 0, model.name);
    if (model.type === 'rerank') assert.deepEqual(model.dimensions, []);
    else assert.equal(model.defaultDimensions, model.dimensions[0]);
  }
  assert.equal(new Set(list.map((model) => model.name)).size, list.length);
  assert.equal(models().info('voyage-4-large')?.rteb, 71.41);
  assert.equal(models().info('voyage-4-large')?.batchTokens, 120_000);
});

test('shared space: only the voyage-4 models', () => {
  const known = models();
  const space = (name: string): string => known.space(name);
  assert.equal(space('voyage-4-large'), space('voyage-4-lite'));
  assert.notEqual(space('voyage-3.5'), space('voyage-3.5-lite'));
  assert.equal(space('unheard-of'), 'unheard-of');
});

test('refusals before the network', async () => {
  const keyed = models(KEYED);
  await assert.rejects(keyed.embedder('rerank-2.5'), { code: 'MODEL_UNSUPPORTED' });
  await assert.rejects(keyed.reranker('voyage-4'), { code: 'MODEL_UNSUPPORTED' });
  await assert.rejects(keyed.embedder('voyage-4-large', 333), /does not make vectors of 333/);
  await assert.rejects(keyed.embedder('voyage-finance-2', 512), { code: 'MODEL_UNSUPPORTED' });
  await assert.rejects(keyed.embedder('voyage-4-nano'), /local only/);
  await assert.rejects(keyed.embedder('voyage-context-3'), { code: 'MODEL_UNSUPPORTED' });
});

test('a hosted model without its key says what to do', async () => {
  await assert.rejects(models().embedder('voyage-4'), (error: Error & { code: string; hint: string }) => {
    assert.equal(error.code, 'CONFIG_MISSING');
    assert.match(error.hint, /VOYAGE_API_KEY/);
    return true;
  });
  await assert.rejects(models().reranker('rerank-2.5'), { code: 'CONFIG_MISSING' });
  await assert.rejects(models().embedder('gemini-embedding-001'), { code: 'CONFIG_MISSING' });
  await assert.rejects(
    models().embedder('voyage-4-larg'),
    (error: Error & { code: string; suggestions: string[] }) => {
      assert.equal(error.code, 'MODEL_UNSUPPORTED');
      assert.equal(error.suggestions[0], 'voyage-4-large');
      return true;
    },
  );
});

test('an unknown name is handed to the provider as it is', async () => {
  const embedder = await models(KEYED).embedder('voyage-9-experimental');
  assert.equal(embedder.model, 'voyage-9-experimental');
  assert.equal(embedder.dimensions, 1024);
});

test("the user's file adds and overrides", async () => {
  const file = join(root, 'models.json');
  writeFileSync(
    file,
    JSON.stringify({
      models: [
        { name: 'voyage-4-large', pricePerMToken: 0.1 },
        { name: 'rerank-3', type: 'rerank', contextTokens: 32000, pricePerMToken: 0.05 },
      ],
    }),
  );
  const own = models({ ...KEYED, models: file });
  assert.equal(own.info('voyage-4-large')?.pricePerMToken, 0.1);
  assert.equal(own.info('voyage-4-large')?.sharedSpace, 'voyage-4');
  assert.equal((await own.reranker('rerank-3')).model, 'rerank-3');
});

for (const [what, text] of [
  ['no JSON', 'SECRET {'],
  ['no list', '{"models": {"SECRET": 1}}'],
  ['a nameless entry', '[{"type": "SECRET"}]'],
  ['an entry without type', '[{"name": "x", "contextTokens": 5, "pricePerMToken": 1, "bestFor": "SECRET"}]'],
  [
    'an embedding without dimensions',
    '[{"name": "x", "type": "embedding", "contextTokens": 5, "pricePerMToken": 1}]',
  ],
] as const) {
  test(`a model file with ${what} is refused without its content`, () => {
    const file = join(root, `${what.replaceAll(' ', '-')}.json`);
    writeFileSync(file, text);
    assert.throws(
      () => models({ models: file }).list(),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'CONFIG_INVALID');
        assert.doesNotMatch(error.message, /SECRET|\//);
        return true;
      },
    );
  });
}

test('endpoints by key kind, an override for either', () => {
  assert.equal(voyageBase('pa-x'), VOYAGE_BASE);
  assert.equal(voyageBase('al-x'), ATLAS_BASE);
  assert.equal(voyageBase('other'), ATLAS_BASE);
  for (const key of ['pa-x', 'al-x'])
    assert.equal(voyageBase(key, 'https://gate.example/v1//'), 'https://gate.example/v1');
  assert.match(endpointWarning('pa-x', ATLAS_BASE)!, /different issuers/);
  assert.equal(endpointWarning('pa-x', 'https://gate.example/v1'), undefined);
});

test('probe: not configured without a key, unreachable without a network, never a paid call', async () => {
  const voyage = { id: 'voyage', title: 'Voyage AI' };
  assert.deepEqual(await models().probe(), []);
  assert.deepEqual(await models(KEYED).probe(), [{ ...voyage, state: 'unreachable' }]);
  const seen: string[] = [];
  const answering = createModels({
    settings: KEYED,
    env: {},
    now: () => new Date(0),
    fetch: async (_, init) => {
      seen.push(init?.body as string);
      return new Response('', { status: 400 });
    },
  });
  assert.deepEqual(await answering.probe(), [{ ...voyage, state: 'connected' }]);
  assert.deepEqual(await answering.probe(), [{ ...voyage, state: 'connected' }]);
  assert.deepEqual(seen, ['{}']);
  const refusing = createModels({
    settings: KEYED,
    env: {},
    now: () => new Date(0),
    fetch: async (_, init) => new Response('', { status: init?.method === 'POST' ? 401 : 404 }),
  });
  assert.deepEqual(await refusing.probe(), [{ ...voyage, state: 'unauthorized' }]);
});

test('a key at the other issuer is worth a warning', () => {
  assert.deepEqual(models(KEYED).warnings(), []);
  assert.match(
    models({ providers: { voyage: { apiKey: 'pa-x', baseUrl: ATLAS_BASE } } }).warnings()[0]!,
    /different issuers/,
  );
});
