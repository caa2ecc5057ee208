// Two thousand hostile requests against the real server with the real tools: nothing crashes, nothing leaks, and the
// memory comes back.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EXPIRED_KEY, httpServer, KEY, KEYS, LIMITED_KEY } from '../support/http.ts';
import { realServerParts } from '../support/real.ts';
import { as, rpc, send } from '../support/send.ts';
import { attack, prepared, sendAll } from './attack.ts';

const COUNT = 2_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it(`survives ${COUNT} hostile requests`, async () => {
  await using real = await realServerParts();
  await real.store('docs', 'guide.md', '# Guide\n\nKeys are made with generate-key.\n'.repeat(20));
  await using server = await httpServer({ toolsets: real.toolsets, engine: real.engine });
  const tools = real.toolsets.flatMap((set) =>
    // What fetches from the network is asked nothing here: hostile sources have tests of their own.
    set.tools
      .filter((tool) => !tool.annotations.openWorldHint || tool.annotations.readOnlyHint)
      .map((tool) => ({ name: tool.name, arguments: Object.keys(tool.input.shape) })),
  );
  const keys = { good: KEY, expired: EXPIRED_KEY, limited: LIMITED_KEY };
  const all = prepared(COUNT, keys, tools);
  const secrets = [KEY, LIMITED_KEY, EXPIRED_KEY, ...KEYS.map((key) => key.sha256), real.home, server.home];

  const warm = all.slice(0, 200);
  await sendAll(server.url, warm, () => {});
  const before = heapAfterCollection();
  await attack(server.url, all, secrets);
  const log = JSON.stringify(server.lines);
  const failed = server.lines.filter((line) => line['msg'] === 'request failed');
  server.lines.length = 0;
  const after = heapAfterCollection();

  const alive = await send(server, { headers: as(KEY), body: rpc('tools/list') });
  assert.equal(alive.status, 200);
  assert.deepEqual(failed, [], 'no request fell through');
  for (const key of [KEY, LIMITED_KEY, EXPIRED_KEY]) assert.ok(!log.includes(key), 'no key in the log');
  assert.ok(after - before < 64 * 1024 * 1024, `heap grew by ${Math.round((after - before) / 1024)} KB`);
});

it('is not held up by slow bodies', async () => {
  await using server = await httpServer();
  const slow = Array.from({ length: 50 }, () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n{`,
    );
    return socket;
  });
  // Told to go on: the server waits for the rest of each.
  await Promise.all(slow.map((socket) => once(socket, 'data')));
  const reply = await send(server, { headers: as(KEY), body: rpc('ping') });
  assert.equal(reply.status, 200);
  for (const socket of slow) socket.destroy();
});

function heapAfterCollection(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
