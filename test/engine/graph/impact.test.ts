// What fails with an entity and who an event reaches; what is only mentioned together; which entity a word means.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../src/engine/engine.ts';
import type { TraceDirection } from '../../../src/engine/graph/trace.ts';
import { call, countingExtractor, using, type Folder } from '../../support/graph-folder.ts';

/** A graph that says exactly what the lines `entity …` and `relation …` say. */
async function stated(folder: Folder, lines: readonly string[]): Promise<Engine> {
  folder.write('graph.md', lines.join('\n'));
  const engine = await folder.open({ extractor: countingExtractor() });
  await engine.graph.index(call, {});
  return engine;
}

const reached = async (engine: Engine, entity: string, direction: TraceDirection) =>
  (await engine.graph.trace(call, { entity, direction })).nodes
    .slice(1)
    .map(({ name, depth }) => `${depth} ${name}`)
    .sort();

test('what fails with an entity: who needs it, and what it no longer gives; who owns it does not', () =>
  using(async (folder) => {
    const engine = await stated(folder, [
      'relation Checkout USES Auth',
      'relation Auth DEPENDS_ON Redis',
      'relation Auth PRODUCES LoginEvent',
      'relation Audit CONSUMES LoginEvent',
      'relation Report USES Audit',
      'relation Identity OWNS Auth',
      'relation Auth OTHER Paper',
    ]);
    assert.deepEqual(await reached(engine, 'Redis', 'impact'), [
      '1 Auth',
      '2 Checkout',
      '2 LoginEvent',
      '3 Audit',
      '4 Report',
    ]);
    assert.deepEqual(await reached(engine, 'LoginEvent', 'impact'), ['1 Audit', '2 Report']);
    assert.deepEqual(await reached(engine, 'Redis', 'upstream'), ['1 Auth', '2 Checkout']);
    assert.deepEqual(await reached(engine, 'Auth', 'downstream'), [
      '1 LoginEvent',
      '1 Paper',
      '1 Redis',
      '2 Audit',
    ]);
  }));

test('an impact reaches a thing that everything needs and does not go beyond it', () =>
  using(async (folder) => {
    const many = Array.from({ length: 50 }, (_, at) => `relation Client${at} USES Platform`);
    const engine = await stated(folder, [
      'relation Platform USES Store',
      'relation Backup USES Store',
      'relation Nightly USES Backup',
      ...many,
    ]);
    assert.deepEqual(await reached(engine, 'Store', 'impact'), ['1 Backup', '1 Platform', '2 Nightly']);
    const { warnings } = await engine.graph.trace(call, { entity: 'Store', direction: 'impact' });
    assert.match(warnings.join(), /Not followed beyond Platform/);
    assert.equal((await reached(engine, 'Platform', 'impact')).length, 50);
    assert.equal((await reached(engine, 'Store', 'upstream')).length, 53);
  }));

test('an impact that affects many takes no further step, and says that there is more', () =>
  using(async (folder) => {
    const users = Array.from({ length: 60 }, (_, at) => `relation Client${at} USES Store`);
    const engine = await stated(folder, [
      ...users,
      'relation Backup USES Client7',
      'relation Client8 USES Client9',
    ]);
    const { nodes, truncated } = await engine.graph.trace(call, { entity: 'Store', direction: 'impact' });
    assert.deepEqual([nodes.length, truncated], [61, true]);
    assert.ok(nodes.every(({ depth }) => depth < 2));
  }));

test('an impact that ends by itself is whole, however many it affects', () =>
  using(async (folder) => {
    const engine = await stated(
      folder,
      Array.from({ length: 60 }, (_, at) => `relation Client${at} USES Store`),
    );
    const { nodes, truncated } = await engine.graph.trace(call, { entity: 'Store', direction: 'impact' });
    assert.deepEqual([nodes.length, truncated], [61, false]);
  }));

test('mentioned together: only where nothing is stated, marked, with the lines', () =>
  using(async (folder) => {
    folder.write('a.md', 'relation Auth USES Redis\nentity Mail SERVICE\nentity Ledger SERVICE\n');
    folder.write('b.md', 'entity Ledger SERVICE\nentity Stork SERVICE\n');
    const engine = await folder.open({ extractor: countingExtractor() });
    await engine.graph.index(call, {});
    const of = async (entity: string) => engine.graph.relations(call, { entity, direction: 'both' });
    const auth = await of('Auth');
    assert.deepEqual(
      auth.relations.map(({ target, stated: is }) => [target, is]),
      [['Redis', true]],
    );
    assert.doesNotMatch(auth.warnings.join(), /stated/);
    const mail = await of('Mail');
    assert.ok(mail.relations.length >= 2);
    assert.ok(mail.relations.every(({ stated: is, type }) => !is && type === 'MENTIONED_WITH'));
    assert.equal(
      mail.relations.find(({ target }) => target === 'Ledger')?.evidence[0]?.citation,
      'docs/a.md:2-3',
    );
    assert.match(mail.warnings.join(), /Nothing is stated/);
    const typed = await engine.graph.relations(call, { entity: 'Mail', direction: 'both', type: 'USES' });
    assert.equal(typed.total, 0);
    const path = await engine.graph.path(call, { from: 'Auth', to: 'Stork', maxDepth: 5 });
    assert.deepEqual(
      path.edges.map((edge) => edge.stated),
      [false, false],
    );
    assert.match(path.warnings.join(), /No stated relations connect/);
    const short = await engine.graph.path(call, { from: 'Auth', to: 'Redis', maxDepth: 5 });
    assert.equal(short.edges[0]?.stated, true);
    assert.doesNotMatch(short.warnings.join(), /stated/);
    const trace = await engine.graph.trace(call, { entity: 'Stork', direction: 'downstream' });
    assert.deepEqual(
      trace.edges.map(({ target, stated: is, depth }) => [target, is, depth]),
      [['Ledger', false, 1]],
    );
  }));

test('two names of one passage are joined by it, however often each stands elsewhere', () =>
  using(async (folder) => {
    for (let at = 0; at < 22; at++)
      for (const name of ['Suspense', 'Loader'])
        folder.write(`${name}${at}.md`, `entity ${name} SERVICE\nentity ${name}Part${at} SERVICE\n`);
    const engine = await stated(folder, ['entity Suspense SERVICE', 'entity Loader SERVICE']);
    const { edges } = await engine.graph.path(call, { from: 'Suspense', to: 'Loader', maxDepth: 5 });
    assert.deepEqual(
      edges.map(({ source, target, stated: is }) => [source, target, is]),
      [['Suspense', 'Loader', false]],
    );
  }));

test('a plural nobody typed does not hide the better known name, and the others are told', () =>
  using(async (folder) => {
    const engine = await stated(folder, [
      'entity orders SERVICE',
      ...Array.from({ length: 3 }, (_, at) => `relation Order Service USES Store ${at}`),
    ]);
    folder.write('more.md', 'entity Order Service SERVICE\n');
    await engine.graph.index(call, {});
    const { resolved } = await engine.graph.relations(call, { entity: 'order', direction: 'both' });
    assert.equal(resolved.name, 'Order Service');
    assert.deepEqual(resolved.alsoMatched, ['orders']);
    const plural = await engine.graph.relations(call, { entity: 'Orders', direction: 'both' });
    assert.equal(plural.resolved.name, 'orders');
    folder.write('teams.md', 'entity Payments Team TEAM\nentity Payment Service SERVICE\n');
    await engine.graph.index(call, {});
    const payment = await engine.graph.relations(call, { entity: 'payment', direction: 'both' });
    assert.equal(payment.resolved.name, 'Payment Service');
    assert.deepEqual(payment.resolved.alsoMatched, ['Payments Team']);
  }));
