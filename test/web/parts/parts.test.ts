import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addEntity,
  addRelation,
  createModel,
  relationsOf,
  typesOf,
} from '../../../src/web/parts/graph-model.ts';
import { overview } from '../../../src/web/parts/graph-load.ts';
import { available, mergeGraph } from '../../../src/web/parts/retrieve.ts';

const hit = (citation: string, score: number, entities: string[] = []) => ({
  path: 'p',
  headingPath: ['Title', 'Part'],
  citation,
  content: 'text',
  score,
  entities,
});

test('two graph searches become one list: scaled, added up, narrowed to a collection', () => {
  const local = { results: [hit('a/x.md:1-2', 8, ['Auth']), hit('b/y.md:1-2', 4)] };
  const global = { results: [hit('a/x.md:1-2@0123abcd', 3, ['Users'])] };
  const all = mergeGraph([local, global], '');
  assert.deepEqual(
    all.map(({ key, score }) => [key, score]),
    [
      ['a/x.md:1-2', 1],
      ['b/y.md:1-2', 0.25],
    ],
  );
  assert.deepEqual(all[0]?.entities, ['Auth', 'Users']);
  assert.deepEqual(
    mergeGraph([local, global], 'b').map(({ key }) => key),
    ['b/y.md:1-2'],
  );
  assert.deepEqual(mergeGraph([{ results: [] }, { results: [] }], ''), []);
});

test('a column without its tool is not offered', () => {
  assert.deepEqual(available(new Set(['vai_search'])), ['hybrid', 'words', 'meaning']);
  assert.deepEqual(available(new Set(['flowrag_search'])), ['relations']);
});

test('the model of the graph grows and forgets nothing it knew', () => {
  const model = createModel();
  addEntity(model, { name: 'A', type: 'SERVICE', description: 'first' });
  const evidence = [{ path: 'p', startLine: 1, endLine: 1, headingPath: [], citation: 'c/p:1' }];
  const key = addRelation(model, { source: 'A', type: 'USES', target: 'B', evidence, evidenceTotal: 1 });
  addRelation(model, { source: 'A', type: 'USES', target: 'B' });
  addEntity(model, { name: 'A', type: 'SERVICE' });
  assert.equal(model.relations.get(key)?.evidence.length, 1);
  assert.equal(model.entities.get('A')?.description, 'first');
  assert.deepEqual(typesOf(model), [
    ['OTHER', 1],
    ['SERVICE', 1],
  ]);
  assert.equal(relationsOf(model, 'B').length, 1);
});

test('the picture begins with what is connected', () => {
  const entity = (name: string, relationCount: number) => ({
    name,
    type: 'X',
    description: '',
    relationCount,
    evidence: [],
    evidenceTotal: 0,
  });
  const names = (list: { name: string }[]): string => list.map(({ name }) => name).join('');
  assert.equal(names(overview([entity('a', 0), entity('b', 1), entity('c', 5)])), 'cb');
  assert.equal(names(overview([entity('a', 0), entity('b', 0)])), 'ab');
});
