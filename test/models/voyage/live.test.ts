// Talks to the real provider, and pays for a few tokens: only when a key is set.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createModels } from '../../../src/models/index.ts';

const key = process.env.VOYAGE_API_KEY;
const base = process.env.VOYAGE_API_BASE;

test(
  'live: embed and rerank with the default models',
  { skip: key ? false : 'VOYAGE_API_KEY is not set' },
  async () => {
    const models = createModels({
      settings: { providers: { voyage: { apiKey: key!, ...(base ? { baseUrl: base } : {}) } } },
      env: process.env,
      fetch,
      now: () => new Date(),
    });
    const documents = await models.embedder('voyage-4-large', 512);
    const queries = await models.embedder('voyage-4-lite', 512);
    const stored = await documents.embed(['The cat sleeps on the sofa.', 'Interest rates rose.'], {
      role: 'document',
    });
    const asked = await queries.embed(['Where is the cat?'], { role: 'query' });
    const dot = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    assert.ok(dot(asked.vectors[0]!, stored.vectors[0]!) > dot(asked.vectors[0]!, stored.vectors[1]!));
    assert.ok(stored.tokens > 0);
    const reranker = await models.reranker();
    const answer = await reranker.rerank(
      'Where is the cat?',
      [{ text: 'Interest rates rose.' }, { text: 'The cat sleeps.' }],
      {},
    );
    assert.equal(answer.order[0]!.index, 1);
    assert.deepEqual(await models.probe(), [{ id: 'voyage', title: 'Voyage AI', state: 'connected' }]);
  },
);
