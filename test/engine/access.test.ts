// What a limited key reaches through every group of the engine: nothing of a collection it was not made for, by any
// question, and nothing at all without the scope.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { localCall, type AccessScope, type Call } from '../../src/engine/call.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { tempEngine, type TempEngine } from '../support/temp-engine.ts';

/** Words, names and paths that stand only in the collection nobody else may see. */
const SECRET = /quokka|hiddenplace|vaultservice|VaultService|classified/i;

let temp: TempEngine;
let engine: Engine;

function keyFor(collections: readonly string[], ...scopes: AccessScope[]): Call {
  return { principal: { id: 'key', scopes, collections, databases: '*' } };
}

const limited = keyFor(['open'], 'read', 'write', 'admin');

before(async () => {
  temp = await tempEngine();
  engine = temp.engine;
  const call = localCall();
  for (const [name, service, word] of [
    ['open', 'BillingService', 'wombat'],
    ['classified', 'VaultService', 'quokka'],
  ] as const) {
    const folder = join(temp.home, `src-${name}`);
    mkdirSync(folder);
    const file = name === 'open' ? 'page.md' : 'hiddenplace.md';
    writeFileSync(
      join(folder, file),
      `# ${service}\n\n${service} depends on LedgerStore. The ${word} feeds it.\n\n## Use of ${word}\n\nOne.\n\nTwo ${word}.\n`,
    );
    await engine.docs.add(call, { alias: name, path: folder });
    await engine.graph.build(call, { collection: name });
  }
});
after(() => temp.close());

type Probe = [name: string, run: (engine: Engine, call: Call) => Promise<unknown>];

/** Every way of asking; `name` is the collection asked for by name. */
function probes(name: string): Probe[] {
  const place = { collection: name };
  const limit = 10;
  const words = ['quokka', 'quoka', 'VaultService', 'LedgerStore', 'wombat'];
  return [
    ...words.flatMap((query): Probe[] => [
      ...(['words', 'meaning', 'hybrid', 'relations', 'graph'] as const).map((mode): Probe => [
        `search ${mode} ${query}`,
        (e, call) => e.search.run(call, { query, mode, limit, rerank: true }),
      ]),
      [`search in ${query}`, (e, call) => e.search.run(call, { query, collections: [name], limit })],
      [`search * ${query}`, (e, call) => e.search.run(call, { query, collections: ['*'], limit })],
      [`docs.find ${query}`, (e, call) => e.docs.find(call, { query })],
      [`graph.search ${query}`, (e, call) => e.graph.search(call, { query, mode: 'hybrid', limit } as never)],
      [`graph.entities ${query}`, (e, call) => e.graph.entities(call, { query, limit })],
      [
        `graph.relations ${query}`,
        (e, call) => e.graph.relations(call, { entity: query, direction: 'both' }),
      ],
      [`graph.trace ${query}`, (e, call) => e.graph.trace(call, { entity: query, direction: 'upstream' })],
      [
        `graph.path ${query}`,
        (e, call) => e.graph.path(call, { from: query, to: 'LedgerStore', maxDepth: 4 }),
      ],
    ]),
    ['graph.entities', (e, call) => e.graph.entities(call, { limit })],
    ['graph.entities in', (e, call) => e.graph.entities(call, { limit, ...place })],
    ['graph.stats', (e, call) => e.graph.stats(call)],
    ['graph.stats in', (e, call) => e.graph.stats(call, place)],
    ['graph.export', (e, call) => e.graph.export(call, { format: 'json' } as never)],
    ['graph.export in', (e, call) => e.graph.export(call, { format: 'json', ...place } as never)],
    ['graph.build', (e, call) => e.graph.build(call, place)],
    ['collections.list', (e, call) => e.collections.list(call)],
    ['collections.get', (e, call) => e.collections.get(call, { name })],
    ['collections.documents', (e, call) => e.collections.documents(call, { collection: name, limit })],
    ['collections.remove', (e, call) => e.collections.remove(call, { collection: name })],
    [
      'cite.read',
      (e, call) => e.cite.read(call, { citations: [`${name}/hiddenplace.md:1-9`, `${name}:1-3`] }),
    ],
    ['evaluate.run', (e, call) => e.evaluate.run(call, { collection: name, sample: 1 })],
    ['indexes.list', (e, call) => e.indexes.list(call)],
    ['indexes.list in', (e, call) => e.indexes.list(call, place)],
    ['indexes.create', (e, call) => e.indexes.create(call, { ...place, type: 'vector' })],
    ['indexes.drop', (e, call) => e.indexes.drop(call, { ...place, name: 'vector' })],
    ['docs.list', (e, call) => e.docs.list(call, { filter: 'installed' })],
    ['docs.inspect', (e, call) => e.docs.inspect(call)],
    ['docs.inspect of', (e, call) => e.docs.inspect(call, name)],
    ['docs.history', (e, call) => e.docs.history(call, {})],
    ['docs.history of', (e, call) => e.docs.history(call, { alias: name })],
    ['docs.diff', (e, call) => e.docs.diff(call, { alias: name })],
    ['graph.map', (e, call) => e.graph.map(call, { limit: 100 })],
    ['docs.versions', (e, call) => e.docs.versions(call, { alias: name })],
    ['collections.rename', (e, call) => e.collections.rename(call, { collection: name, to: 'mine' })],
    ['docs.validate', (e, call) => e.docs.validate(call, {})],
    ['docs.stats', (e, call) => e.docs.stats(call)],
    ['docs.outline', (e, call) => e.docs.outline(call, { alias: name })],
    ['docs.update', (e, call) => e.docs.update(call, { aliases: [name] })],
    ['docs.remove', (e, call) => e.docs.remove(call, name)],
    ['ingest.text', (e, call) => e.ingest.text(call, { ...place, text: 'mine now', source: 'x' })],
    ['upkeep.check', (e, call) => e.upkeep.check(call)],
    ['upkeep.compact', (e, call) => e.upkeep.compact(call)],
    ['upkeep.backup', (e, call) => e.upkeep.backup(call, { file: join(temp.home, 'stolen.db') })],
  ];
}

/** What comes back, errors included. */
async function answerOf([, run]: Probe, call: Call): Promise<string> {
  return run(engine, call).then(
    (value) => JSON.stringify(value),
    (error: { message: string; hint?: string; suggestions?: string[] }) =>
      JSON.stringify([error.message, error.hint, error.suggestions]),
  );
}

describe('a key for one collection', () => {
  it('is asked questions that do reach the other with every right', async () => {
    const reading = probes('classified').filter(
      ([name]) => !/remove|rename|drop|create|ingest|upkeep/.test(name),
    );
    let reached = 0;
    for (const probe of reading) if (SECRET.test(await answerOf(probe, localCall()))) reached += 1;
    assert.ok(reached > reading.length / 2, `${reached} of ${reading.length}`);
  });

  it('learns nothing of another, by any question', async () => {
    for (const probe of probes('classified')) {
      const answer = await answerOf(probe, limited);
      // What was asked is said back; it must not be more than that.
      const asked = ['classified', 'quokka', 'VaultService', 'hiddenplace.md'];
      const echo = new RegExp(
        `"query":"[^"]*"|\`[^\`]*(?:${asked.join('|')})[^\`]*\`|"citation":"[^"]*"`,
        'g',
      );
      assert.doesNotMatch(answer.replaceAll(echo, ''), SECRET, probe[0]);
    }
  });

  it('leaves the other as it was', async () => {
    const { stats } = await engine.collections.get(localCall(), { name: 'classified' });
    assert.equal(stats.documents, 1);
  });

  it('still finds and reads its own', async () => {
    const { hits } = await engine.search.run(limited, { query: 'wombat', limit: 5 });
    assert.ok(hits.length > 0);
    assert.equal((await engine.cite.read(limited, { citations: [hits[0]!.citation] })).snippets.length, 1);
    assert.deepEqual(
      (await engine.collections.list(limited)).collections.map(({ name }) => name),
      ['open'],
    );
    // The newest event is the other collection's: it must not take the one place there is.
    assert.deepEqual(
      (await engine.docs.history(limited, { limit: 1 })).map(({ collection }) => collection),
      ['open'],
    );
    const { indexBytes, cacheBytes } = await engine.docs.stats(limited);
    assert.equal(indexBytes, cacheBytes, 'the size of the whole file was told');
    assert.equal((await engine.graph.stats(limited)).bytes, cacheBytes, 'and not by the graph');
    await engine.docs.find(localCall(), { query: 'quokka' });
    assert.equal((await engine.docs.stats(limited)).searches, 0, 'what others search');
    assert.ok((await engine.graph.entities(limited, { limit: 50 })).entities.length > 0);
  });

  it('may not touch the database as a whole', async () => {
    for (const run of [
      () => engine.upkeep.check(limited),
      () => engine.upkeep.compact(limited),
      () => engine.upkeep.backup(limited, { file: join(temp.home, 'x.db') }),
    ])
      await assert.rejects(run, { code: 'NOT_ALLOWED' });
  });
});

describe('what the owner configured', () => {
  it('is not named to who may not see it, and is no reason to find nothing', async () => {
    const configured = await tempEngine({ home: temp.home, flags: { defaultCollection: 'classified' } });
    try {
      const { search, ingest } = configured.engine;
      const { hits } = await search.run(limited, { query: 'wombat', limit: 5 });
      assert.ok(hits.length > 0 && hits.every(({ collection }) => collection === 'open'));
      await assert.rejects(ingest.text(limited, { text: 'mine', source: 'x' }), (error: Error) => {
        assert.doesNotMatch(error.message, SECRET);
        return /not open to this key/.test(error.message);
      });
    } finally {
      await configured.close();
    }
  });
});

describe('a key for no collection', () => {
  it('sees none, rather than all', async () => {
    const nobody = keyFor([], 'read');
    for (const probe of probes('classified')) {
      const answer = await answerOf(probe, nobody);
      const echo = /"query":"[^"]*"|`[^`]*`|"citation":"[^"]*"/g;
      assert.doesNotMatch(answer.replaceAll(echo, ''), /wombat|page\.md|quokka|hiddenplace/, probe[0]);
    }
  });
});

describe('scopes', () => {
  it('without read nothing is answered', async () => {
    for (const probe of probes('open'))
      await assert.rejects(probe[1](engine, keyFor(['open'])), { code: 'NOT_ALLOWED' }, probe[0]);
    await assert.rejects(engine.collections.databases(keyFor(['open'])), { code: 'NOT_ALLOWED' });
  });

  it('with read alone nothing is written', async () => {
    const reader = keyFor(['open'], 'read');
    const writes = /graph\.build|remove|indexes\.(create|drop)|docs\.update|ingest|upkeep/;
    for (const probe of probes('open').filter(([name]) => writes.test(name)))
      await assert.rejects(probe[1](engine, reader), { code: 'NOT_ALLOWED' }, probe[0]);
  });

  it('a database that was not opened to the key is refused', async () => {
    const call: Call = { principal: { ...limited.principal, databases: ['vai'] } };
    await assert.rejects(engine.collections.list(call, { db: 'other' }), { code: 'NOT_ALLOWED' });
    await assert.rejects(engine.search.run(call, { query: 'x', db: 'other', limit: 1 }), {
      code: 'NOT_ALLOWED',
    });
  });
});

describe('storage', () => {
  it('is limited in bytes too', async () => {
    const small = await tempEngine({ flags: { maxCollectionBytes: 100 } });
    try {
      const key: Call = { principal: { ...limited.principal, collections: '*' } };
      const add = (source: string) =>
        small.engine.ingest.text(key, { text: 'sixty letters '.repeat(5), collection: 'one', source });
      await add('a');
      await add('b');
      await assert.rejects(add('c'), { code: 'STORE_FULL', message: /100 bytes/ });
    } finally {
      await small.close();
    }
  });

  it('is limited for keys, not for the command line', async () => {
    const small = await tempEngine({ flags: { maxChunks: 2, maxCollections: 1 } });
    try {
      const { ingest } = small.engine;
      const key: Call = { principal: { ...limited.principal, collections: '*' } };
      const add = (call: Call, collection: string, source: string) =>
        ingest.text(call, { text: `note ${source}`, collection, source });
      await add(key, 'one', 'a');
      await assert.rejects(add(key, 'two', 'a'), { code: 'STORE_FULL', message: /limit of collections/ });
      await add(key, 'one', 'b');
      await assert.rejects(add(key, 'one', 'c'), { code: 'STORE_FULL', message: /full/ });
      await add(localCall(), 'one', 'c');
      await add(localCall(), 'two', 'a');
    } finally {
      await small.close();
    }
  });
});
