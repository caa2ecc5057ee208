// A server whose disk is full, or whose database was emptied under it, says so to whoever watches it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { served, type Served } from '../support/served.ts';

const DISK_MB = 64;

let box: Sandbox;
let mounted: boolean;

before(() => {
  box = sandbox();
  mkdirSync(box.home, { recursive: true });
  mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'vai-test', box.home]).status === 0;
});
after(() => {
  if (mounted) spawnSync('umount', [box.home]);
  box.remove();
});

async function write(server: Served, source: string): Promise<string> {
  const reply = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'vai_ingest', arguments: { text: `A text of ${source}.`, source } },
    }),
  });
  return reply.text();
}

async function health(server: Served): Promise<[status: number, state: string]> {
  const reply = await fetch(`${server.url}/health?strict=1`);
  return [reply.status, ((await reply.json()) as { status: string }).status];
}

function fill(file: string): void {
  for (const size of [1 << 20, 4_096])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch {
      continue;
    }
}

it('a full disk is `degraded`, and `ok` once there is room', async (context: TestContext) => {
  if (!mounted) return context.skip('NOT TRIED: no small disk could be mounted, which takes root');
  const ballast = join(box.home, 'ballast');
  {
    await using server = await served({ box });
    assert.match(await write(server, 'before'), /"chunksCreated":1/);
    fill(ballast);
    assert.deepEqual(await health(server), [503, 'degraded']);
    assert.match(await write(server, 'after'), /STORE_FULL/);
    rmSync(ballast);
  }
  await using server = await served({ box });
  assert.deepEqual(await health(server), [200, 'ok']);
  assert.doesNotMatch(await write(server, 'after'), /"isError":true/);
});

it('a database that was emptied under it is `degraded`', async () => {
  await using server = await served();
  assert.doesNotMatch(await write(server, 'before'), /"isError":true/);
  const file = join(server.box.home, 'data', 'vai.db');
  for (const part of ['', '-wal']) if (existsSync(file + part)) truncateSync(file + part);
  assert.deepEqual(await health(server), [503, 'degraded']);
});
