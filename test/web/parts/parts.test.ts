import assert from 'node:assert/strict';
import { test } from 'node:test';
import { place } from '../../../src/web/parts/graph-labels.ts';
import { layoutOf } from '../../../src/web/parts/graph-layout.ts';
import { addEntity, addRelation, createModel, relationsOf } from '../../../src/web/parts/graph-model.ts';
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
  const evidence = [{ citation: 'c/p:1' }];
  const key = addRelation(model, { source: 'A', type: 'USES', target: 'B', evidence, evidenceTotal: 1 });
  addRelation(model, { source: 'A', type: 'USES', target: 'B' });
  addEntity(model, { name: 'A', type: 'SERVICE' });
  assert.equal(model.relations.get(key)?.evidence.length, 1);
  assert.equal(model.entities.get('A')?.description, 'first');
  assert.equal(relationsOf(model, 'B').length, 1);
});

test('labels never lie over each other, and the important ones are there', () => {
  const labels = Array.from({ length: 500 }, (_, at) => ({
    ...{ text: `n${at}`, x: (at * 37) % 800, below: (at * 53) % 500, above: ((at * 53) % 500) - 20 },
    ...{ weight: at % 100, strong: false },
  }));
  const placed = place(labels, () => 60, { width: 800, height: 500 });
  assert.ok(placed.length > 50 && placed.length < 500);
  for (const [at, { box }] of placed.entries())
    for (const { box: other } of placed.slice(at + 1))
      assert.ok(
        box.right <= other.left ||
          other.right <= box.left ||
          box.bottom <= other.top ||
          other.bottom <= box.top,
      );
  assert.equal(placed[0]!.label.weight, 99);
  assert.deepEqual(
    place([{ ...labels[0]!, x: -500 }], () => 60, { width: 800, height: 500 }),
    [],
  );
});

test('thousands of nodes get places of their own, the same ones every time', () => {
  const edges = Array.from({ length: 3_000 }, (_, at): [number, number] => [at % 2_000, (at * 7) % 2_000]);
  const spots = layoutOf(2_000, edges);
  assert.deepEqual(layoutOf(2_000, edges), spots);
  const cells = new Set(spots.map(({ x, y }) => `${Math.round(x / 8)},${Math.round(y / 8)}`));
  assert.ok(cells.size > 1_600, `${cells.size} of 2,000 stand apart`);
  assert.ok(spots.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
  assert.equal(layoutOf(1, [[0, 0]]).length, 1);
});
