// Names, resolution, types and evidence. Rows 18 and 19 of the FlowRAG reference, section 12.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { VaiError } from '../../../src/domain/errors.ts';
import { graphKey } from '../../../src/domain/name-key.ts';
import { pageKey } from '../../../src/domain/subject.ts';
import { EXPORT_FORMATS } from '../../../src/engine/graph/export.ts';
import type { Store } from '../../../src/ports/store.ts';
import { call, countingExtractor, using } from '../../support/graph-folder.ts';

test('names merge by case, spacing, separators, camelCase and plural, and by nothing else', () => {
  const same = [
    'AuthService',
    'auth service',
    'Auth-Service',
    'auth_services',
    'The Auth Service',
    "AuthService's",
  ];
  assert.equal(new Set(same.map(graphKey)).size, 1);
  const different = ['HTTP', 'HTTPS', 'AuthServer', 'AuthServicf', 'DNS', 'DN', 'Redis', 'Status', 'Statu'];
  assert.equal(new Set(different.map(graphKey)).size, different.length);
  assert.equal(graphKey('APIs'), graphKey('API'));
  assert.equal(graphKey('policies'), graphKey('Policy'));
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (name) => {
      assert.equal(graphKey(name), graphKey(name));
      assert.equal(graphKey(name.toUpperCase().toLowerCase()), graphKey(name.toUpperCase().toLowerCase()));
    }),
  );
});

test('18: exact, then case, then part of the name; the shortest first, the others listed', () =>
  using(async (folder) => {
    const extractor = countingExtractor();
    folder.write(
      'a.md',
      'entity AuthService SERVICE\nentity AuthorisationGateway SERVICE\nentity OauthProxy SERVICE\nentity Billing SERVICE\n',
    );
    const engine = await folder.open({ extractor });
    await engine.graph.index(call, {});
    const resolve = async (entity: string) =>
      (await engine.graph.relations(call, { entity, direction: 'both' })).resolved;
    assert.deepEqual(await resolve('AuthService'), {
      input: 'AuthService',
      name: 'AuthService',
      how: 'exact',
      alsoMatched: [],
    });
    assert.equal((await resolve('authservice')).how, 'case-insensitive');
    const part = await resolve('auth');
    assert.deepEqual(
      [part.name, part.how, part.alsoMatched],
      ['OauthProxy', 'substring', ['AuthService', 'AuthorisationGateway']],
    );
    folder.write('b.md', 'entity auth CONCEPT\nentity AddRoute CONCEPT\nentity router.mux.Route CONCEPT\n');
    await engine.graph.index(call, {});
    assert.equal((await resolve('auth')).name, 'auth');
    assert.equal((await resolve('Route')).name, 'router.mux.Route', 'called so, but for what qualifies it');
    for (const at of ['io', 'io/jvm'])
      folder.write(`${at}/Pool.java`, 'class Pool {\n  Pool() {}\n  void firstRef() {}\n}\n');
    await engine.graph.index(call, {});
    const pool = await resolve('Pool');
    assert.deepEqual(
      [pool.name, ...pool.alsoMatched.slice(0, 2)],
      ['Pool (io/Pool.java)', 'Pool (io/jvm/Pool.java)', 'Pool.Pool (io/Pool.java)'],
      'a class before its constructor and its members',
    );
    folder.write('http/Dns.kt', 'class Dns {\n  class Reply\n  class Query\n}\n');
    folder.write('http/Message.kt', 'package http\nclass Message {\n  class Query\n}\n');
    folder.write('http/Sent.kt', 'import http.Message.Query\nval sent = Query()\n');
    folder.write('http/Reply.kt', 'class Reply\n');
    folder.write('c.md', 'entity message CONCEPT\n');
    await engine.graph.index(call, {});
    assert.equal((await resolve('reply')).name, 'Reply.Reply', 'the class its file is named after');
    assert.equal((await resolve('query')).name, 'Message.Query', 'else the best known');
    assert.deepEqual(
      [(await resolve('message')).name, (await resolve('message')).alsoMatched],
      ['message', ['Message.Message']],
      'a class hidden by a word of the prose is named',
    );
    await assert.rejects(
      resolve('  '),
      (error) => error instanceof VaiError && error.code === 'INVALID_INPUT',
    );
    await assert.rejects(
      resolve('Biling'),
      (error) =>
        error instanceof VaiError &&
        error.code === 'ENTITY_NOT_FOUND' &&
        error.suggestions?.[0] === 'Billing',
    );
    await assert.rejects(
      resolve("x' OR 1=1 --"),
      (error) => error instanceof VaiError && error.code === 'ENTITY_NOT_FOUND',
    );
  }));

test('19: no type outside the list, no dangling end; majority type; both spellings recorded', () =>
  using(async (folder) => {
    folder.write(
      'a.md',
      'The Order Service uses OrdersDB. Checkout uses Stripe.\n\nOrderService depends on Kafka.\n',
    );
    folder.write('b.md', 'The order-service is owned by the Sales team.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const { entities } = await engine.graph.entities(call, { limit: 200 });
    const types = new Set([...engine.graph.settings.schema.entityTypes, 'OTHER']);
    for (const entity of entities) {
      assert.ok(types.has(entity.type));
      assert.ok(
        entity.evidence.length > 0 &&
          entity.evidence.every((item) => item.startLine >= 1 && item.citation.startsWith('docs/')),
      );
      for (const relation of (await engine.graph.relations(call, { entity: entity.name, direction: 'both' }))
        .relations)
        for (const end of [relation.source, relation.target])
          assert.ok(entities.some((one) => one.name === end));
    }
    const order = entities.filter((entity) => /order.?service/i.test(entity.name));
    assert.equal(order.length, 1);
    assert.equal(new Set([order[0]!.name, ...order[0]!.aliases]).size, 3);
  }));

test('an alias stated in the schema is one entity', () =>
  using(async (folder) => {
    const engine0 = await folder.open();
    const schema = { ...engine0.graph.settings.schema, aliases: { 'Auth Service': ['Login Service'] } };
    folder.write('a.md', 'The Auth Service uses Redis.\n\nThe Login Service uses PostgreSQL.\n');
    const engine = await folder.open({ graph: { schema } });
    await engine.graph.index(call, {});
    const { relations } = await engine.graph.relations(call, { entity: 'Auth Service', direction: 'out' });
    assert.deepEqual(relations.map((relation) => relation.target).sort(), ['PostgreSQL', 'Redis']);
  }));

test('unknown types are answered with the valid ones, ignoring case', () =>
  using(async (folder) => {
    folder.write('a.md', 'The Auth Service uses Redis.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    assert.equal((await engine.graph.entities(call, { type: 'service', limit: 5 })).total, 1);
    const none = await engine.graph.entities(call, { type: 'CAR', limit: 5 });
    assert.equal(none.total, 0);
    assert.match(none.warnings.join(), /SERVICE, DATABASE/);
  }));

test('16: flow runs against the arrow for reverse types, however the config spells them', () =>
  using(async (folder) => {
    const extractor = countingExtractor();
    const plain = await folder.open();
    folder.write('a.md', 'relation Mailer CONSUMES Orders\nrelation Shop PRODUCES Orders\n');
    for (const reverseFlow of [['CONSUMES'], ['consumes']]) {
      const schema = { ...plain.graph.settings.schema, reverseFlow };
      const engine = await folder.open({ extractor, graph: { schema } });
      await engine.graph.index(call, {});
      const down = await engine.graph.trace(call, { entity: 'Shop', direction: 'downstream' });
      assert.deepEqual(
        down.nodes.map((node) => `${node.name} ${node.depth}`),
        ['Shop 0', 'Orders 1', 'Mailer 2'],
      );
      assert.ok(down.edges.every((edge) => edge.evidence[0]?.citation.startsWith('docs/a.md:')));
      const up = await engine.graph.trace(call, { entity: 'Mailer', direction: 'upstream' });
      assert.deepEqual(
        up.nodes.map((node) => `${node.name} ${node.depth}`),
        ['Mailer 0', 'Orders 1', 'Shop 2'],
      );
    }
  }));

test('vai graph build reads a collection that is there already, and keeps its vectors', () =>
  using(async (folder) => {
    const engine = await folder.open({ graph: { collection: undefined, docs: undefined } });
    await engine.ingest.text(call, {
      text: '# Notes\n\nThe Auth Service uses Redis.\n',
      collection: 'notes',
      source: 'n',
    });
    const before = await engine.graph.stats(call);
    assert.equal(before.entities, 0);
    const report = await engine.graph.build(call, { collection: 'notes' });
    assert.deepEqual([report.totals.entities, report.totals.relations], [2, 1]);
    const after = await engine.graph.stats(call);
    assert.deepEqual([after.vectors, after.chunks], [before.vectors, before.chunks]);
    const found = await engine.search.run(call, { query: 'Redis', mode: 'words', limit: 1 });
    assert.equal(found.hits.length, 1);
  }));

test('with a model that reads chunks, pages keep what they are called', () =>
  using(async (folder) => {
    folder.write('gate.md', '# Ember Gate\n\nentity Redis DATABASE\n');
    let store: Store;
    const wrap = (opened: Store) => (store = opened);
    const engine = await folder.open({ extractor: countingExtractor(), wrap });
    await engine.graph.index(call, {});
    const db = engine.graph.settings.db ?? 'vai';
    const report = await engine.graph.build(call, { collection: 'docs', db });
    assert.deepEqual([report.run.changed, report.totals.entities], [1, 1]);
    const names = [pageKey('Ember Gate')];
    assert.equal((await store!.search.pages({ names, scope: {}, limit: 5 })).length, 1);
  }));

test('exports are whole and safe in every format', () =>
  using(async (folder) => {
    folder.write(
      'a.md',
      'entity =cmd|"x" SERVICE\nentity A & <B> DATABASE\nrelation =cmd|"x" USES A & <B>\n',
    );
    const engine = await folder.open({ extractor: countingExtractor() });
    await engine.graph.index(call, {});
    const out = new Map<string, string>();
    for (const format of EXPORT_FORMATS) out.set(format, await engine.graph.export(call, { format }));
    assert.equal((JSON.parse(out.get('json')!) as { relations: unknown[] }).relations.length, 1);
    assert.match(out.get('csv')!, /"'=cmd\|""x"""/);
    assert.match(out.get('graphml')!, /A &amp; &lt;B&gt;/);
    assert.match(out.get('mermaid')!, /#quot;x#quot;/);
    assert.match(out.get('dot')!, /"=cmd\|\\"x\\"" -> "A & <B>"/);
  }));

test('a caller limited to other collections sees nothing of the graph', () =>
  using(async (folder) => {
    folder.write('a.md', 'The Auth Service uses Redis.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const limited = {
      principal: { id: 'k', scopes: ['read' as const], collections: ['other'], databases: '*' as const },
    };
    await assert.rejects(
      engine.graph.index(limited, {}),
      (error) => error instanceof VaiError && error.code === 'NOT_ALLOWED',
    );
    const found = await engine.graph
      .search(limited, { query: 'Redis', mode: 'hybrid', limit: 5 })
      .catch(() => ({ results: [] }));
    assert.deepEqual(found.results, []);
    const { total } = await engine.graph.entities(limited, { limit: 5 });
    assert.equal(total, 0);
  }));

test('an empty graph says how to build one, wherever it is asked', () =>
  using(async (folder) => {
    folder.write('a.md', 'nothing here has a name\n');
    const engine = await folder.open({ extractor: countingExtractor() });
    await engine.graph.index(call, {});
    const build = /`vai graph build <collection>`/;
    assert.match((await engine.graph.entities(call, { query: 'redis', limit: 5 })).warnings.join(), build);
    assert.match((await engine.graph.stats(call, {})).warnings.join(), build);
    await assert.rejects(
      engine.graph.relations(call, { entity: 'redis', direction: 'both' }),
      (error) => error instanceof VaiError && build.test(error.hint ?? ''),
    );
    folder.write('b.md', 'entity Redis DATABASE\n');
    await engine.graph.index(call, {});
    const { warnings } = await engine.graph.entities(call, { query: 'kafka', limit: 5 });
    assert.doesNotMatch(warnings.join(), build);
  }));
