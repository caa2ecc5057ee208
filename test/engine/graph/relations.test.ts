// Retrieval by relations: when it takes part, how strongly, and that it does not push away what already answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { coveredShare } from '../../../src/engine/graph/coverage.ts';
import { walk } from '../../../src/engine/graph/walk.ts';
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

test('a walk goes from the names to the page that is about them, and its numbers are always the same', () => {
  // One name, held by three chunks, is the topic of the last one; a second name links the first chunk to a fourth.
  const place = {
    chunks: ['seed', 'other', 'topic', 'far'],
    names: ['name', 'bridge'],
    rarity: [1, 1],
    links: [
      [
        { name: 0, weight: 1 },
        { name: 1, weight: 1 },
      ],
      [{ name: 0, weight: 1 }],
      [{ name: 0, weight: 17 }],
      [{ name: 1, weight: 1 }],
    ],
  };
  const start = { seeds: new Map([['seed', 1]]), names: new Map([['name', []]]) };
  const scores = walk(place, start);
  const at = (id: string) => scores.get(id)!;
  assert.ok(at('topic') > at('other') && at('seed') > at('other'));
  assert.ok(at('far') > 0, 'what no name of the question leads to is reached over a shared one');
  assert.deepEqual([...walk(place, start)], [...scores]);
});
