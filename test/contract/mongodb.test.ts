// The MongoDB store keeps the contract: against the stand-in, or against any real deployment with
// VAI_TEST_MONGODB_URI (whose databases `contract` and `second` are dropped).

import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { mongodbStores } from '../../src/stores/mongodb/stores.ts';
import { startMongod, type RunningMongod } from '../support/mongod/start.ts';
import { storeContract } from './store-contract.ts';

const DATABASES = ['contract', 'second'];
const real = process.env['VAI_TEST_MONGODB_URI'];
let standIn: RunningMongod | undefined;
let admin: MongoClient;
let uri = real ?? '';

before(async () => {
  if (!real) {
    standIn = await startMongod();
    uri = standIn.uri;
  }
  admin = new MongoClient(uri);
});

after(async () => {
  await admin.close();
  await standIn?.stop();
});

storeContract({
  name: 'mongodb',
  skip: {
    'what lies in other collections changes no score and shows nowhere':
      'collections of ours share one search index, which counts words over all of them',
  },
  async open(now) {
    const make = () => mongodbStores({ settings: { mongodbUri: uri }, now });
    const stores = make();
    return {
      stores,
      again: async () => make(),
      ...(real ? { settled: () => indexed() } : {}),
      async dispose() {
        await stores.close();
        for (const name of DATABASES) await admin.db(name).dropDatabase();
      },
    };
  },
});

/** Search of a real deployment follows behind: indexes are built, and writes reach them within a second or so. */
async function indexed(): Promise<void> {
  const db = admin.db('contract');
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    for (let tries = 0; tries < 120; tries += 1) {
      const indexes = await db.collection(name).listSearchIndexes().toArray();
      if (indexes.every((index) => 'status' in index && index.status === 'READY')) break;
      await sleep(1000);
    }
  }
  await sleep(2000);
}
