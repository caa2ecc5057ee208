// Precision and recall of the rules on the labelled passages of this folder. The figures stand in docs/graph.md.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GraphSchema } from '../../../src/domain/graph.ts';
import { graphKey } from '../../../src/domain/name-key.ts';
import { createRulesExtractor } from '../../../src/models/rules/index.ts';
import { readPassages, type Passage } from './corpus/read.ts';

const schema = (entityTypes: string, relationTypes: string): GraphSchema => ({
  entityTypes: entityTypes.split(' '),
  relationTypes: relationTypes.split(' '),
  documentFields: {},
  entityFields: {},
  relationFields: {},
  reverseFlow: [],
});

const PLAIN = schema('SERVICE DATABASE PROTOCOL TEAM CONCEPT', 'USES PRODUCES CONSUMES OWNS DEPENDS_ON');
const EVENTS = schema('SERVICE DATABASE EVENT TOPIC', 'PUBLISHES SUBSCRIBES READS WRITES MONITORS');

interface Score {
  right: number;
  found: number;
  wanted: number;
  wrong: string[];
  missed: string[];
}

async function score(
  passages: Passage[],
  graph: GraphSchema,
): Promise<{ entities: Score; relations: Score }> {
  const extractor = createRulesExtractor();
  const entities: Score = { right: 0, found: 0, wanted: 0, wrong: [], missed: [] };
  const relations: Score = { right: 0, found: 0, wanted: 0, wrong: [], missed: [] };
  for (const passage of passages) {
    const got = await extractor.extract(
      { text: passage.text, headingPath: [], startLine: 1, path: passage.path },
      graph,
      {},
    );
    const lines = passage.text.split('\n').length;
    for (const item of [...got.entities, ...got.relations])
      assert.ok(
        item.startLine >= 1 && item.endLine <= lines,
        `${passage.id}: lines of ${JSON.stringify(item)}`,
      );
    const entity = (one: { name: string; of?: string; type: string }) =>
      `${graphKey(one.of ?? one.name)}:${one.type}`;
    const relation = (one: { source: string; type: string; target: string }) =>
      `${graphKey(one.source)} ${one.type} ${graphKey(one.target)}`;
    compare(entities, passage.id, new Set(got.entities.map(entity)), new Set(passage.entities.map(entity)));
    compare(
      relations,
      passage.id,
      new Set(got.relations.map(relation)),
      new Set(passage.relations.map(relation)),
    );
  }
  return { entities, relations };
}

function compare(total: Score, id: string, found: Set<string>, wanted: Set<string>): void {
  total.found += found.size;
  total.wanted += wanted.size;
  for (const item of found) {
    if (wanted.has(item)) total.right += 1;
    else total.wrong.push(`${id} ${item}`);
  }
  for (const item of wanted) if (!found.has(item)) total.missed.push(`${id} ${item}`);
}

test('precision and recall on the labelled passages', async (t) => {
  const passages = [...readPassages('prose'), ...readPassages('shape')];
  const events = readPassages('events');
  assert.ok(passages.length + events.length >= 60);
  const one = await score(passages, PLAIN);
  const two = await score(events, EVENTS);
  for (const kind of ['entities', 'relations'] as const) {
    const right = one[kind].right + two[kind].right;
    const precision = right / (one[kind].found + two[kind].found);
    const recall = right / (one[kind].wanted + two[kind].wanted);
    t.diagnostic(`${kind}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
    t.diagnostic(`${kind} wrong: ${[...one[kind].wrong, ...two[kind].wrong].join('; ')}`);
    t.diagnostic(`${kind} missed: ${[...one[kind].missed, ...two[kind].missed].join('; ')}`);
    assert.ok(precision >= 0.95, `${kind} precision ${precision}`);
    assert.ok(recall >= 0.85, `${kind} recall ${recall}`);
  }
});

test('passages written after the rules were fixed, and not tuned on', async (t) => {
  const found = await score(readPassages('heldout'), PLAIN);
  for (const kind of ['entities', 'relations'] as const) {
    const { right, found: got, wanted, wrong, missed } = found[kind];
    t.diagnostic(
      `held out ${kind}: precision ${(right / got).toFixed(3)}, recall ${(right / wanted).toFixed(3)}`,
    );
    t.diagnostic(`wrong: ${wrong.join('; ')}; missed: ${missed.join('; ')}`);
    assert.ok(right / got >= 0.85, `${kind} precision`);
    assert.ok(right / wanted >= 0.65, `${kind} recall`);
  }
});
