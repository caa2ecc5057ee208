import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { VaiError } from '../../../src/domain/errors.ts';
import { createFetcher } from '../../../src/sources/web/fetcher.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a certificate that nobody vouches for is refused, with the reason', async (t) => {
  const folder = tempFolder('tls');
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const made = spawnSync('openssl', [...args, '-keyout', key, '-out', cert]);
  if (made.status !== 0) return t.skip('openssl is not installed');
  const options = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = https.createServer(options, (_request, response) => response.end('# Text\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const fetcher = createFetcher({ userAgent: 'vai-test', allowPrivate: true, retries: 0 });
    await assert.rejects(fetcher.fetch(`https://127.0.0.1:${port}/llms.txt`, {}), (error: VaiError) => {
      assert.equal(error.code, 'FETCH_FAILED');
      assert.match(error.message, /certificate not trusted/);
      return true;
    });
  } finally {
    server.close();
  }
});
