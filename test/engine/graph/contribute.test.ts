// What an agent states: checked against the lines it cites, kept beside what the rules found, gone with those lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../src/engine/engine.ts';
import type { ContributedRelation } from '../../../src/engine/graph/types.ts';
import { call, countingExtractor, using } from '../../support/graph-folder.ts';

const AUTH = `# Auth Service

The Auth Service uses Redis.

Tokens of the Auth Service are signed with keys that the Vault hands out.

It is a fine service.
`;

const signed: ContributedRelation = {
  source: 'Auth Service',
  type: 'DEPENDS_ON',
  target: 'Vault',
  description: 'signs tokens with keys of the Vault',
  citation: 'docs/auth.md:5',
};

const state = (engine: Engine, relations: ContributedRelation[], remove = false) =>
  engine.graph.contribute(call, { entities: [], relations, remove });

const shown = async (engine: Engine, entity = 'Auth Service') =>
  (await engine.graph.relations(call, { entity, direction: 'out' })).relations
    .filter(({ target }) => target === 'Vault' || target === 'Redis')
    .map(({ target, type, by, evidence }) => [
      target,
      type,
      by.join(),
      evidence.map((one) => `${one.startLine} ${one.by}`).join(),
    ]);

test('a statement is kept as the agent’s, beside what the rules found, and is idempotent', () =>
  using(async (folder) => {
    folder.write('auth.md', AUTH);
    const engine = await folder.open();
    await engine.graph.index(call, {});
    for (let twice = 0; twice < 2; twice += 1) {
      const done = await state(engine, [signed]);
      assert.deepEqual([done.entities, done.relations, done.refused], [0, 1, []]);
    }
    assert.deepEqual(await shown(engine), [
      ['Redis', 'USES', 'rules', '3 rules'],
      ['Vault', 'DEPENDS_ON', 'agent', '5 agent'],
    ]);
    const trace = await engine.graph.trace(call, { entity: 'Auth Service', direction: 'downstream' });
    const edge = trace.edges.find(({ target }) => target === 'Vault');
    assert.equal(edge?.evidence[0]?.by, 'agent');
    const json = JSON.parse(await engine.graph.export(call, { format: 'json' })) as {
      relations: { target: string; by: string[]; evidence: { citation: string; by: string }[] }[];
    };
    const exported = json.relations.find(({ target }) => target === 'Vault');
    assert.deepEqual(exported?.evidence, [{ citation: 'docs/auth.md:5', by: 'agent' }]);
    assert.deepEqual(exported.by, ['agent']);
    const back = await state(engine, [signed], true);
    assert.equal(back.relations, 1);
    assert.deepEqual(await shown(engine), [['Redis', 'USES', 'rules', '3 rules']]);
  }));

test('lines that are not there, do not name both ends or are too many are refused, the rest is kept', () =>
  using(async (folder) => {
    folder.write('auth.md', AUTH);
    folder.write('long.md', `# Long\n\nAuth Service and Vault.\n${'More of it.\n'.repeat(60)}`);
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const bad: [Partial<ContributedRelation>, RegExp][] = [
      [{ citation: 'docs/auth.md:7' }, /do not name `Auth Service`/],
      [{ target: 'Kafka' }, /do not name `Kafka`/],
      [{ target: 'Vaul' }, /do not name `Vaul`/],
      [{ citation: 'docs/auth.md:90' }, /has 8 lines/],
      [{ citation: 'docs/none.md:1' }, /no document `none.md`/],
      [{ citation: 'other/auth.md:5' }, /no collection|not/i],
      [{ citation: 'nonsense' }, /not a citation/],
      [{ citation: 'docs/long.md:1-60' }, /At most 40 lines/],
      [{ citation: 'docs/auth.md:5@deadbeef' }, /changed since/],
      [{ target: 'auth services' }, /same entity/],
    ];
    const done = await state(engine, [...bad.map(([part]) => ({ ...signed, ...part })), signed]);
    assert.equal(done.relations, 1);
    assert.equal(done.refused.length, bad.length);
    for (const [part, reason] of bad)
      assert.ok(
        done.refused.some((one) => reason.test(one.reason)),
        `${JSON.stringify(part)}: ${JSON.stringify(done.refused.map((one) => one.reason))}`,
      );
  }));

test('a statement follows its lines, survives a run of the extractor, and goes when they change', () =>
  using(async (folder) => {
    folder.write('auth.md', AUTH);
    const engine = await folder.open();
    await engine.graph.index(call, {});
    await state(engine, [signed]);
    const vault = async () => (await shown(engine)).find(([target]) => target === 'Vault')?.[3];
    folder.write('auth.md', `# Preface\n\nNew.\n\n${AUTH}`);
    await engine.graph.index(call, {});
    assert.equal(await vault(), '9 agent');
    await engine.graph.index(call, { force: true });
    assert.equal(await vault(), '9 agent');
    await engine.graph.build(call, { collection: 'docs', db: engine.graph.settings.db ?? 'vai' });
    assert.equal(await vault(), '9 agent');
    folder.remove('auth.md');
    folder.write('renamed.md', `# Preface\n\nNew.\n\n${AUTH}`);
    await engine.graph.index(call, {});
    assert.equal(await vault(), '9 agent');
    folder.write('renamed.md', AUTH.replace('signed with keys', 'signed with certificates'));
    await engine.graph.index(call, {});
    assert.equal(await vault(), undefined);
    const { entities } = await engine.graph.entities(call, { query: 'Vault', limit: 5 });
    assert.ok(entities.every(({ by }) => !by.includes('agent')));
  }));

test('a model reads the text anew and leaves the agent’s statements alone', () =>
  using(async (folder) => {
    folder.write('auth.md', AUTH);
    const engine = await folder.open({ extractor: countingExtractor() });
    await engine.graph.index(call, {});
    await state(engine, [signed]);
    folder.write('auth.md', `${AUTH}\nentity Mail SERVICE\n`);
    await engine.graph.index(call, {});
    const { relations } = await engine.graph.relations(call, { entity: 'Vault', direction: 'in' });
    assert.deepEqual(
      relations.map(({ source, by }) => [source, by]),
      [['Auth Service', ['agent']]],
    );
  }));

test('entities, other spellings and types the schema does not have', () =>
  using(async (folder) => {
    folder.write(
      'hpa.md',
      '# Scaling\n\nThe Horizontal Pod Autoscaler (HPA) asks the metrics-server.\n\nThe HPA resizes C++ pools.\n',
    );
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const done = await engine.graph.contribute(call, {
      entities: [
        { name: 'Metrics Server', type: 'service', description: 'gives usage', citation: 'docs/hpa.md:3' },
      ],
      relations: [
        { source: 'HPA', type: 'RESIZES', target: 'C++ pools', citation: 'docs/hpa.md:5' },
        {
          source: 'horizontal pod autoscaler',
          type: 'uses',
          target: 'metrics server',
          citation: 'docs/hpa.md:3',
        },
      ],
      remove: false,
    });
    assert.deepEqual([done.entities, done.relations, done.refused], [1, 2, []]);
    const { relations } = await engine.graph.relations(call, { entity: 'C++ pools', direction: 'in' });
    assert.deepEqual(
      relations.map(({ type, keywords }) => [type, keywords]),
      [['OTHER', ['resizes']]],
    );
    const { entities } = await engine.graph.entities(call, { type: 'SERVICE', limit: 10 });
    assert.ok(entities.some(({ name, by }) => /metrics.server/i.test(name) && by.includes('agent')));
  }));

test('only a caller that may write contributes, and many at once all count', () =>
  using(async (folder) => {
    folder.write('auth.md', AUTH);
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const reader = { ...call, principal: { ...call.principal, scopes: ['read'] as const } };
    await assert.rejects(
      engine.graph.contribute(reader, { entities: [], relations: [signed], remove: false }),
      /no write scope/,
    );
    const targets = ['Redis', 'Vault', 'Tokens'];
    await Promise.all(
      targets.map((target) =>
        state(engine, [{ ...signed, type: 'OWNS', target, citation: 'docs/auth.md:3-5' }]),
      ),
    );
    const { relations } = await engine.graph.relations(call, {
      entity: 'Auth Service',
      direction: 'out',
      type: 'OWNS',
    });
    assert.equal(relations.length, 3);
  }));

test('stats name what is missing: entities without relations, pages without entities, sparse passages', () =>
  using(async (folder) => {
    folder.write('auth.md', AUTH);
    folder.write('empty.md', 'so it is\n');
    const services = ['Billing', 'Mail', 'Ledger', 'Stock'].map((name) => `${name} Service`);
    for (const name of services) folder.write(`${name}.md`, `# ${name}\n\nThe ${name} is a service.\n`);
    folder.write('list.md', `# Overview\n\nSide by side stand ${services.join(', ')}.\n`);
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const before = await engine.graph.stats(call);
    assert.equal(before.documentsWithoutEntities, 1);
    assert.ok(before.unrelatedEntities >= 4, String(before.unrelatedEntities));
    const [first] = before.sparseSections;
    assert.equal(first?.citation, 'docs/list.md:1-3');
    assert.ok(first.entities >= 4 && first.relations === 0);
    await state(
      engine,
      services
        .slice(1)
        .map((target) => ({ ...signed, source: services[0]!, target, citation: 'docs/list.md:3' })),
    );
    const after = await engine.graph.stats(call);
    assert.ok(after.unrelatedEntities <= before.unrelatedEntities - 4);
    assert.ok(!after.sparseSections.some(({ citation }) => citation === first.citation));
  }));

test('a call without a statement is told so', () =>
  using(async (folder) => {
    folder.write('auth.md', AUTH);
    const engine = await folder.open();
    await engine.graph.index(call, {});
    assert.match((await state(engine, [])).warnings.join(), /no statement in this call: give `entities`/);
    assert.deepEqual((await state(engine, [signed])).warnings, []);
  }));
