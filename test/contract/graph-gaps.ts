// Contract: who states what, and what the graph leaves open.

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
}
