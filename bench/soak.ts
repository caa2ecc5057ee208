// npm run soak -- [--minutes 5] [--clients 64] [--pace 150]
// Two servers on one home, one of them with workers; many clients that read and write; slow and vanishing ones among them;
// and one fault after another: a worker killed, a server killed, one restarted, the disk full and back. Ends with 1 when an
// answer was wrong that no fault explains, when something acknowledged is lost, or when time or memory grow. Time is that
// of the servers in relation to a process that does fixed work beside them: other work on the machine slows both.

import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runClient, verify, type Written } from './soak/clients.ts';
import { runFaults } from './soak/faults.ts';
import { startFloor } from './soak/floor.ts';
import { createRecord, percentile, type Record, type Row } from './soak/record.ts';
import { openHome, startServer, type Server } from './soak/servers.ts';

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};
const minutes = option('minutes', 5);
const clients = option('clients', 64);
/** Milliseconds that a client thinks between two calls. */
const pace = option('pace', 150);
/** Of the second half of the run beside the first, without its first minute. */
const MOST_GROWTH = 1.5;
/** Slower is in the table; no answer at all is wrong. */
const HEALTH_MS = 30_000;

const home = openHome();
const record = createRecord();
const servers: Server[] = [];
const floor = await startFloor();
let failed = false;
try {
  servers.push(await startServer(home, 'workers', ['--workers', '2']), await startServer(home, 'single', []));
  await once();
  await conclude();
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  floor.stop();
  home.remove();
}
process.exitCode = failed ? 1 : 0;

async function once(): Promise<void> {
  const stop = new AbortController();
  const written: Written[] = Array.from({ length: clients }, () => new Map());
  const running = written.map((mine, number) =>
    runClient({ number, servers, record, mine, pace, stop: stop.signal }),
  );
  const probing = [probe(stop.signal), probeMachine(stop.signal)];
  const faults = runFaults({ servers, home, record, stop: stop.signal });
  await wait(minutes * 60_000);
  stop.abort();
  await Promise.all([...running, ...probing, faults]);
  const lost = await verify(servers, written);
  for (const one of lost) record.wrong('lost', one);
}

/** What the machine gives, four times a second: by itself, so that a server that stalls does not hide it. */
async function probeMachine(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    record.floor(await floor.ask());
    await wait(250);
  }
}

/** Health and memory, about twice a second. */
async function probe(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    for (const server of servers) {
      const began = performance.now();
      const ok = await fetch(`${server.url}/health`, { signal: AbortSignal.timeout(HEALTH_MS) })
        .then((reply) => reply.ok)
        .catch(() => false);
      record.health(server.name, performance.now() - began, ok);
      record.memory(server.name, server.rss());
    }
    await wait(500);
  }
}

async function conclude(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop();
  const db = new DatabaseSync(join(home.folder, 'data', 'vai.db'), { readOnly: true });
  const [check] = db.prepare('PRAGMA integrity_check').all();
  db.close();
  if (check?.['integrity_check'] !== 'ok') record.wrong('store', JSON.stringify(check));
  const audit = spawnSync(process.execPath, [home.vai, 'mcp-server', 'audit'], {
    env: home.env,
    encoding: 'utf8',
  });
  if (audit.status !== 0) record.wrong('audit log', audit.stdout + audit.stderr);
  print(record);
}

function print(record: Record): void {
  const { errors, faults } = record;
  console.log(
    `\n| minute | calls | p50 ms | p99 ms | floor ms | p99 by floor | RSS MB | /health worst ms |\n|---|---|---|---|---|---|---|---|`,
  );
  const rows = record.minutesOf();
  for (const row of rows)
    console.log(
      `| ${row.minute} | ${row.calls} | ${row.p50} | ${row.p99} | ${row.floor} | ${row.slowness.toFixed(1)} | ${row.rss} | ${row.health} |`,
    );
  console.log(`\n${record.calls()} calls answered, ${faults.length} faults: ${summary(faults)}`);
  const health = record.healthMs();
  console.log(
    `/health outside faults: p50 ${percentile(health, 0.5)} ms, p99 ${percentile(health, 0.99)} ms`,
  );
  const later = rows.slice(1, -1);
  if (later.length >= 4) {
    const half = Math.floor(later.length / 2);
    for (const [what, name] of [
      ['slowness', 'p99 by floor'],
      ['rss', 'RSS'],
    ] as const) {
      const growth = middle(later.slice(half), what) / (middle(later.slice(0, half), what) || 1);
      console.log(`${name}: the second half is ${growth.toFixed(2)} times the first (most ${MOST_GROWTH})`);
      if (growth > MOST_GROWTH) failed = true;
    }
  } else console.log('p99 and RSS: too short to judge whether they are flat (six minutes at least)');
  if (record.starved() > 0)
    console.log(`${record.starved()} calls had no answer in time while the machine itself gave none`);
  if (errors.length > 0) failed = true;
  for (const error of errors.slice(0, 20)) console.log(`WRONG ${error}`);
  console.log(failed ? `FAILED: ${errors.length} answers wrong` : 'passed');
}

function middle(rows: readonly Row[], what: 'slowness' | 'rss'): number {
  return rows.map((row) => row[what]).toSorted((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 0;
}

function summary(all: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
}
