// npm run bench:server -- [--json file] [--quick]
// The server beside a bare SDK server with one tool, bundled the same way and measured in the same run: start, memory,
// bytes of the greeting, requests a second. Rounds are interleaved, because a shared machine is never the same twice.

import { join } from 'node:path';
import { LIMITS } from '../test/server/greetings.limits.ts';
import { workspace } from './lib/docs.ts';
import { benchOptions, writeJson } from './lib/options.ts';
import { buildServers, type Built } from './server/build.ts';
import { measureBytes, type Bytes } from './server/bytes.ts';
import { measureLoad, type Load } from './server/load.ts';
import { measureStart, type Start } from './server/start.ts';

export interface Report {
  node: string;
  start: Start[];
  bytes: Bytes[];
  load: Load[];
  targets: { name: string; value: number; limit: number; met: boolean }[];
}

const options = benchOptions([], ['quick']);
const quick = options.flags.has('quick');
const space = workspace('bench-server');
const home = space.folder;
try {
  const built = await buildServers(home);
  const start = await measureStart(servers(built), quick ? 3 : 15);
  const bytes = await measureBytes(servers(built).filter((server) => server.name !== 'bare'));
  const load = await measureLoad(built, home, quick ? 0.5 : 3);
  const report: Report = { node: process.version, start, bytes, load, targets: targets(start, bytes, load) };
  print(report);
  writeJson(options.json, report);
} finally {
  space.remove();
}

function servers(built: Built): { name: string; command: string[]; env: Record<string, string> }[] {
  const env = { VAI_HOME: join(home, 'vai') };
  return [
    { name: 'bare', command: [built.bareStdio], env },
    { name: 'all', command: [built.vai, 'mcp-server'], env },
    { name: 'vai', command: [built.vai, 'mcp-server', '--toolsets', 'vai'], env },
    { name: 'blz', command: [built.blz, 'mcp'], env },
    { name: 'flowrag', command: [built.flowrag], env },
  ];
}

function targets(start: Start[], bytes: Bytes[], load: Load[]): Report['targets'] {
  const list: Report['targets'] = [];
  const most = (name: string, value: number, limit: number): void =>
    void list.push({ name, value: Math.round(value * 100) / 100, limit, met: value <= limit });
  const bare = start.find((row) => row.name === 'bare')!;
  for (const row of start) {
    if (row === bare) continue;
    most(`${row.name}: start, times bare (CPU)`, row.cpuMs / bare.cpuMs, 1.3);
    most(`${row.name}: start, times bare (wall)`, row.wallMs / bare.wallMs, 1.3);
    most(`${row.name}: idle RSS over bare, MB`, row.rssMb - bare.rssMb, 10);
  }
  for (const row of bytes) {
    const limit = LIMITS[row.name]!;
    most(`${row.name}: initialize line, bytes`, row.initialize, limit.initialize);
    most(`${row.name}: tools/list line, bytes`, row.tools, limit.tools);
  }
  // `vai_query` also reads fifty passages with a model: what that costs is in the table.
  for (const row of load.filter(({ server, clients }) => clients === 16 && /find|vai_search/.test(server))) {
    const share = shareOfBare(load, row);
    list.push({
      name: `${row.server}: throughput at 16 clients, share of bare`,
      value: Math.round(share * 100) / 100,
      limit: 0.7,
      met: share >= 0.7,
    });
  }
  return list;
}

function shareOfBare(load: readonly Load[], { clients, perSecond }: Load): number {
  return perSecond / load.find((row) => row.server === 'bare' && row.clients === clients)!.perSecond;
}

function print({ start, bytes, load, targets: reached }: Report): void {
  console.log('\nStart over stdio (best of the rounds; median in brackets)');
  for (const row of start) {
    console.log(
      `  ${row.name.padEnd(8)} ${row.wallMs.toFixed(0).padStart(5)} ms (${row.wallMedianMs.toFixed(0)})  CPU ${row.cpuMs.toFixed(0).padStart(4)} ms (${row.cpuMedianMs.toFixed(0)})  RSS ${row.rssMb.toFixed(1)} MB`,
    );
  }
  console.log('\nBytes of the greeting');
  for (const row of bytes) {
    console.log(`  ${row.name.padEnd(8)} initialize ${row.initialize}  tools/list ${row.tools}`);
  }
  console.log('\nHTTP, one process, keep-alive');
  for (const row of load) {
    console.log(
      `  ${row.server.padEnd(12)} ${String(row.clients).padStart(2)} clients  ${row.perSecond.toFixed(0).padStart(6)} a second  p50 ${row.p50.toFixed(1)} ms  p99 ${row.p99.toFixed(1)} ms  CPU ${row.cpuMicros.toFixed(0)} µs  ${shareOfBare(load, row).toFixed(2)} of bare${row.failed ? `  FAILED ${row.failed}` : ''}`,
    );
  }
  console.log('\nTargets');
  for (const { name, value, limit, met } of reached) {
    console.log(`  ${met ? 'met   ' : 'MISSED'} ${name}: ${value} (limit ${limit})`);
  }
}
