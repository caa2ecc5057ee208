import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { explain, TOPICS } from '../../../src/engine/explain/explain.ts';

/** The rows of the reference page that must be there, with their aliases. */
const CORE: Record<string, string> = {
  embeddings: 'embed, embedding',
  reranking: 'rerank',
  'vector-search': 'vectors, vectorsearch, search',
  rag: '',
  'cosine-similarity': 'cosine, similarity',
  'two-stage-retrieval': 'two-stage, twostage',
  'input-type': 'inputtype',
  models: 'model, cost, prices',
  'api-keys': 'keys, apikeys, api-key',
  'api-access': 'access, atlas-vs-voyage, atlas-key, platform-key, endpoints, endpoint, authentication, auth',
  'batch-processing': 'batch, batching',
  quantization: 'quantize, output-dtype, dtype, int8, binary, ubinary, matryoshka, flexible-dimensions',
  benchmarking: 'benchmark, model-selection, choosing',
  'mixture-of-experts': 'moe, moe-architecture, experts, sparse',
  'shared-embedding-space': 'shared-space, embedding-space, interchangeable, compatible',
  'rteb-benchmarks': 'rteb, scores, leaderboard',
  'voyage-4-nano': 'nano, open-weight, huggingface',
  chat: 'vai-chat, rag-chat, conversation, conversational, chat-history, llm',
  'local-inference': 'local, local-embedding, local-embeddings, python-bridge, bridge, nano-setup, offline',
  'multimodal-embeddings':
    'multimodal, multimodal-3, multimodal-3.5, voyage-multimodal, voyage-multimodal-3, voyage-multimodal-3.5, image-embedding, image-embeddings',
  'provider-comparison':
    'providers, voyage-vs-openai, openai-vs-voyage, voyage-vs-anthropic, anthropic-vs-voyage, openai-vs-anthropic, anthropic-vs-openai, voyage-openai-anthropic, differences, which-provider, compare-providers, embedding-providers, vs-openai, vs-anthropic, competitors, alternatives',
  'auto-embedding':
    'auto-embed, autoembed, automatic-embedding, automatic-embeddings, atlas-auto-embed, mongodb-auto-embedding, zero-code',
  chunking: 'chunk, chunk-size, overlap, tokens, truncation',
  filters: 'filter, pre-filter',
  mcp: 'mcp-server, tools',
  'hybrid-search': '',
  'knowledge-graphs': '',
  citations: '',
};

for (const [topic, aliases] of Object.entries(CORE)) {
  test(`${topic} and its aliases`, () => {
    assert.equal(explain(topic).topic, topic);
    assert.equal(explain(topic).matchedFrom, undefined);
    for (const alias of aliases.split(', ').filter(Boolean)) {
      assert.equal(explain(alias).topic, topic, alias);
      assert.equal(explain(alias).matchedFrom, alias);
    }
  });
}

test('at least 30 topics, each complete', () => {
  assert.ok(TOPICS.length >= 30, `${TOPICS.length}`);
  const names = new Set(TOPICS.map((topic) => topic.name));
  assert.equal(names.size, TOPICS.length);
  const aliases = TOPICS.flatMap((topic) => topic.aliases);
  assert.equal(new Set(aliases).size, aliases.length, 'an alias names one topic');
  for (const alias of aliases) assert.ok(!names.has(alias), alias);
  for (const topic of TOPICS) {
    assert.ok(topic.tryIt.length >= 1, topic.name);
    for (const command of topic.tryIt) assert.match(command, /^(vai|blz|flowrag-mcp) /, command);
    for (const related of topic.related) assert.ok(names.has(related), `${topic.name} → ${related}`);
    assert.ok(!topic.related.includes(topic.name));
    // No terminal escapes, whatever the environment says.
    assert.doesNotMatch(JSON.stringify(topic), /\\u001b/);
  }
});

for (const odd of [
  'constructor',
  '__proto__',
  'the',
  '',
  '  ',
  'toString',
  'a',
  'xyzzy',
  'hasOwnProperty',
  '\u001b[31m',
]) {
  test(`${JSON.stringify(odd)} is an unknown topic`, () => {
    assert.throws(
      () => explain(odd),
      (error: unknown) => {
        assert.ok(error instanceof VaiError);
        assert.equal(error.code, 'UNKNOWN_TOPIC');
        assert.ok((error.data?.topics as string[]).includes('embeddings'));
        assert.ok((error.suggestions?.length ?? 0) <= 5);
        assert.ok(!error.message.includes('\u001b'));
        return true;
      },
    );
  });
}

test('case, spaces and typing errors are forgiven', () => {
  assert.equal(explain('  Vector Search ').topic, 'vector-search');
  assert.equal(explain('RERANKING').topic, 'reranking');
  assert.equal(explain('modality gap').topic, 'modality-gap');
  assert.equal(explain('embedings').topic, 'embeddings');
  assert.equal(explain('quantisation').topic, 'quantization');
});

test('an unknown topic suggests what comes near', () => {
  assert.throws(
    () => explain('asymmetric costs'),
    (error: unknown) => error instanceof VaiError && error.suggestions!.includes('shared-embedding-space'),
  );
});
