// Requests a second and how long the slowest take, at 1, 16 and 64 clients with a kept connection each. Ours does a real
// search of this project's docs behind every call; the bare server answers with a fixed text.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../test/support/port.ts';
import { cpuMsOf } from '../lib/process.ts';
import type { Built } from './build.ts';

export interface Load {
  server: string;
  clients: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor time of the server for one call: the figure a busy neighbour cannot change. */
  cpuMicros: number;
  /** Calls that did not come back as a result. */
  failed: number;
}

interface Target {
  server: string;
  pid: number;
  port: number;
  key: string;
  tool: string;
  arguments: (query: string) => object;
}

const SLICES = 5;
const DOCS = join(import.meta.dirname, '../../docs');
const KEY = `vai-mcp-key-${'0'.repeat(48)}`;
const QUESTIONS = [
  'how do I make a key',
  'what happens when the store is busy',
  'chunk size and overlap',
  'which embedding model is used without a key',
  'citations that moved',
  'start the server over HTTP',
  'knowledge graph entities and relations',
  'reranking deadline',
  'MongoDB Atlas vector index',
  'read only mode',
  'progress and cancellation',
  'deploy with docker',
];
/** Questions, and every heading of the docs: some two hundred different searches, in turn. */
const QUERIES = [...QUESTIONS, ...headings()];

function headings(): string[] {
  const texts = readdirSync(DOCS)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(DOCS, name), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(/^##+ (.{4,60})$/gm)].map((match) => match[1]!));
  return [...new Set(found.map((heading) => heading.replaceAll(/[^\w\s.-]/g, ' ').trim()))].filter(Boolean);
}

export async function measureLoad(built: Built, home: string, seconds: number): Promise<Load[]> {
  const env = { ...process.env, VAI_HOME: join(home, 'vai'), VAI_MCP_SERVER_KEY: KEY };
  const indexed = spawnSync(process.execPath, [built.vai, 'ingest', DOCS, '--collection', 'docs'], {
    env,
    stdio: ['ignore', 'ignore', 2],
  });
  if (indexed.status !== 0) throw new Error('the docs could not be indexed');
  const ports = [await freePort(), await freePort()];
  const bare = spawn(process.execPath, [built.bareHttp], {
    env: { ...env, PORT: String(ports[0]) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ours = spawn(
    process.execPath,
    [built.vai, 'mcp-server', '--transport', 'http', '--port', String(ports[1]), '--rate-limit', '0'],
    { env, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    await Promise.all([listening(bare), listening(ours)]);
    ours.stderr.resume();
    const on = (server: string, tool: string, values: Target['arguments'], own: boolean): Target => ({
      server,
      pid: (own ? ours : bare).pid!,
      port: ports[own ? 1 : 0]!,
      key: own ? KEY : '',
      tool,
      arguments: values,
    });
    const targets = [
      on('bare', 'echo', (query) => ({ query }), false),
      // No search behind it: what the server itself costs.
      on('learn-blz', 'learn-blz', () => ({}), true),
      on('find', 'find', (query) => ({ query, source: 'docs', maxResults: 5 }), true),
      on('vai_search', 'vai_search', (query) => ({ query, collection: 'docs', limit: 5 }), true),
      on('vai_query', 'vai_query', (query) => ({ query, collection: 'docs', limit: 5 }), true),
    ];
    for (const target of targets) await drive(target, 4, 0.5);
    const rows: Load[] = [];
    for (const clients of [1, 16, 64]) {
      const slices = new Map<Target, Slice[]>(targets.map((target) => [target, []]));
      for (let slice = 0; slice < SLICES; slice += 1) {
        for (const target of targets)
          slices.get(target)!.push(await drive(target, clients, seconds / SLICES));
      }
      for (const target of targets) rows.push(sum(target.server, clients, slices.get(target)!));
    }
    return rows;
  } finally {
    for (const child of [bare, ours]) child.kill('SIGKILL');
  }
}

interface Slice {
  times: number[];
  seconds: number;
  cpuMs: number;
  failed: number;
}

async function drive(target: Target, clients: number, seconds: number): Promise<Slice> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  let failed = 0;
  let next = 0;
  const cpu = cpuMsOf(target.pid);
  const started = performance.now();
  const end = started + seconds * 1000;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const at = performance.now();
      const text = await post(agent, target, QUERIES[next++ % QUERIES.length]!, next).catch(() => '');
      times.push(performance.now() - at);
      if (!text.includes('"result"') || text.includes('"isError":true')) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const took = (performance.now() - started) / 1000;
  const cpuMs = cpuMsOf(target.pid) - cpu;
  agent.destroy();
  return { times, seconds: took, cpuMs, failed };
}

/** The best slice speaks for the rate, all of them for the times. */
function sum(server: string, clients: number, slices: Slice[]): Load {
  const times = slices.flatMap((slice) => slice.times).sort((a, b) => a - b);
  return {
    server,
    clients,
    perSecond: Math.max(...slices.map((slice) => slice.times.length / slice.seconds)),
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    cpuMicros: Math.min(...slices.map((slice) => (slice.cpuMs * 1000) / slice.times.length)),
    failed: slices.reduce((total, slice) => total + slice.failed, 0),
  };
}

function post(agent: Agent, target: Target, query: string, id: number): Promise<string> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: target.tool,
      arguments: target.arguments(query),
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      },
    },
  });
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port: target.port,
        host: '127.0.0.1',
        path: '/mcp',
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': 'tools/call',
          'Mcp-Name': target.tool,
          ...(target.key ? { Authorization: `Bearer ${target.key}` } : {}),
        },
      },
      (response) => void text(response).then(resolve, reject),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stderr!.on('data', (chunk) => String(chunk).includes('listening') && resolve());
    child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)));
  });
}
