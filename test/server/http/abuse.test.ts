// Callers that take more than their share: batches, slow bodies, open sockets, rates; and writes nobody could account for.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { verifyChains } from '../../../src/server/audit/chain.ts';
import { httpServer, KEY, KEYS, READ_KEY, stored, type TestServer } from '../support/http.ts';
import { as, call, rpc, send } from '../support/send.ts';
import { until } from '../../support/wait.ts';

const LEGACY = { Accept: 'application/json, text/event-stream' };

function socketTo(server: TestServer): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  return once(socket, 'connect').then(() => socket);
}

/** A request whose body never ends. */
function slowBody(server: TestServer, key: string): { end(): void } {
  const request = httpRequest(`${server.url}/mcp`, {
    method: 'POST',
    agent: false,
    headers: { ...as(key), 'Content-Length': '1000' },
  });
  request.on('error', () => {});
  request.write('{');
  return { end: () => request.destroy() };
}

describe('batches', () => {
  it('every call of a batch counts against the rate', async () => {
    await using server = await httpServer({ keys: [stored(KEY, { rate: 5 })] });
    const batch = (calls: number) =>
      send(server, {
        headers: { ...as(KEY), ...LEGACY },
        body: Array.from({ length: calls }, (_, id) => ({ ...call('echo'), id: id + 1 })),
      });
    const large = await batch(6);
    assert.equal(large.status, 429);
    assert.match(large.body.error.message, /more calls than this key may make in a minute/);
    assert.equal((await batch(4)).status, 200);
    const next = await batch(2);
    assert.equal(next.status, 429);
    assert.ok(Number(next.headers['retry-after']) > 0);
  });

  it('every writing call of a batch is in the audit log', async () => {
    await using server = await httpServer();
    const note = (collection: string, id: number) => ({
      ...call('write_note', { collection, text: 'x' }),
      id,
    });
    const reads = Array.from({ length: 20 }, (_, at) => ({ ...call('echo'), id: 100 + at }));
    const body = [note('one', 1), ...reads, note('two', 2), note('three', 3)];
    assert.equal((await send(server, { headers: { ...as(KEY), ...LEGACY }, body })).status, 200);
    const lines = await server.audit();
    const touched = lines.filter(({ event }) => event === 'call').map((line) => line['touched']);
    assert.deepEqual(touched, [{ collection: 'one' }, { collection: 'two' }, { collection: 'three' }]);
    assert.equal(lines.filter(({ event }) => event === 'done').length, 3);
    const request = () => server.lines.find((line) => line['msg'] === 'request');
    await until(async () => request() !== undefined);
    assert.deepEqual([request()!['calls'], request()!['failed']], [23, 0]);
  });
});

describe('the audit log', () => {
  it('a failing one stops the write and lets reads go on', async () => {
    await using server = await httpServer();
    await rm(server.auditFile, { force: true });
    await mkdir(server.auditFile, { recursive: true });
    const write = await send(server, {
      headers: as(KEY),
      body: call('write_note', { collection: 'public', text: 'x' }),
    });
    assert.equal(write.body.result.isError, true);
    assert.match(write.body.result.content[0].text, /WRITE_FAILED.*nothing was changed/);
    assert.equal(server.engine.notes.get('public'), 'for everyone');
    assert.ok(!(await send(server, { headers: as(KEY), body: call('echo') })).body.result.isError);
  });

  it('has refused keys, calls without the right, and reads on request; its chain holds', async () => {
    await using server = await httpServer({ auditReads: true });
    await send(server, { headers: as('wrong'), body: rpc('ping') });
    await send(server, {
      headers: as(READ_KEY),
      body: call('write_note', { collection: 'public', text: 'x' }),
    });
    await send(server, { headers: as(KEY), body: call('echo') });
    const lines = await server.audit();
    assert.deepEqual(
      lines.map(({ event, tool, ok, reason }) =>
        [event, tool ?? reason, ok].filter((part) => part !== undefined),
      ),
      [
        ['start'],
        ['denied', 'wrong key'],
        ['call', 'write_note'],
        ['done', 'write_note', false],
        ['call', 'echo'],
        ['done', 'echo', true],
      ],
    );
    assert.equal(lines[2]!['key'], KEYS[1]!.id);
    assert.deepEqual(verifyChains([lines.map((line) => JSON.stringify(line)).join('\n')]).breaks, []);
  });
});

describe('slots', () => {
  it('slow bodies take nobody’s place', async () => {
    await using server = await httpServer({ keys: [stored(KEY), stored(READ_KEY)] });
    const slow = Array.from({ length: 300 }, () => slowBody(server, KEY));
    try {
      await until(async () => (await send(server, { headers: as(KEY), body: call('echo') })).status === 429);
      const { status } = await send(server, { headers: as(READ_KEY), body: call('echo') });
      assert.equal(status, 200, 'a colleague is answered');
    } finally {
      for (const one of slow) one.end();
    }
    await until(async () => (await send(server, { headers: as(KEY), body: call('echo') })).status === 200);
  });

  it('a key over its rate is refused before its body is read', async () => {
    await using server = await httpServer({ keys: [stored(KEY, { rate: 1 })] });
    assert.equal((await send(server, { headers: as(KEY), body: call('echo') })).status, 200);
    assert.equal((await send(server, { headers: as(KEY), body: call('echo') })).status, 429);
    const early = httpRequest(`${server.url}/mcp`, {
      method: 'POST',
      agent: false,
      headers: { ...as(KEY), 'Content-Length': '9000000' },
    });
    early.on('error', () => {});
    early.write('{');
    const [response] = (await once(early, 'response')) as [{ statusCode: number; resume(): void }];
    assert.equal(response.statusCode, 429);
    early.destroy();
  });
});

describe('sockets', () => {
  it('one that is refused is destroyed even if its client never closes', async () => {
    await using server = await httpServer();
    const socket = await socketTo(server);
    socket.allowHalfOpen = true;
    socket.write('nonsense\r\n\r\n');
    let closed = false;
    socket.once('close', () => (closed = true));
    socket.resume();
    await until(async () => {
      // A destroyed peer answers the next bytes with a reset.
      if (!socket.destroyed) socket.write('x');
      return closed;
    });
  });

  it('two Host headers are refused', async () => {
    await using server = await httpServer();
    const socket = await socketTo(server);
    socket.write(
      'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    );
    const [data] = (await once(socket, 'data')) as [Buffer];
    assert.match(data.toString(), /^HTTP\/1\.1 400/);
    socket.destroy();
  });
});
