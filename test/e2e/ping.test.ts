// vai ping: which servers it finds, however they were started, and what its exit status says.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { served } from '../support/served.ts';
import { until } from '../support/wait.ts';

const box = sandbox();
const stranger = sandbox();
after(() => [box, stranger].forEach((one) => one.remove()));

interface Report {
  providers: { id: string; state: string }[];
  mcpServer: { running: boolean; servers: { port: number; pid?: number; status: string }[] };
  down: string[];
}

async function ping(where: Sandbox, env: Record<string, string> = {}) {
  const { status, stdout } = await where.run('vai', ['ping', '--json'], { env });
  return { status, report: JSON.parse(stdout) as Report };
}

it('finds a server in the foreground by its home, and by its port from another home', async () => {
  await using server = await served({ box });
  // It says that it listens a moment before it leaves its mark in the home.
  let own: Report['mcpServer']['servers'] = [];
  await until(async () => (own = (await ping(box)).report.mcpServer.servers).length > 0);
  assert.deepEqual(
    own.map(({ port, pid, status }) => [port, pid, status]),
    [[server.port, server.pid, 'ok']],
  );
  const byPort = await ping(stranger, { PORT: String(server.port) });
  assert.deepEqual(
    byPort.report.mcpServer.servers.map(({ port, pid }) => [port, pid]),
    [[server.port, undefined]],
  );
  assert.equal(byPort.status, 0);
  assert.equal(await server.stop(), 0);
  assert.deepEqual((await ping(box)).report.mcpServer, { running: false, servers: [] });
});

it('a provider that refuses the key is unauthorized, one that is away unreachable, and both end in 5', async () => {
  // Only calls are refused: a look at the address alone would not show it.
  const refusing = createServer((request, response) => {
    response.writeHead(request.method === 'POST' ? 401 : 404).end();
  }).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const base = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  const key = { VOYAGE_API_KEY: 'pa-wrong', VOYAGE_API_BASE: base };
  const refused = await ping(box, key);
  assert.deepEqual([refused.status, refused.report.down], [5, ['voyage']]);
  assert.equal(refused.report.providers[0]?.state, 'unauthorized');
  refusing.close();
  const away = await ping(box, key);
  assert.deepEqual([away.status, away.report.providers[0]?.state], [5, 'unreachable']);
});
