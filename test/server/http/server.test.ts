// The live HTTP server: what each request gets, in the order of the guards.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { request as httpRequest } from 'node:http';
import {
  ADMIN_KEY,
  EXPIRED_KEY,
  httpServer,
  KEY,
  KEYS,
  LIMITED_KEY,
  READ_KEY,
  stored,
  type TestServer,
} from '../support/http.ts';

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: any;
}

/** Raw, because fetch does not let us choose Host. */
function send(
  server: TestServer,
  {
    method = 'POST',
    path = '/mcp',
    headers = {},
    body,
  }: { method?: string; path?: string; headers?: Record<string, string>; body?: string | object } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        const json = response.headers['content-type']?.includes('json');
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: json ? JSON.parse(text) : text,
        });
      });
    });
    request.on('error', reject);
    request.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const as = (key: string) => ({ ...JSON_TYPE, Authorization: `Bearer ${key}` });
const rpc = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params ? { params } : {}),
});
const call = (name: string, values: object = {}) => rpc('tools/call', { name, arguments: values });
const toolNames = (reply: Reply): string[] =>
  reply.body.result.tools.map((tool: { name: string }) => tool.name);

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

  it('a key is asked for before the body is read', async () => {
    await using server = await httpServer();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n{',
    );
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(String(chunk))),
    );
    assert.match(answer, /^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it('a refused client that asks first is never told to send its body', async () => {
    await using server = await httpServer();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n',
    );
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(String(chunk))),
    );
    assert.match(answer, /^HTTP\/1\.1 401 /);
    socket.destroy();
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
    }).catch(() => ({ status: 413 }));
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
    await within(
      1_000,
      async () => (await send(server, { headers: as(KEY), body: rpc('ping') })).status === 200,
    );
    await server.setKeys([]);
    await within(
      1_000,
      async () => (await send(server, { headers: as(KEY), body: rpc('ping') })).status !== 200,
    );
  });

  it('keeps the keys it knew while the file is broken, and none when it is gone', async () => {
    await using server = await httpServer();
    await send(server, { headers: as(KEY), body: rpc('ping') });
    await writeFile(server.configFile, '{"half');
    await new Promise((done) => setTimeout(done, 300));
    assert.equal((await send(server, { headers: as(KEY), body: rpc('ping') })).status, 200);
  });

  it('accepts plain strings, digests and keys from the environment', async () => {
    const keys = ['plain-key-of-an-older-version', `sha256:${stored('hashed').sha256}`];
    await using server = await httpServer({ keys, environmentKeys: ['from-the-environment'] });
    for (const key of ['plain-key-of-an-older-version', 'hashed', 'from-the-environment']) {
      const reply = await send(server, { headers: as(key), body: rpc('tools/list') });
      assert.ok(toolNames(reply).includes('write_note'), key);
    }
  });

  it('shows and allows what the scopes of a key allow', async () => {
    await using server = await httpServer();
    assert.deepEqual(toolNames(await send(server, { headers: as(READ_KEY), body: rpc('tools/list') })), [
      'echo',
      'slow',
      'boom',
    ]);
    const reply = await send(server, {
      headers: as(READ_KEY),
      body: call('write_note', { collection: 'public', text: 'x' }),
    });
    assert.equal(reply.body.error.code, -32602);
    assert.doesNotMatch(JSON.stringify(reply.body), /write_note.*Did you mean/);
  });

  it('--read-only hides and refuses writing for every key', async () => {
    await using server = await httpServer({ readOnly: true });
    assert.ok(
      !toolNames(await send(server, { headers: as(ADMIN_KEY), body: rpc('tools/list') })).includes(
        'write_note',
      ),
    );
    const reply = await send(server, {
      headers: as(ADMIN_KEY),
      body: call('write_note', { collection: 'public', text: 'x' }),
    });
    assert.equal(reply.body.error.code, -32602);
  });

  it('a key limited to a collection sees nothing of another', async () => {
    await using server = await httpServer();
    const ask = async (body: object): Promise<string> =>
      JSON.stringify((await send(server, { headers: as(LIMITED_KEY), body })).body);
    for (const body of [
      rpc('resources/list'),
      rpc('resources/read', { uri: 'test://notes/secret' }),
      rpc('completion/complete', {
        ref: { type: 'ref/resource', uri: 'test://notes/{name}' },
        argument: { name: 'name', value: '' },
      }),
      rpc('completion/complete', {
        ref: { type: 'ref/prompt', name: 'ask' },
        argument: { name: 'topic', value: 's' },
      }),
    ]) {
      assert.doesNotMatch(await ask(body), /TOPSECRET|"secret"/);
    }
    assert.match(await ask(call('write_note', { collection: 'secret', text: 'x' })), /COLLECTION_NOT_FOUND/);
    assert.equal(server.engine.notes.get('secret'), 'TOPSECRET-CONTENT');
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

describe('errors', () => {
  it('never show what an exception said', async () => {
    await using server = await httpServer();
    for (const how of ['unknown', 'coded']) {
      const { body } = await send(server, { headers: as(KEY), body: call('boom', { how }) });
      assert.equal(body.result.isError, true);
      const text = JSON.stringify(body);
      assert.doesNotMatch(text, /hunter2|someone|mongodb:|internal\.example|at .*\.ts/);
      const { correlationId } = JSON.parse(body.result.content[0].text).error;
      assert.ok(
        server.lines.some((line) => line['correlationId'] === correlationId),
        'the log has the same id',
      );
    }
    const known = await send(server, { headers: as(KEY), body: call('boom', { how: 'known' }) });
    assert.match(known.body.result.content[0].text, /COLLECTION_NOT_FOUND.*Try y/);
    assert.equal(known.body.result.structuredContent, undefined);
  });

  it('a tool that takes too long is stopped', async () => {
    await using server = await httpServer();
    const { body } = await send(server, { headers: as(KEY), body: call('slow', { steps: 10_000, ms: 10 }) });
    assert.match(body.result.content[0].text, /TIMEOUT/);
    await within(1_000, async () => server.engine.aborted === 1);
  });

  it('an answer that is too large is cut and says so', async () => {
    await using server = await httpServer();
    const { body } = await send(server, {
      headers: as(KEY),
      body: call('echo', { text: 'word '.repeat(100), times: 500 }),
    });
    assert.ok(body.result.content[0].text.length <= 40_000);
    assert.match(body.result.content[0].text, /truncated/);
    assert.ok(JSON.stringify(body.result.structuredContent).length <= 40_000);
    assert.equal(body.result.structuredContent.truncated, true);
  });
});

describe('health, metrics, page', () => {
  it('health is exactly what the seed shows', async () => {
    await using server = await httpServer({
      probes: { voyageAi: async () => 'connected', mongodb: async () => 'connected' },
    });
    const reply = await send(server, { method: 'GET', path: '/health' });
    assert.equal(reply.status, 200);
    assert.deepEqual(Object.keys(reply.body), ['status', 'version', 'uptime', 'voyageAi', 'mongodb']);
    assert.deepEqual(
      { ...reply.body, uptime: 0 },
      { status: 'ok', version: '9.9.9', uptime: 0, voyageAi: 'connected', mongodb: 'connected' },
    );
  });

  it('degrades, only `strict` says so by status, and asks once in thirty seconds', async () => {
    let asked = 0;
    await using server = await httpServer({
      probes: { voyageAi: async () => 'not configured', mongodb: async () => ((asked += 1), 'unreachable') },
    });
    const [plain, strict] = [
      await send(server, { method: 'GET', path: '/health' }),
      await send(server, { method: 'GET', path: '/health?strict=1' }),
    ];
    assert.deepEqual([plain.status, plain.body.status, strict.status], [200, 'degraded', 503]);
    assert.equal(asked, 1);
    assert.equal(server.engine.made, 0);
  });

  it('a probe that hangs is unreachable, one that throws too', async () => {
    await using server = await httpServer({
      probes: {
        voyageAi: () => new Promise(() => {}),
        mongodb: () => Promise.reject(new Error('mongodb://u:p@h')),
      },
    });
    const { body } = await send(server, { method: 'GET', path: '/health' });
    assert.deepEqual([body.voyageAi, body.mongodb], ['unreachable', 'unreachable']);
  });

  it('metrics need an admin key and count what happened', async () => {
    await using server = await httpServer();
    assert.equal((await send(server, { method: 'GET', path: '/metrics' })).status, 401);
    assert.equal((await send(server, { method: 'GET', path: '/metrics', headers: as(KEY) })).status, 403);
    await send(server, { headers: as(KEY), body: call('echo') });
    await send(server, { headers: as(KEY), body: call('boom', { how: 'known' }) });
    const { status, body } = await send(server, { method: 'GET', path: '/metrics', headers: as(ADMIN_KEY) });
    assert.equal(status, 200);
    assert.match(body, /vai_tool_calls_total\{tool="echo",outcome="ok"\} 1/);
    assert.match(body, /vai_tool_calls_total\{tool="boom",outcome="error"\} 1/);
    assert.match(body, /vai_http_refusals_total\{reason="no key"\} 1/);
    assert.match(body, /vai_http_request_seconds_bucket/);
  });

  it('serves the page from a closed set of files, under a strict policy', async () => {
    await using server = await httpServer();
    const folder = join(server.home, 'web');
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'index.html'), '<!doctype html>');
    await writeFile(join(folder, 'assets', 'app.js'), '1');
    await writeFile(join(folder, 'notes.secret'), 'no');
    await using withPage = await httpServer({ webDir: folder });
    const index = await send(withPage, { method: 'GET', path: '/' });
    assert.equal(index.status, 200);
    assert.match(String(index.headers['content-security-policy']), /default-src 'none'; script-src 'self'/);
    const again = await send(withPage, {
      method: 'GET',
      path: '/',
      headers: { 'If-None-Match': String(index.headers.etag) },
    });
    assert.equal(again.status, 304);
    assert.match(
      String((await send(withPage, { method: 'GET', path: '/assets/app.js' })).headers['content-type']),
      /javascript/,
    );
    for (const path of ['/notes.secret', '/../config.json', '/assets/../../config.json', '/assets']) {
      assert.equal((await send(withPage, { method: 'GET', path })).status, 404, path);
    }
  });
});

describe('log and audit', () => {
  it('has tool, status, time, key and address, and never content', async () => {
    await using server = await httpServer({ trustedProxies: ['loopback'] });
    await send(server, {
      headers: { ...as(KEY), 'X-Forwarded-For': '203.0.113.7' },
      body: call('write_note', { collection: 'public', text: 'PRIVATE WORDS' }),
    });
    await within(500, async () => server.lines.some((line) => line['tool'] === 'write_note'));
    const line = server.lines.find((one) => one['tool'] === 'write_note')!;
    assert.equal(line['status'], 200);
    assert.equal(line['key'], KEYS[0]!.id);
    assert.equal(line['address'], '203.0.113.7');
    assert.equal(typeof line['ms'], 'number');
    const audit = await server.audit();
    assert.equal(audit.length, 1);
    assert.deepEqual(audit[0]!['touched'], { collection: 'public' });
    assert.equal(audit[0]!['key'], KEYS[0]!.id);
    const everything = JSON.stringify([server.lines, audit]);
    assert.doesNotMatch(everything, /PRIVATE WORDS|vai-mcp-key/);
  });
});

describe('shutdown', () => {
  it('lets a running call finish, refuses new ones, closes the engine', async () => {
    await using server = await httpServer();
    const running = send(server, { headers: as(KEY), body: call('slow', { steps: 40, ms: 10 }) });
    await within(1_000, async () => server.engine.made === 1);
    const closed = server.server.close();
    const reply = await running;
    assert.equal(reply.status, 200);
    assert.equal(reply.body.result.structuredContent.steps, 40);
    await closed;
    assert.ok(server.engine.closed);
    await assert.rejects(send(server, { headers: as(KEY), body: rpc('ping') }));
  });
});

describe('concurrency', () => {
  it('fifty calls at once, each with its own answer', async () => {
    await using server = await httpServer();
    const texts = Array.from({ length: 50 }, (_, at) => `text ${at}`);
    const replies = await Promise.all(
      texts.map((text) => send(server, { headers: as(KEY), body: call('echo', { text }) })),
    );
    assert.deepEqual(
      replies.map((reply) => reply.body.result.structuredContent.said),
      texts,
    );
    assert.equal(server.engine.made, 1);
  });
});

async function within(milliseconds: number, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (await condition()) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  assert.fail(`not true within ${milliseconds} ms`);
}
