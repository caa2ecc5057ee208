// The examples of the specification on the MongoDB store, through the stand-in.

import { after } from 'node:test';
import { startMongod, type RunningMongod } from '../support/mongod/start.ts';
import { vaiClient } from '../support/vai-client.ts';
import { specificationExamples } from './specification-examples.ts';

let mongod: RunningMongod | undefined;

specificationExamples('mongodb', async () => {
  mongod = await startMongod();
  return vaiClient({ env: { VAI_STORE: 'mongodb', MONGODB_URI: mongod.uri } });
});

after(() => mongod?.stop());
