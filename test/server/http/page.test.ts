// How the files of the page leave the server: packed for those who take it, plain for the others.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createPage } from '../../../src/server/http/page.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SCRIPT = 'export const words = 1;\n'.repeat(500);
const folder = tempFolder('page');
let server: http.Server;

before(async () => {
  writeFileSync(join(folder, 'main.js'), SCRIPT);
  writeFileSync(join(folder, 'small.js'), '1');
  const page = createPage(folder);
  server = http.createServer((request, response) => page(request, response, request.url ?? '/'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
after(() => server.close());

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }>((done, failed) => {
    const request = http.request({ port, host: '127.0.0.1', path, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done({ headers: response.headers, body: Buffer.concat(parts) }));
    });
    request.on('error', failed).end();
  });
}

test('compressed for clients that accept gzip, and no others', async () => {
  for (const accepted of ['gzip', 'br, gzip;q=0.8', 'deflate,GZIP']) {
    const { headers, body } = await get('/main.js', { 'accept-encoding': accepted });
    assert.equal(headers['content-encoding'], 'gzip', accepted);
    assert.equal(Number(headers['content-length']), body.length);
    assert.equal(gunzipSync(body).toString(), SCRIPT);
    assert.equal(headers.vary, 'Accept-Encoding');
  }
  for (const accepted of ['', 'br', 'gzip;q=0', 'xgzip', 'gzip; q=0.0']) {
    const { headers, body } = await get('/main.js', accepted ? { 'accept-encoding': accepted } : {});
    assert.equal(headers['content-encoding'], undefined, accepted);
    assert.equal(body.toString(), SCRIPT);
  }
});

test('a small file is not compressed, and HEAD sends no body', async () => {
  const small = await get('/small.js', { 'accept-encoding': 'gzip' });
  assert.equal(small.headers['content-encoding'], undefined);
  const head = await get('/main.js', { 'accept-encoding': 'gzip' }, 'HEAD');
  assert.equal(head.body.length, 0);
  assert.ok(Number(head.headers['content-length']) < SCRIPT.length);
});
