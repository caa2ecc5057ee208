// Retrieval by relations: when it takes part, how strongly, and that it does not push away what already answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { coveredShare } from '../../../src/engine/graph/coverage.ts';
import { ledTo, type Lead } from '../../../src/engine/graph/leads.ts';
import { chunksNamed, COMMON, phraseKeys, rarity } from '../../../src/engine/graph/query-names.ts';
import { graphKey } from '../../../src/domain/name-key.ts';
import type { GraphReads } from '../../../src/ports/graph-store.ts';
import type { StoredChunk } from '../../../src/ports/store.ts';
import { call, using } from '../../support/graph-folder.ts';

test('the share of a question that a passage holds: by stem, without small words, any script', () => {
  const passage = '# Caching\n\nThe gateways cache replies in Redis.';
  assert.equal(coveredShare('What does the gateway cache?', passage), 1);
  assert.equal(coveredShare('Which gateway caches tokens?', passage), 2 / 3);
  assert.equal(coveredShare('glaciers', passage), 0);
  assert.equal(coveredShare('what is the', passage), 0);
  assert.equal(coveredShare('', passage), 0);
  assert.equal(coveredShare('漢字', '国際化と漢字かな交じり文'), 1);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 400 }), (question, text) => {
      const share = coveredShare(question, text);
      assert.ok(share >= 0 && share <= 1);
      assert.ok(coveredShare(question, `${text}\n${question}`) >= share);
    }),
  );
});

test('a passage that says all of the question stays before pages about the names in it', () =>
  using(async (folder) => {
    for (const name of ['Redis', 'Kafka', 'Vault', 'Envoy'])
      for (let part = 0; part < 3; part++)
        folder.write(
          `${name}-${part}.md`,
          `# ${name}\n\n${name} has a page of its own, number ${part}. ${name} is told of here with Redis and Kafka.\n`,
        );
    folder.write(
      'answer.md',
      '# Rotation\n\nLeases of Redis and Kafka expire when Vault rotates the root seal.\n',
    );
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const query = {
      query: 'Leases of Redis and Kafka expire when Vault rotates the root seal',
      collections: ['docs'],
      limit: 5,
    };
    const plain = await engine.search.run(call, { ...query, mode: 'hybrid' });
    const graph = await engine.search.run(call, { ...query, mode: 'graph' });
    assert.equal(plain.hits[0]?.path, 'answer.md');
    // All is said there, so relations have no say: the same hits with the same scores.
    assert.deepEqual(
      graph.hits.map((hit) => [hit.path, hit.score]),
      plain.hits.map((hit) => [hit.path, hit.score]),
    );
    const open = {
      ...query,
      query: 'When does what Vault protects expire in Redis clusters of the other region?',
    };
    const walked = await engine.search.run(call, { ...open, mode: 'graph' });
    assert.ok(
      walked.hits.some((hit) => hit.scores.relations !== undefined),
      'with words left over they have',
    );
  }));

test('names give most of what they are worth to the chunks about them, the rarer name more', () => {
  const names = new Map([
    ['rare', { chunks: ['a', 'b'], about: ['b'] }],
    ['known', { chunks: ['a', 'c', 'd', 'e'], about: [] }],
    ['common', { chunks: Array.from({ length: COMMON }, (_, at) => `m${at}`), about: ['m7'] }],
  ]);
  const scores = new Map(chunksNamed(names).map(({ id, score }) => [id, score]));
  assert.ok(Math.abs(scores.get('b')! - (rarity(2) * 17) / 18) < 1e-12);
  assert.ok(Math.abs(scores.get('a')! - rarity(2) / 18 - rarity(4) / 4) < 1e-12, 'two names are added up');
  assert.equal(scores.get('c'), rarity(4) / 4);
  assert.deepEqual(
    [...scores.keys()].sort(),
    ['a', 'b', 'c', 'd', 'e', 'm7'],
    'common: only what is about it',
  );
  assert.ok(rarity(1) > rarity(2) && rarity(0) === rarity(1));
});

test('every phrase of a question is something it says itself', () => {
  const keys = phraseKeys('Where does the Nelson River end?');
  for (const phrase of ['River', 'Nelson River', 'the Nelson River'])
    assert.ok(keys.has(graphKey(phrase)), phrase);
  for (const phrase of ['Hudson Bay', 'Nelson end', 'Where']) assert.ok(!keys.has(graphKey(phrase)), phrase);
});

/** A mention index of these chunks. */
function indexOf(held: Record<string, string[]>): GraphReads {
  const chunksWithMentions: GraphReads['chunksWithMentions'] = async (keys, { limit }) =>
    new Map(
      keys.map((key) => [
        key,
        Object.keys(held)
          .filter((id) => held[id]!.includes(key))
          .slice(0, limit),
      ]),
    );
  return { chunksWithMentions } as GraphReads;
}

const bridge = (score: number, text: string): Lead => ({
  score,
  chunk: { id: 'bridge', title: 'Old Bridge', headingPath: ['Old Bridge'], text } as unknown as StoredChunk,
});

test('a passage leads on over the names of the sentence that says most of the question', async () => {
  const text =
    'Built by J. P. Walker. The Old Bridge crosses the Avon Water near a mill. It was painted by Rosa Lund in spring.';
  const graph = indexOf({
    bridge: ['oldbridge', 'avonwater', 'rosalund'],
    river: ['avonwater', '#avonwater'],
    mill: ['avonwater'],
    painter: ['rosalund', '#rosalund'],
    other: ['oldbridge'],
  });
  const question = 'Where does the water that the Old Bridge crosses end?';
  const led = new Map(
    (await ledTo(graph, question, [bridge(1, text)], undefined)).map(({ id, score }) => [id, score]),
  );
  assert.deepEqual(
    [...led.keys()].sort(),
    ['mill', 'painter', 'river'],
    'not itself, not what is asked by name',
  );
  assert.ok(
    Math.abs(led.get('river')! / led.get('mill')! - 1.5) < 1e-12,
    'the page about the name before a mention',
  );
  assert.ok(led.get('mill')! > led.get('painter')!);
  const half = await ledTo(graph, question, [bridge(0.5, text)], undefined);
  for (const { id, score } of half) assert.ok(Math.abs(score - led.get(id)! / 2) < 1e-12);
  assert.deepEqual(await ledTo(graph, question, [], undefined), []);
});

test('a name that many chunks hold leads nowhere', async () => {
  const many = Object.fromEntries(Array.from({ length: COMMON }, (_, at) => [`c${at}`, ['avonwater']]));
  const text = 'The Old Bridge crosses the Avon Water.';
  const found = await ledTo(indexOf(many), 'What does the Old Bridge cross?', [bridge(1, text)], undefined);
  assert.deepEqual(found, []);
  const fewer = Object.fromEntries(Object.entries(many).slice(1));
  const led = await ledTo(indexOf(fewer), 'What does the Old Bridge cross?', [bridge(1, text)], undefined);
  assert.equal(led.length, COMMON - 1);
});

test('what the question only describes is found over the page that names it', () =>
  using(async (folder) => {
    folder.write(
      'bridge.md',
      '# Old Bridge of Harn\n\nThe bridge of Harn crosses the Avon Water near a mill.\n',
    );
    folder.write('water.md', '# Streams\n\nThe Avon Water rises among heather and joins the Clyde.\n');
    for (let n = 0; n < 30; n += 1)
      folder.write(
        `town-${n}.md`,
        `# Town ${n}\n\nA stream of this town rises somewhere, and a bridge crosses it.\n`,
      );
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const query = 'Where does the stream rise that the bridge of Harn crosses?';
    const placeOf = async (mode: 'hybrid' | 'graph') =>
      (await engine.search.run(call, { query, collections: ['docs'], limit: 40, mode })).hits.findIndex(
        ({ path }) => path === 'water.md',
      );
    assert.equal(await placeOf('graph'), 1);
    assert.ok((await placeOf('hybrid')) > 1);
  }));
