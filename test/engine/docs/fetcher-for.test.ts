import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VaiError } from '../../../src/domain/errors.ts';
import { localCall, LOCAL } from '../../../src/engine/call.ts';
import { fetcherFor } from '../../../src/engine/docs/fetcher-for.ts';
import { createFetcher } from '../../../src/sources/web/fetcher.ts';

const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), {
  syscall: 'getaddrinfo',
  hostname: 'docs.example',
});
const fetcher = createFetcher({
  userAgent: 'test',
  resolve: (host) =>
    host === 'docs.example' ? Promise.reject(unknown) : Promise.resolve([{ address: '10.0.0.1', family: 4 }]),
});
const remote = { principal: { ...LOCAL, id: 'key' } };
const URL = 'https://docs.example/llms.txt';

test('a name that could not be looked up is told to the user of this machine', async () => {
  const own = fetcherFor({ fetcher }, localCall());
  const told = { code: 'FETCH_FAILED', message: 'The name docs.example could not be looked up.' };
  await assert.rejects(own.fetch(URL, {}), told);
  await assert.rejects(own.fetchFolder('site:https://docs.example/', {}), told);
  await assert.rejects(own.fetch('https://inside.example/llms.txt', {}), { code: 'URL_REFUSED' });
});

test('and to nobody else', async () => {
  const theirs = fetcherFor({ fetcher }, remote);
  const answers = ['docs', 'inside'].map((name) =>
    theirs.fetch(`https://${name}.example/llms.txt`, {}).catch((error: VaiError) => {
      const { code, message, hint, data } = error;
      return { code, message: message.replace(name, ''), hint, data };
    }),
  );
  const [nowhere, inside] = await Promise.all(answers);
  assert.deepEqual(nowhere, inside);
});
