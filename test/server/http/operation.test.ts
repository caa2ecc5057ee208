// The live HTTP server in operation: errors, health, metrics, page, log, shutdown.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ADMIN_KEY, httpServer, KEY, KEYS } from '../support/http.ts';
import { as, call, rpc, send } from '../support/send.ts';
import { testToolset } from '../support/toolset.ts';
import { until } from '../../support/wait.ts';

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
    const tools = testToolset.tools.map((tool) => ({ ...tool, deadlineMs: 100 }));
    await using server = await httpServer({ toolsets: [{ ...testToolset, tools }] });
    const { body } = await send(server, { headers: as(KEY), body: call('slow', { steps: 10_000, ms: 10 }) });
    assert.match(body.result.content[0].text, /TIMEOUT/);
    await until(async () => server.engine.aborted === 1);
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
  it('health is exactly what the specification shows', async () => {
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
        about: () => new Promise(() => {}),
        voyageAi: () => new Promise(() => {}),
        mongodb: () => Promise.reject(new Error('mongodb://u:p@h')),
      },
    });
    const { body } = await send(server, { method: 'GET', path: '/health' });
    assert.deepEqual([body.voyageAi, body.mongodb], ['unreachable', 'unreachable']);
    assert.ok(!('about' in body), 'a server that does not answer says nothing of itself');
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
    const requested = (one: Record<string, unknown>): boolean =>
      one['msg'] === 'request' && one['tool'] === 'write_note';
    await until(async () => server.lines.some(requested));
    const line = server.lines.find(requested)!;
    assert.equal(line['status'], 200);
    assert.equal(line['key'], KEYS[0]!.id);
    assert.equal(line['address'], '203.0.113.7');
    assert.equal(typeof line['ms'], 'number');
    const audit = await server.audit();
    assert.deepEqual(
      audit.map(({ event }) => event),
      ['start', 'call', 'done'],
    );
    assert.deepEqual(audit[1]!['touched'], { collection: 'public' });
    assert.equal(audit[1]!['key'], KEYS[0]!.id);
    const everything = JSON.stringify([server.lines, audit]);
    assert.doesNotMatch(everything, /PRIVATE WORDS|vai-mcp-key/);
  });
});

describe('shutdown', () => {
  it('lets a running call finish, refuses new ones, closes the engine', async () => {
    await using server = await httpServer();
    const running = send(server, { headers: as(KEY), body: call('slow', { steps: 40, ms: 10 }) });
    await until(() => server.engine.started === 1);
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
