// Contract: the typed graph.

import assert from 'node:assert/strict';
import { entityKey } from '../../src/domain/graph.ts';
import type { GraphWrites } from '../../src/ports/graph-store.ts';
import { collection, document } from './fixtures.ts';
import { cases, type Subject } from './harness.ts';

type EntityDraft = NonNullable<GraphWrites['entities']>[number];
type RelationDraft = NonNullable<GraphWrites['relations']>[number];

export function entity(name: string, more: Partial<EntityDraft> = {}): EntityDraft {
  return { key: entityKey(name), name, type: 'SERVICE', startLine: 1, endLine: 1, ...more };
}

export function relation(
  source: string,
  type: string,
  target: string,
  more: Partial<RelationDraft> = {},
): RelationDraft {
  const keys = { sourceKey: entityKey(source), targetKey: entityKey(target) };
  return { source, target, ...keys, type, startLine: 1, endLine: 1, ...more };
}

export function says(entities: EntityDraft[], relations: RelationDraft[] = []): GraphWrites {
  return { entities, relations };
}

export function graphContract(subject: Subject): void {
  const check = cases(subject);
  const all = { scope: undefined, limit: 50 };

  check('an entity is what most of its mentions say, in any order of files', async ({ store }) => {
    const said = [
      entity('Orders', { type: 'OTHER', description: 'short' }),
      entity('Orders', {
        type: 'SERVICE',
        description: 'the longest description of all',
        fields: { team: 'red' },
      }),
      entity('orders', { type: 'DATABASE', fields: { team: 'blue' } }),
      entity('Orders', { type: 'SERVICE', fields: { team: 'blue' } }),
    ];
    const expected = { name: 'Orders', type: 'SERVICE', description: 'the longest description of all' };
    for (const order of [said, [...said].reverse()]) {
      for (const [n, mention] of order.entries())
        await store.documents.replace(document({ path: `f${n}`, text: 'x', graph: [says([mention])] }));
      const [found] = await store.graph.byKeys(['orders'], undefined);
      assert.equal(found?.name, expected.name);
      assert.equal(found?.type, expected.type);
      assert.equal(found?.description, expected.description);
      assert.deepEqual(found?.fields, { team: 'blue' });
      assert.deepEqual(found?.aliases, ['orders']);
      assert.equal(found?.mentions, 4);
    }
  });

  check('an entity stays while any file still states it', async ({ store }) => {
    await store.documents.replace(
      document({
        path: 'a',
        text: 'x',
        graph: [says([entity('Shared', { description: 'much longer words' }), entity('Own')])],
      }),
    );
    await store.documents.replace(
      document({ path: 'b', text: 'x', graph: [says([entity('Shared', { description: 'brief' })])] }),
    );
    await store.documents.remove('docs', 'a');
    const left = await store.graph.entities({ scope: undefined, limit: 10 });
    assert.deepEqual(
      left.entities.map((found) => found.name),
      ['Shared'],
    );
    assert.equal(left.total, 1);
    assert.equal(left.entities[0]!.description, 'brief');
    assert.equal(left.entities[0]!.mentions, 1);
    await store.documents.replace(document({ path: 'b', text: 'x' }));
    assert.deepEqual(await store.graph.counts(undefined), { entities: 0, relations: 0, byType: {} });
    assert.deepEqual(await store.graph.named('shared', 'ignore-case', undefined), []);
    assert.equal((await store.check()).ok, true);
  });

  check('entities are listed by mentions, type and text', async ({ store }) => {
    const graph = [
      says([
        entity('Alpha'),
        entity('Beta', { type: 'DATABASE', description: 'holds the Orders' }),
        entity('Gamma'),
      ]),
      says([entity('Gamma'), entity('Beta', { type: 'DATABASE' })]),
      says([entity('Gamma')]),
    ];
    await store.documents.replace(document({ path: 'a', text: 'x\n\ny\n\nz', graph }));
    const names = async (more: object) =>
      (await store.graph.entities({ scope: undefined, limit: 10, ...more })).entities.map(
        (found) => found.name,
      );
    assert.deepEqual(await names({}), ['Gamma', 'Beta', 'Alpha']);
    assert.deepEqual(await names({ type: 'DATABASE' }), ['Beta']);
    assert.deepEqual(await names({ query: 'ORDERS' }), ['Beta']);
    assert.deepEqual(await names({ query: 'am' }), ['Gamma']);
    assert.deepEqual(await names({ query: '%' }), []);
    const page = await store.graph.entities({ scope: undefined, limit: 2 });
    assert.deepEqual([page.total, page.entities.length], [3, 2]);
    const counts = await store.graph.counts(undefined);
    assert.deepEqual(counts, { entities: 3, relations: 0, byType: { SERVICE: 2, DATABASE: 1 } });
  });

  check('entities are found by name: exact, ignoring case, inside', async ({ store }) => {
    const merged = entity('OrderService', { key: 'orderservice' });
    const graph = [says([merged, entity('order services', { key: 'orderservice' }), entity('Order')])];
    await store.documents.replace(document({ path: 'a', text: 'x', graph }));
    const keys = async (text: string, how: 'exact' | 'ignore-case' | 'substring') =>
      (await store.graph.named(text, how, undefined)).map((found) => found.key).sort();
    assert.deepEqual(await keys('OrderService', 'exact'), ['orderservice']);
    assert.deepEqual(await keys('orderservice', 'exact'), []);
    assert.deepEqual(await keys('ORDERSERVICE', 'ignore-case'), ['orderservice']);
    assert.deepEqual(await keys('order services', 'exact'), ['orderservice'], 'an alias is a name');
    assert.deepEqual(await keys('rder', 'substring'), ['order', 'orderservice']);
    assert.deepEqual(await keys('', 'substring'), []);
  });

  check('relations are read in, out and both, the most mentioned first', async ({ store }) => {
    const entities = ['A', 'B', 'C'].map((name) => entity(name));
    const graph = [
      says(entities, [
        relation('A', 'USES', 'B', { description: 'because', keywords: ['k1'] }),
        relation('C', 'OWNS', 'A'),
      ]),
      says(
        [],
        [
          relation('A', 'USES', 'B', { keywords: ['k2', 'k1'], fields: { via: 'http' } }),
          relation('A', 'CALLS', 'C'),
        ],
      ),
    ];
    await store.documents.replace(document({ path: 'a', text: 'x\n\ny', graph }));
    const read = async (keys: string[], direction: 'in' | 'out' | 'both') => {
      const { relations, total } = await store.graph.relations(keys, direction, all);
      assert.equal(total, relations.length);
      return relations.map(
        (found) => `${found.source.name} ${found.type} ${found.target.name} ${found.mentions}`,
      );
    };
    assert.deepEqual(await read(['a'], 'out'), ['A USES B 2', 'A CALLS C 1']);
    assert.deepEqual(await read(['a'], 'in'), ['C OWNS A 1']);
    assert.deepEqual(await read(['a'], 'both'), ['A USES B 2', 'A CALLS C 1', 'C OWNS A 1']);
    assert.deepEqual(await read(['b', 'c'], 'in'), ['A USES B 2', 'A CALLS C 1']);
    assert.deepEqual(await read(['a', 'b', 'c'], 'both'), ['A USES B 2', 'A CALLS C 1', 'C OWNS A 1']);
    assert.deepEqual(await read([], 'both'), []);
    const [first] = (await store.graph.relations(['a'], 'out', { scope: undefined, limit: 1 })).relations;
    assert.ok(first && first.confidence > 0.8, 'said twice is surer than said once');
    assert.equal(first.description, 'because');
    assert.deepEqual(first?.keywords, ['k1', 'k2']);
    assert.deepEqual(first?.fields, { via: 'http' });
    const edges = await store.graph.edges(['a'], 'both', { scope: undefined, limit: 2 });
    assert.deepEqual(edges, [
      { source: 'a', target: 'b', type: 'USES', mentions: 2, confidence: first.confidence },
      { source: 'a', target: 'c', type: 'CALLS', mentions: 1, confidence: 0.8 },
    ]);
    const typed = async (
      direction: 'in' | 'out' | 'both',
      types: { only: string[] } | { except: string[] },
    ) =>
      (await store.graph.edges(['a'], direction, { ...all, types })).map(
        (edge) => `${edge.source} ${edge.type} ${edge.target}`,
      );
    assert.deepEqual(await typed('out', { only: ['CALLS', 'OWNS'] }), ['a CALLS c']);
    assert.deepEqual(await typed('out', { except: ['CALLS'] }), ['a USES b']);
    assert.deepEqual(await typed('both', { except: ['USES', 'none'] }), ['a CALLS c', 'c OWNS a']);
    assert.deepEqual(await typed('both', { only: ['USES'] }), ['a USES b']);
    assert.deepEqual(await typed('both', { only: [] }), []);
    assert.equal((await typed('both', { except: [] })).length, 3);
    const [a] = await store.graph.byKeys(['a'], undefined);
    assert.equal(a?.relations, 3);
  });

  check('the same graph in two collections is merged, and a scope sees only its own', async ({ store }) => {
    await store.collections.put(collection('other'));
    const graph = [
      says([entity('A', { description: 'in docs' }), entity('B')], [relation('A', 'USES', 'B')]),
    ];
    await store.documents.replace(document({ path: 'a', text: 'x', graph }));
    const more = [
      says(
        [entity('A', { description: 'in the other one' }), entity('C')],
        [relation('A', 'USES', 'B'), relation('A', 'USES', 'C')],
      ),
    ];
    await store.documents.replace(document({ collection: 'other', path: 'a', text: 'x', graph: more }));
    const labels = await store.graph.labels(['a', 'c', 'none', 'a'], undefined);
    assert.deepEqual(
      [...labels].map(([key, { name, type }]) => `${key} ${name} ${type}`),
      ['a A SERVICE', 'c C SERVICE'],
    );
    assert.equal((await store.graph.labels(['c'], ['docs'])).size, 0);
    const [merged] = await store.graph.byKeys(['a'], undefined);
    assert.deepEqual([merged?.mentions, merged?.relations, merged?.description], [2, 2, 'in the other one']);
    const [own] = await store.graph.byKeys(['a'], ['docs']);
    assert.deepEqual([own?.mentions, own?.relations, own?.description], [1, 1, 'in docs']);
    assert.deepEqual(await store.graph.byKeys(['c'], ['docs']), []);
    assert.deepEqual(await store.graph.named('C', 'substring', ['docs']), []);
    assert.equal((await store.graph.counts(undefined)).relations, 2);
    assert.equal((await store.graph.counts(['docs'])).entities, 2);
    assert.deepEqual(await store.graph.counts([]), { entities: 0, relations: 0, byType: {} });
    const both = await store.graph.relations(['a'], 'out', all);
    assert.deepEqual(
      both.relations.map((found) => [found.target.key, found.mentions]),
      [
        ['b', 2],
        ['c', 1],
      ],
    );
    const docs = await store.graph.relations(['a'], 'out', { scope: ['docs'], limit: 5 });
    assert.deepEqual(
      docs.relations.map((found) => found.target.key),
      ['b'],
    );
    const id = both.relations[0]!.id;
    const evidence = (await store.graph.relationEvidence([id, 'nonsense'], all)).get(id);
    assert.deepEqual(
      evidence?.evidence.map((found) => found.collection),
      ['docs', 'other'],
    );
    const scoped = (await store.graph.relationEvidence([id], { scope: ['other'], limit: 5 })).get(id);
    assert.deepEqual(
      scoped?.evidence.map((found) => found.collection),
      ['other'],
    );
  });

  check('evidence names the lines that state it', async ({ store }) => {
    const graph = [
      says([entity('A', { startLine: 2, endLine: 2 })]),
      says(
        [entity('A', { startLine: 5, endLine: 6 })],
        [relation('A', 'USES', 'B', { startLine: 6, endLine: 6 })],
      ),
    ];
    const write = document({
      path: 'a',
      text: 'one\ntwo\n\n\nfive\nsix',
      graph,
      headings: [['Top'], ['Top', 'Sub']],
    });
    await store.documents.replace(write);
    const found = (await store.graph.entityEvidence(['a', 'zzz'], all)).get('a');
    assert.equal(found?.total, 2);
    const ids = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    assert.deepEqual(found?.evidence[1], {
      collection: 'docs',
      path: 'a',
      startLine: 5,
      endLine: 6,
      headingPath: ['Top', 'Sub'],
      chunkId: ids[1],
    });
    const limited = (await store.graph.entityEvidence(['a'], { scope: undefined, limit: 1 })).get('a');
    assert.deepEqual([limited?.total, limited?.evidence.length, limited?.evidence[0]?.startLine], [2, 1, 2]);
  });

  check('relations are found by what they are about', async ({ store, settled }) => {
    const graph = [
      says(
        [entity('Billing'), entity('Ledger'), entity('Mailer')],
        [
          relation('Billing', 'WRITES_TO', 'Ledger', {
            description: 'stores invoices nightly',
            keywords: ['accounting'],
          }),
          relation('Billing', 'CALLS', 'Mailer', { description: 'sends invoices' }),
        ],
      ),
    ];
    await store.documents.replace(document({ path: 'a', text: 'x', graph }));
    await settled();
    const about = async (...words: string[]) =>
      (await store.graph.relationsAbout(words, all)).map((found) => found.target.key);
    assert.deepEqual(await about('accounting'), ['ledger']);
    assert.deepEqual((await about('invoices')).sort(), ['ledger', 'mailer']);
    assert.equal((await about('invoices', 'nightly'))[0], 'ledger');
    assert.deepEqual(await about('mailer'), ['mailer']);
    assert.deepEqual(await about('"', 'nowhere'), []);
    assert.deepEqual(await store.graph.relationsAbout(['invoices'], { scope: [], limit: 5 }), []);
    await store.documents.remove('docs', 'a');
    await settled();
    assert.deepEqual(await about('invoices'), []);
  });

  check('what a chunk contributed comes back as it was written', async ({ store }) => {
    const said = says(
      [entity('A', { description: 'first', fields: { team: 'x' } }), entity('B')],
      [relation('A', 'USES', 'B', { description: 'because', keywords: ['k1', 'k2'] })],
    );
    await store.documents.replace(
      document({ path: 'a', text: 'x\n\ny', graph: [said, says([entity('A')])] }),
    );
    const ids = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    const found = await store.graph.contributions([...ids, 'nonsense']);
    assert.equal(found.size, 2);
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    assert.deepEqual(plain(found.get(ids[0]!)!.entities), plain(said.entities));
    assert.deepEqual(plain(found.get(ids[0]!)!.relations), plain(said.relations));
    assert.equal(found.get(ids[1]!)!.entities?.[0]?.name, 'A');
  });

  check('the surest relations come first, and those below a bound not at all', async ({ store }) => {
    await store.collections.put(collection('other'));
    const graph = [
      says(
        ['A', 'B', 'C', 'D'].map((name) => entity(name)),
        [
          relation('A', 'USES', 'B', { confidence: 0.55, by: 'rules' }),
          relation('A', 'USES', 'C', { confidence: 0.9, by: 'rules' }),
          relation('A', 'USES', 'D', { by: 'agent', quote: 'f00' }),
        ],
      ),
      says([], [relation('A', 'USES', 'B', { confidence: 0.6, by: 'rules' })]),
    ];
    await store.documents.replace(document({ path: 'a', text: 'x\n\ny', graph }));
    const read = async (more: object) =>
      (await store.graph.relations(['a'], 'out', { ...all, ...more })).relations.map(
        ({ target, confidence, by }) => `${target.key} ${confidence} ${by.join()}`,
      );
    // 0.6 and another place of 0.55: 1 - 0.4 * (1 - 0.35 * 0.55)
    assert.deepEqual(await read({}), ['c 0.9 rules', 'd 0.8 agent', 'b 0.68 rules']);
    assert.deepEqual(await read({ minConfidence: 0.7 }), ['c 0.9 rules', 'd 0.8 agent']);
    assert.deepEqual(await read({ minConfidence: 0.7, types: { except: ['USES'] } }), []);
    const edges = await store.graph.edges(['a'], 'out', { ...all, minConfidence: 0.85 });
    assert.deepEqual(
      edges.map((edge) => edge.target),
      ['c'],
    );
    const stated = [says([entity('A'), entity('B')], [relation('A', 'USES', 'B', { confidence: 0.95 })])];
    await store.documents.replace(document({ collection: 'other', path: 'b', text: 'x', graph: stated }));
    assert.equal((await read({}))[0], 'b 0.95 rules', 'what is sure in one collection is sure');
    const [id] = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    const said = (await store.graph.contributions([id!])).get(id!)!.relations!;
    assert.deepEqual([said[2]!.by, said[2]!.quote, said[1]!.confidence], ['agent', 'f00', 0.9]);
  });

  check('what a document contributes is replaced without touching its text', async ({ store }) => {
    const before = [says([entity('A'), entity('B')], [relation('A', 'USES', 'B')]), says([entity('A')])];
    const write = document({ path: 'a', text: 'x\n\ny', graph: before, headings: [['Top'], ['Sub']] });
    await store.documents.replace(write);
    const ids = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    const after = [says([]), says([entity('A'), entity('C')], [relation('A', 'OWNS', 'C')])];
    assert.equal(await store.graph.annotate('docs', 'a', after), true);
    const { relations } = await store.graph.relations(['a'], 'both', all);
    assert.deepEqual(
      relations.map((found) => `${found.type} ${found.target.key}`),
      ['OWNS c'],
    );
    assert.deepEqual(await store.graph.byKeys(['b'], undefined), []);
    const evidence = (await store.graph.entityEvidence(['c'], all)).get('c')?.evidence;
    assert.deepEqual(
      evidence?.map(({ chunkId, headingPath }) => [chunkId, headingPath]),
      [[ids[1], ['Sub']]],
    );
    const kept = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    assert.deepEqual(kept, ids);
    assert.equal(await store.graph.annotate('docs', 'a', [says([])]), false, 'another number of chunks');
    assert.equal(await store.graph.annotate('docs', 'none', []), false);
    assert.equal((await store.graph.counts(undefined)).relations, 1);
    assert.equal(await store.graph.annotate('docs', 'a', [{}, {}]), true);
    assert.deepEqual(await store.graph.counts(undefined), { entities: 0, relations: 0, byType: {} });
    await store.documents.remove('docs', 'a');
    assert.equal((await store.check()).ok, true);
  });
}
