// Several processes, one server: limits are shared, metrics are summed, a dead worker is replaced, the end is orderly.

import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ADMIN_KEY, KEY, stored } from '../support/http.ts';
import { freePort } from '../../support/port.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/wait.ts';

const MAIN = fileURLToPath(new URL('../support/cli-main.ts', import.meta.url));
const RATE = 20;
/** Fewer than the deaths in a minute that make the primary give up. */
const KILLS = 9;
/** A request that takes longer than this is lost. */
const LOST_MS = 120_000;

describe('--workers', () => {
  const home = tempFolder('workers');
  let child: ChildProcess;
  let url: string;
  let stderr = '';
  let allowed = 0;

  before(async () => {
    const keys = [stored(KEY, { rate: RATE }), stored(ADMIN_KEY, { scopes: ['read', 'admin'] })];
    await writeFile(join(home, 'config.json'), JSON.stringify({ 'mcp-server-keys': keys }), { mode: 0o600 });
    // A port of its own: workers that have all died at once must find the same one again.
    const port = await freePort();
    const args = ['mcp', '--transport', 'http', '--port', String(port), '--workers', '3'];
    child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, VAI_HOME: home, VAI_CONFIG_PATH: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
        if (stderr.includes(`"port":${port},"workers":3,"msg":"listening"`)) resolve();
      });
      child.once('exit', () => reject(new Error(stderr)));
    });
    url = `http://127.0.0.1:${port}`;
  });

  after(async () => {
    child.kill('SIGKILL');
  });

  const post = async (
    key: string,
    body: object = { jsonrpc: '2.0', id: 1, method: 'ping' },
  ): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      // A connection each, so that the workers take turns.
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Connection: 'close' },
      body: JSON.stringify(body),
    });
  const pids = (): Set<number> =>
    new Set([...stderr.matchAll(/"pid":(\d+),"route":"mcp"/g)].map((match) => Number(match[1])));

  it('share the rate of a key', async () => {
    const statuses = await Promise.all(
      Array.from({ length: RATE * 2 }, async () => (await post(KEY)).status),
    );
    allowed = statuses.filter((status) => status === 200).length;
    // A few more than the rate where this took so long that some were due again; each for itself would have let all in.
    assert.ok(allowed >= RATE && allowed < RATE * 1.5, `${allowed} of ${statuses.length}`);
    assert.equal(statuses.filter((status) => status === 429).length, RATE * 2 - allowed);
  });

  it('share the count of failed keys', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 14; at += 1) statuses.push((await post(`bad-${at}`)).status);
    assert.equal(statuses.filter((status) => status === 401).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 4);
    assert.ok(pids().size >= 2, `answered by ${pids().size} processes`);
  });

  it('sum their metrics', async () => {
    const text = await (
      await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } })
    ).text();
    assert.match(text, new RegExp(`vai_http_requests_total\\{route="mcp",status="200"\\} ${allowed}\\b`));
    assert.match(text, /vai_http_requests_total\{route="mcp",status="401"\} 10\b/);
  });

  it('are replaced when they die, and nobody waits for ever', async () => {
    const deaths = (): number => [...stderr.matchAll(/"msg":"a worker died"/g)].length;
    let lost = 0;
    let answered = 0;
    let over = false;
    const client = async (): Promise<void> => {
      while (!over) {
        // A request that dies with its worker fails at once; only one that is lost would come to this time.
        const signal = AbortSignal.timeout(LOST_MS);
        await fetch(`${url}/health`, { headers: { Connection: 'close' }, signal }).then(
          async (reply) => void (await reply.text(), (answered += 1)),
          () => void (lost += signal.aborted ? 1 : 0),
        );
      }
    };
    const killer = async (): Promise<void> => {
      for (let killed = 0; killed < KILLS; killed += 1) {
        const before = { deaths: deaths(), answered };
        const [victim] = children(child.pid!);
        if (victim) process.kill(victim, 'SIGKILL');
        await until(async () => deaths() > before.deaths && answered > before.answered);
      }
    };
    await Promise.all([killer().finally(() => (over = true)), ...Array.from({ length: 16 }, client)]);
    assert.equal(deaths(), KILLS);
    assert.equal(lost, 0);
    await until(async () => (await post(ADMIN_KEY).catch(() => undefined))?.status === 200);
  });

  it('end in order on SIGTERM', async () => {
    child.kill('SIGTERM');
    assert.equal((await once(child, 'exit'))[0], 0);
    await assert.rejects(fetch(`${url}/health`));
  });

  it('a busy port is one clear line and a non-zero exit', async (context) => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    context.after(() => busy.close());
    const { port } = busy.address() as { port: number };
    for (const workers of ['1', '2']) {
      const second = spawn(
        process.execPath,
        [MAIN, 'mcp', '--transport', 'http', '--port', String(port), '--workers', workers],
        {
          env: { ...process.env, VAI_HOME: home, VAI_CONFIG_PATH: '' },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      let said = '';
      second.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
      const [code] = await once(second, 'close');
      assert.equal(code, 1, said);
      assert.match(said, new RegExp(`vai: Port ${port} is already in use\\.`));
      assert.doesNotMatch(said, /at .*\.ts:/);
    }
  });
});

function children(pid: number): number[] {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return [...listed.stdout.matchAll(/\d+/g)].map(([text]) => Number(text));
}
