// The MongoDB store keeps the contract: against the stand-in as each of the servers it can be, or against any real
// deployment with VAI_TEST_MONGODB_URI (whose databases `contract`, `second` and `third` are dropped).

import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Stores } from '../../src/ports/store.ts';
import { mongodbStores } from '../../src/stores/mongodb/stores.ts';
import { startMongod, type RunningMongod } from '../support/mongod/start.ts';
import { storeContract } from './store-contract.ts';

const DATABASES = ['contract', 'second', 'third'];
const ATLAS_SKIPS = {
  'other collections change no score and show nowhere':
    'collections of ours share one search index, which counts words over all of them',
};
const real = process.env['VAI_TEST_MONGODB_URI'];

if (real) contractOn('mongodb', { uri: real, settled: indexed });
else
  for (const profile of ['atlas', 'documentdb', 'community'] as const) {
    let standIn: RunningMongod;
    before(async () => {
      standIn = await startMongod({ profile });
    });
    after(() => standIn.stop());
    contractOn(`mongodb as ${profile}`, {
      get uri() {
        return standIn.uri;
      },
      skip: profile === 'atlas' ? ATLAS_SKIPS : {},
    });
  }

interface Server {
  readonly uri: string;
  settled?: (stores: Stores) => Promise<void>;
  skip?: Record<string, string>;
}

function contractOn(name: string, server: Server): void {
  let admin: MongoClient | undefined;
  after(() => admin?.close());
  storeContract({
    name,
    skip: server.skip ?? {},
    async open(now) {
      const make = () => mongodbStores({ settings: { mongodbUri: server.uri }, now });
      const stores = make();
      const { settled } = server;
      return {
        stores,
        again: async () => make(),
        ...(settled ? { settled: () => settled(stores) } : {}),
        async dispose() {
          await stores.close();
          admin ??= new MongoClient(server.uri);
          for (const database of DATABASES) await admin.db(database).dropDatabase();
        },
      };
    },
  });
}

/** Atlas Search follows behind: indexes are built, and writes reach them within a second or so. */
async function indexed(stores: Stores): Promise<void> {
  if (!/follow a write by about a second/.test(await stores.about!())) return;
  const store = await stores.open('contract');
  for (const { name } of await store.collections.list()) {
    for (let tries = 0; tries < 120; tries += 1) {
      if ((await store.indexes.list(name)).every((index) => index.status === 'ready')) break;
      await sleep(1000);
    }
  }
  await sleep(2000);
}
