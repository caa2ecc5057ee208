// Contract: who states what, what documents state together, and what the graph leaves open.

import assert from 'node:assert/strict';
import { relationId } from '../../src/domain/graph.ts';
import { document } from './fixtures.ts';
import { entity, relation, says } from './graph.ts';
import { cases, type Subject } from './harness.ts';

export function graphGapsContract(subject: Subject): void {
  const check = cases(subject);

  check('who read it is told with the evidence, and what is missing is counted', async ({ store }) => {
    const names = ['A', 'B', 'C', 'D'];
    await store.documents.replace(
      document({
        path: 'a',
        text: 'x',
        graph: [
          says(
            names.map((name) => entity(name, { by: 'rules' })),
            [relation('A', 'USES', 'B', { by: 'agent' }), relation('A', 'USES', 'B', { by: 'rules' })],
          ),
        ],
      }),
    );
    await store.documents.replace(
      document({ path: 'b', text: 'y', graph: [says(names.map((name) => entity(name)))] }),
    );
    await store.documents.replace(document({ path: 'c', text: 'z' }));
    const id = relationId({ source: 'a', target: 'b', type: 'USES' });
    const found = await store.graph.relationEvidence([id], { scope: undefined, limit: 5 });
    assert.deepEqual(
      found
        .get(id)
        ?.evidence.map(({ by }) => by)
        .sort(),
      ['agent', 'rules'],
    );
    const gaps = await store.graph.gaps(['docs'], 10);
    assert.equal(gaps.unrelated, 2);
    assert.equal(gaps.withoutEntities, 1);
    assert.deepEqual(
      gaps.sections.map(({ path, entities, relations }) => [path, entities, relations]),
      [
        ['b', 4, 0],
        ['a', 4, 1],
      ],
    );
    assert.deepEqual(await store.graph.gaps([], 10), { unrelated: 0, withoutEntities: 0, sections: [] });
    assert.equal((await store.graph.gaps(undefined, 1)).sections.length, 1);
  });

  check('what documents contribute may be replaced together', async ({ store }) => {
    for (const path of ['a', 'b', 'c']) await store.documents.replace(document({ path, text: path }));
    const uses = (...names: string[]) => [
      says(
        [entity('A'), ...names.map((name) => entity(name))],
        names.map((name) => relation('A', 'USES', name)),
      ),
    ];
    const annotate = (writes: Record<string, ReturnType<typeof uses>>) =>
      Promise.all(Object.entries(writes).map(([path, said]) => store.graph.annotate('docs', path, said)));
    assert.deepEqual(await annotate({ a: uses('B'), b: uses('B', 'C'), none: uses('D'), c: [] }), [
      true,
      true,
      false,
      false,
    ]);
    assert.deepEqual(await annotate({ a: uses('C'), c: uses('C') }), [true, true]);
    const { relations } = await store.graph.relations(['a'], 'out', { scope: undefined, limit: 50 });
    assert.deepEqual(relations.map(({ target, mentions }) => [target.key, mentions]).sort(), [
      ['b', 1],
      ['c', 3],
    ]);
    assert.equal((await store.graph.byKeys(['a'], undefined))[0]?.mentions, 3);
    assert.deepEqual(await store.graph.byKeys(['d'], undefined), []);
    assert.equal((await store.check()).ok, true);
  });
}
