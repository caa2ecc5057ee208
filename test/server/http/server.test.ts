// The live HTTP server: what each request gets, in the order of the guards. Who may call what is in policy.test.ts and
// access.test.ts.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import {
  ADMIN_KEY,
  EXPIRED_KEY,
  httpServer,
  KEY,
  KEYS,
  READ_KEY,
  stored,
  type TestServer,
} from '../support/http.ts';
import { as, call, JSON_TYPE, rpc, send, toolNames, type Reply } from '../support/send.ts';
import { until } from '../../support/wait.ts';

describe('guards in their order', () => {
  it('Host and Origin come before everything, on every route', async () => {
    await using server = await httpServer();
    for (const path of ['/mcp', '/health', '/metrics', '/', '/nothing']) {
      const method = path === '/mcp' ? 'POST' : 'GET';
      const host = await send(server, { method, path, headers: { ...as(KEY), Host: 'evil.example' } });
      assert.equal(host.status, 403, path);
      const origin = await send(server, {
        method,
        path,
        headers: { ...as(KEY), Origin: 'https://evil.example' },
      });
      assert.equal(origin.status, 403, path);
    }
  });

  /** The first that comes back to a request written by hand. */
  async function answerTo(server: TestServer, ...lines: string[]): Promise<string> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const head = ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...lines];
    socket.write(head.join('\r\n'));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return String(chunk);
  }

  it('a key is asked for before the body is read', async () => {
    await using server = await httpServer();
    assert.match(await answerTo(server, 'Content-Length: 5000000', '', '{'), /^HTTP\/1\.1 401 /);
  });

  it('a refused client that asks first is never told to send its body', async () => {
    await using server = await httpServer();
    const answer = await answerTo(server, 'Content-Length: 5', 'Expect: 100-continue', '', '');
    assert.match(answer, /^HTTP\/1\.1 401 /);
  });

  it('answers 401 with a hint, 405, 413, 415, 400 as they are due', async () => {
    await using server = await httpServer();
    const none = await send(server, { headers: JSON_TYPE, body: rpc('ping') });
    assert.equal(none.status, 401);
    assert.equal(none.headers['www-authenticate'], 'Bearer realm="vai"');
    assert.match(none.body.error.data.hint, /Authorization/);
    const wrong = await send(server, { headers: as('vai-mcp-key-no'), body: rpc('ping') });
    assert.match(String(wrong.headers['www-authenticate']), /invalid_token/);
    assert.equal((await send(server, { headers: as(EXPIRED_KEY), body: rpc('ping') })).status, 401);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const reply = await send(server, { method, headers: as(KEY) });
      assert.equal(reply.status, 405);
      assert.equal(reply.headers.allow, 'POST');
      assert.equal(reply.body.jsonrpc, '2.0');
    }
    const large = await send(server, {
      headers: { ...as(KEY), 'Content-Length': String(11 * 1024 * 1024) },
    });
    assert.equal(large.status, 413);
    const typed = await send(server, {
      headers: { ...as(KEY), 'Content-Type': 'text/plain' },
      body: rpc('ping'),
    });
    assert.equal(typed.status, 415);
    const broken = await send(server, { headers: as(KEY), body: '{nonsense' });
    assert.equal(broken.status, 400);
    assert.equal(broken.body.error.code, -32700);
    const accept = await send(server, {
      headers: { ...as(KEY), Accept: 'text/html' },
      body: rpc('tools/list'),
    });
    assert.equal(accept.status, 406);
  });

  it('works for plain curl: no Accept, no version', async () => {
    await using server = await httpServer();
    const reply = await send(server, { headers: as(KEY), body: call('echo', { text: 'hi' }) });
    assert.equal(reply.status, 200);
    assert.match(String(reply.headers['content-type']), /^application\/json/);
    assert.deepEqual(reply.body.result.structuredContent, { said: 'hi' });
  });

  it('says 404 where there is nothing, and offers no OAuth', async () => {
    await using server = await httpServer();
    for (const path of [
      '/',
      '/index.html',
      '/.well-known/oauth-protected-resource/mcp',
      '/../../etc/passwd',
      '/%2e%2e/x',
    ]) {
      assert.equal((await send(server, { method: 'GET', path })).status, 404, path);
    }
  });
});

describe('keys', () => {
  it('none configured: starts, refuses, and takes the first key without a restart', async () => {
    await using server = await httpServer({ keys: [] });
    const refused = await send(server, { headers: as(KEY), body: rpc('ping') });
    assert.equal(refused.status, 401);
    assert.match(refused.body.error.data.hint, /generate-key/);
    assert.ok(
      server.lines.some((line) => line['level'] === 'warn' && String(line['msg']).startsWith('no keys yet')),
    );
    await server.setKeys([stored(KEY)]);
    await until(async () => (await send(server, { headers: as(KEY), body: rpc('ping') })).status === 200);
    await server.setKeys([]);
    await until(async () => (await send(server, { headers: as(KEY), body: rpc('ping') })).status !== 200);
  });

  it('keeps the keys it knew while the file is broken, and none when it is gone', async () => {
    await using server = await httpServer();
    await send(server, { headers: as(KEY), body: rpc('ping') });
    await writeFile(server.configFile, '{"half');
    const status = async (): Promise<number> =>
      (await send(server, { headers: as(KEY), body: rpc('ping') })).status;
    const noticed = (): boolean => server.lines.some((line) => /cannot be read/.test(String(line['msg'])));
    await until(async () => (await status()) !== 200 || noticed());
    assert.equal(await status(), 200);
    await rm(server.configFile);
    await until(async () => (await status()) === 401);
    await server.setKeys(KEYS);
    await until(async () => (await status()) === 200);
  });

  it('accepts plain strings, digests and keys from the environment', async () => {
    const keys = ['plain-key-of-an-older-version', `sha256:${stored('hashed').sha256}`];
    await using server = await httpServer({ keys, environmentKeys: ['a-key-from-the-environment'] });
    for (const key of ['plain-key-of-an-older-version', 'hashed', 'a-key-from-the-environment']) {
      const reply = await send(server, { headers: as(key), body: rpc('tools/list') });
      assert.ok(toolNames(reply).includes('write_note'), key);
    }
  });

  it('shows what the scopes of a key allow, and on a read-only server nothing that writes', async () => {
    await using server = await httpServer();
    await using closed = await httpServer({ readOnly: true });
    const shown = async (on: TestServer, key: string): Promise<unknown> =>
      toolNames(await send(on, { headers: as(key), body: rpc('tools/list') }));
    assert.deepEqual(await shown(server, READ_KEY), ['echo', 'slow', 'boom']);
    assert.deepEqual(await shown(closed, ADMIN_KEY), ['echo', 'slow', 'boom']);
  });
});

describe('limits', () => {
  it('429 with Retry-After when a key is too fast, and not for another key', async () => {
    await using server = await httpServer({ keys: [stored(KEY, { rate: 3 }), stored(READ_KEY)] });
    const statuses: number[] = [];
    let last: Reply | undefined;
    for (let at = 0; at < 5; at += 1) {
      last = await send(server, { headers: as(KEY), body: rpc('ping') });
      statuses.push(last.status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    assert.ok(Number(last!.headers['retry-after']) >= 1);
    assert.equal((await send(server, { headers: as(READ_KEY), body: rpc('ping') })).status, 200);
  });

  it('429 after ten failed keys a minute, and a valid key is never held back', async () => {
    await using server = await httpServer();
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1)
      statuses.push((await send(server, { headers: as(`bad-${at}`), body: rpc('ping') })).status);
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429]);
    assert.equal((await send(server, { headers: as(KEY), body: rpc('ping') })).status, 200);
    const metrics = await send(server, { method: 'GET', path: '/metrics', headers: as('bad') });
    assert.equal(metrics.status, 429);
  });
});
