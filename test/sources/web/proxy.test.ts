// Through a proxy: the tunnel is asked for by name, the page arrives, what must not be reached is refused before.

import assert from 'node:assert/strict';
import http from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { VaiError } from '../../../src/domain/errors.ts';
import { createFetcher } from '../../../src/sources/web/fetcher.ts';
import { proxyIn } from '../../../src/sources/web/proxy.ts';
import { startDocsServer, type DocsServer } from '../../support/docs-server.ts';

describe('which proxy', () => {
  const of = (env: Record<string, string>, url: string): string | undefined =>
    proxyIn(env)(new URL(url))?.href;
  const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'localhost, .corp,docs.example:8443' };

  test('the one for the scheme; small letters go first', () => {
    assert.equal(of(env, 'https://a.example/'), 'http://proxy:3128/');
    assert.equal(of(env, 'http://a.example/'), undefined);
    assert.equal(of({ ...env, https_proxy: 'other:1' }, 'https://a.example/'), 'http://other:1/');
    assert.equal(of({}, 'https://a.example/'), undefined);
  });

  test('none for hosts that go directly', () => {
    for (const url of ['https://localhost/', 'https://wiki.corp/', 'https://docs.example:8443/'])
      assert.equal(of(env, url), undefined, url);
    for (const url of ['https://xcorp/', 'https://docs.example/'])
      assert.equal(of(env, url), 'http://proxy:3128/', url);
    assert.equal(of({ ...env, NO_PROXY: '*' }, 'https://a.example/'), undefined);
  });

  test('an invalid proxy address is reported', () => {
    assert.throws(() => proxyIn({ HTTPS_PROXY: 'socks5://proxy:1' }), /HTTPS_PROXY is not/);
  });
});

describe('through it', () => {
  let docs: DocsServer;
  let proxy: http.Server;
  let address: string;
  const asked: string[] = [];
  let login: string | undefined;
  const sockets = new Set<Socket>();

  before(async () => {
    docs = await startDocsServer();
    docs.set('/llms.txt', '# Through\n\nText.\n');
    proxy = http.createServer();
    proxy.on('connect', (request: http.IncomingMessage, client: Socket) => {
      asked.push(request.url ?? '');
      login = request.headers['proxy-authorization'];
      if (request.url?.startsWith('closed.example')) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const upstream = connect(Number(new URL(docs.origin).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      for (const socket of [client, upstream]) sockets.add(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await docs.close();
  });

  const fetcher = (
    resolve: () => Promise<{ address: string; family: 4 }[]>,
    allowPrivate: boolean | string[],
  ) =>
    createFetcher({
      userAgent: 'vai-test',
      allowPrivate,
      retries: 0,
      resolve,
      proxy: proxyIn({ HTTP_PROXY: `http://me:p%40ss@${address}`, HTTPS_PROXY: address }),
    });
  const unknown = (): Promise<never> => Promise.reject(new Error('ENOTFOUND'));

  test('a name that only the proxy knows', async () => {
    const fetched = await fetcher(unknown, ['docs.example']).fetch('http://docs.example/llms.txt', {});
    assert.ok(fetched.changed);
    assert.equal(asked.at(-1), 'docs.example:80');
    assert.equal(login, `Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  test('what the proxy refuses, and what we refuse before it', async () => {
    const open = fetcher(unknown, ['closed.example']);
    await assert.rejects(open.fetch('http://closed.example/llms.txt', {}), (error: VaiError) => {
      assert.match(error.message, /The proxy did not connect: status 403/);
      assert.doesNotMatch(`${error.message}${error.hint}`, /p@ss|p%40ss/);
      return error.code === 'FETCH_FAILED';
    });
    const before = asked.length;
    const inside = fetcher(async () => [{ address: '10.0.0.1', family: 4 }], false);
    await assert.rejects(inside.fetch('https://inside.example/', {}), { code: 'URL_REFUSED' });
    await assert.rejects(inside.fetch('https://10.0.0.1/', {}), { code: 'URL_REFUSED' });
    assert.equal(asked.length, before);
  });
});
