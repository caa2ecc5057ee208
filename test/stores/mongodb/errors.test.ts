// Failures of MongoDB as errors of ours: the right code, and nothing of the connection string anywhere.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import { mongodbStores } from '../../../src/stores/mongodb/stores.ts';
import { collection, document } from '../../contract/fixtures.ts';
import { startMongod, type RunningMongod } from '../../support/mongod/start.ts';

const SECRETS = [
  'hunter2',
  's3cret',
  'alice',
  'cluster0',
  'abcde',
  '127.0.0.1',
  'mongodb://',
  'mongodb+srv://',
];

async function failure(uri: string, selectionMs: number): Promise<VaiError> {
  let stores;
  try {
    stores = mongodbStores({ settings: { mongodbUri: uri }, now: () => new Date(), limits: { selectionMs } });
    const store = await stores.open('vai');
    await store.collections.list();
  } catch (thrown) {
    assert.ok(thrown instanceof VaiError, String(thrown));
    return thrown;
  } finally {
    await stores?.close();
  }
  return assert.fail('it should have failed');
}

function everything(error: VaiError): string {
  const parts: unknown[] = [error.message, error.hint, error.data, error.stack];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause)
    parts.push(cause.message, cause.stack);
  return JSON.stringify(parts);
}

describe('errors of MongoDB', () => {
  let mongod: RunningMongod;
  before(async () => {
    mongod = await startMongod({ auth: { user: 'alice', password: 'hunter2' } });
  });
  after(() => mongod.stop());

  const cases: [name: string, uri: () => string, code: string][] = [
    ['a wrong password', () => mongod.uri.replace('hunter2', 's3cret'), 'MONGO_AUTH'],
    ['no password', () => `mongodb://127.0.0.1:${mongod.port}/?replicaSet=rs0`, 'MONGO_AUTH'],
    ['a dead port', () => 'mongodb://alice:hunter2@127.0.0.1:1/', 'MONGO_UNAVAILABLE'],
    ['a host that is not', () => 'mongodb://alice:hunter2@cluster0.abcde.invalid/', 'MONGO_UNAVAILABLE'],
    ['an unescaped @', () => 'mongodb://alice:hunter2@s3cret@127.0.0.1:1/', 'CONFIG_INVALID'],
    ['an unescaped %', () => 'mongodb://alice:hunter2%zz@127.0.0.1:1/', 'CONFIG_INVALID'],
    ['no scheme', () => 'alice:hunter2@cluster0.abcde.mongodb.net', 'CONFIG_INVALID'],
    ['nonsense', () => 'mongodb://', 'CONFIG_INVALID'],
    ['an unknown option', () => 'mongodb://alice:hunter2@127.0.0.1:1/?s3cret=1', 'CONFIG_INVALID'],
  ];
  for (const [name, uri, code] of cases) {
    it(`${name}: ${code}, nothing secret`, async () => {
      // A server that answers is given the time a busy machine takes.
      const error = await failure(uri(), code === 'MONGO_AUTH' ? 30_000 : 400);
      assert.equal(error.code, code);
      assert.ok(error.hint);
      const said = everything({
        ...error,
        message: error.message,
        hint: error.hint,
        cause: error.cause,
        stack: '',
      } as VaiError);
      for (const secret of SECRETS)
        assert.ok(
          !said.replace('mongodb+srv://user:password@cluster/', '').includes(secret),
          `${secret} in ${said}`,
        );
    });
  }

  it('a missing connection string is reported before anything is tried', () => {
    assert.throws(() => mongodbStores({ settings: {}, now: () => new Date() }), { code: 'CONFIG_MISSING' });
  });

  it('a server that accepts and never answers is given up', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const error = await failure(`mongodb://127.0.0.1:${port}/`, 400);
    server.close();
    assert.equal(error.code, 'MONGO_UNAVAILABLE');
  });

  it('a slow operation ends at its limit, a changing primary is survived', async () => {
    const settings = { mongodbUri: mongod.uri };
    const stores = mongodbStores({ settings, now: () => new Date() });
    const hurried = mongodbStores({ settings, now: () => new Date(), limits: { operationMs: 300 } });
    const store = await stores.open('slow');
    await store.collections.put(collection('docs'));
    await store.documents.replace(document({ path: 'a', text: 'x' }));
    const impatient = await hurried.open('slow');
    await mongod.fault({ failCommands: ['find'], blockConnection: true, blockTimeMS: 600_000 }, 'alwaysOn');
    await assert.rejects(impatient.documents.get('docs', 'a'), { code: 'TIMEOUT' });
    await hurried.close();
    await mongod.fault({ failCommands: ['insert', 'commitTransaction'], errorCode: 10107 }, { times: 2 });
    await store.documents.replace(document({ path: 'b', text: 'y' }));
    await mongod.stepDown(0.4);
    await store.documents.replace(document({ path: 'c', text: 'z' }));
    assert.equal((await store.collections.get('docs'))!.stats.documents, 3);
    assert.deepEqual(await store.check(), { ok: true, problems: [] });
    await stores.close();
  });
});
