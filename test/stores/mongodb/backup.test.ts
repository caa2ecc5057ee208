// A backup goes from any server to any other; what a restore that was cut short left is told from a database.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MongoClient } from 'mongodb';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { newOwner } from '../../../src/stores/owner.ts';
import { collection, document, MODEL, query, vector } from '../../contract/fixtures.ts';
import { startMongod, type RunningMongod } from '../../support/mongod/start.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PROFILES = ['atlas', 'documentdb', 'community'] as const;

describe('a backup of one server restored on another', () => {
  const servers = new Map<string, RunningMongod>();
  const folder = tempFolder('backup');
  const open = (profile: string, limits = {}) =>
    mongodbStores({ settings: { mongodbUri: servers.get(profile)!.uri }, now: () => new Date(), limits });

  before(async () => {
    for (const profile of PROFILES) {
      servers.set(profile, await startMongod({ profile }));
      const stores = open(profile);
      const store = await stores.open('from');
      await store.collections.put(collection('docs'));
      await store.documents.replace(
        document({ path: 'a', text: 'heron\n\nstork', vectors: [vector(0), vector(1)] }),
      );
      await store.backup(join(folder, profile));
      await stores.close();
    }
  });
  after(async () => {
    for (const server of servers.values()) await server.stop();
  });

  for (const from of PROFILES)
    for (const to of PROFILES.filter((profile) => profile !== from))
      it(`${from} to ${to}`, async () => {
        const stores = open(to);
        try {
          await stores.restore(`of_${from}`, join(folder, from));
          const store = await stores.open(`of_${from}`);
          const words = await store.search.words({ query: query(['heron']), scope: {}, limit: 5 });
          assert.deepEqual([words.hits.length, words.notices], [1, []]);
          const near = await store.search.vectors({ vector: vector(1), model: MODEL, scope: {}, limit: 1 });
          assert.equal((await store.search.chunks([near.hits[0]!.id]))[0]?.text, 'stork');
          assert.ok((await store.indexes.list('docs')).every(({ status }) => status === 'ready'));
          // And it goes on as a database like any other.
          await store.documents.replace(document({ path: 'b', text: 'ibis' }));
          assert.deepEqual(await store.check(), { ok: true, problems: [] });
        } finally {
          await stores.close();
        }
      });

  it('a restore that fails leaves nothing', async () => {
    const stores = open('atlas');
    try {
      await servers.get('atlas')!.fault({ failCommands: ['insert'], errorCode: 96, namespace: 'bad.docs' });
      await assert.rejects(stores.restore('bad', join(folder, 'community')), { code: 'WRITE_FAILED' });
      await servers.get('atlas')!.heal();
      assert.ok(!(await stores.list()).includes('bad'));
      await stores.restore('bad', join(folder, 'community'));
    } finally {
      await stores.close();
    }
  });

  it('one that was killed is begun anew, one that is under way is not', async () => {
    const stores = open('community');
    const client = await MongoClient.connect(servers.get('community')!.uri);
    const meta = client.db('half').collection<{ _id: string; value: string }>('_vai_meta');
    const leave = (value: string) =>
      meta.updateOne({ _id: 'restoring' }, { $set: { value } }, { upsert: true });
    try {
      await leave(newOwner());
      await assert.rejects(stores.restore('half', join(folder, 'community')), { code: 'SOURCE_EXISTS' });
      assert.match((await (await stores.open('half')).check()).problems.join(), /a restore is under way/);
      // The number of a process that cannot be.
      await leave(newOwner().replace(/\n\d+\n/, `\n${2 ** 31 - 1}\n`));
      await stores.restore('half', join(folder, 'community'));
      assert.deepEqual(await (await stores.open('half')).check(), { ok: true, problems: [] });
    } finally {
      await client.close();
      await stores.close();
    }
  });
});
