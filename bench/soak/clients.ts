// Clients of every kind: most ask and write at once, some send slowly, some go before the answer comes. What a write was
// acknowledged for is remembered, and read again at the end.

import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Record } from './record.ts';
import type { Server } from './servers.ts';

/** By document: the last version that was acknowledged, and the last that was sent. */
export type Written = Map<string, { acknowledged: number; sent: number }>;

const DOCUMENTS = 12;
const COLLECTION = 'soak';
const CALL_MS = 60_000;

interface ClientOptions {
  number: number;
  servers: readonly Server[];
  record: Record;
  mine: Written;
  /** Milliseconds it thinks between two calls. */
  pace: number;
  stop: AbortSignal;
}

export async function runClient(options: ClientOptions): Promise<void> {
  const { number, pace, stop } = options;
  const work = number % 16 === 14 ? sendSlowly : number % 16 === 15 ? vanish : useTools;
  for (let turn = 0; !stop.aborted; turn += 1) {
    await work(options, turn);
    // A person or an agent thinks between two calls; the number keeps them apart.
    await wait(pace / 3 + ((number * 37 + turn * 61) % ((4 * pace) / 3)));
  }
}

async function useTools({ number, servers, record, mine }: ClientOptions, turn: number): Promise<void> {
  const server = servers[(number + turn) % servers.length]!;
  const topic = `topic ${(number * 7 + turn) % 40}`;
  const name = `client-${number}/document-${turn % DOCUMENTS}`;
  const calls: [string, object][] = [
    ['vai_query', { query: `what does ${topic} say`, limit: 5 }],
    ['vai_ingest', writing(mine, name, topic)],
    ['vai_search', { query: topic, collection: COLLECTION }],
    ['find', { query: topic }],
    ['vai_collections', {}],
    ['vai_get', { target: `${COLLECTION}/${name}` }],
    ['flowrag_search', { query: topic }],
    ['vai_query', { query: `${topic} of client ${number}`, collection: COLLECTION }],
    ['list-sources', {}],
  ];
  const [tool, values] = calls[turn % calls.length]!;
  if (tool === 'vai_ingest') await write(server, record, mine, values as Writing);
  // A document that was never stored cannot be read.
  else if (tool !== 'vai_get' || (mine.get(name)?.acknowledged ?? 0) > 0)
    await callTool(server, record, tool, values);
}

interface Writing {
  text: string;
  source: string;
}

function writing(mine: Written, source: string, topic: string): Writing {
  const version = (mine.get(source)?.sent ?? 0) + 1;
  const body = `The ${topic} says that ${source} is in version ${version}. `.repeat(8);
  return { source, text: `# ${source}\n\nversion-${version}-end\n\n## About ${topic}\n\n${body}\n` };
}

async function write(
  server: Server,
  record: Record,
  mine: Written,
  { source, text }: Writing,
): Promise<void> {
  const known = mine.get(source) ?? { acknowledged: 0, sent: 0 };
  const version = known.sent + 1;
  mine.set(source, { ...known, sent: version });
  const values = { text, source, collection: COLLECTION, onExisting: 'replace' };
  if (await callTool(server, record, 'vai_ingest', values))
    mine.set(source, { acknowledged: version, sent: version });
}

async function callTool(server: Server, record: Record, tool: string, values: object): Promise<boolean> {
  const began = performance.now();
  try {
    const answer = await post(server, bodyOf(tool, values));
    const { result, error } = JSON.parse(answer) as {
      result?: { isError?: boolean; content: { text: string }[] };
      error?: { message: string };
    };
    if (!result || result.isError) {
      record.failed(server.name, tool, result?.content[0]?.text ?? error?.message ?? answer);
      return false;
    }
    record.call(server.name, performance.now() - began);
    return true;
  } catch (error) {
    record.failed(server.name, tool, causeOf(error));
    return false;
  }
}

function bodyOf(tool: string, values: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: values },
  });
}

const headersOf = ({ key }: Server): { [name: string]: string } => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
});

async function post(server: Server, body: string): Promise<string> {
  const signal = AbortSignal.timeout(CALL_MS);
  const reply = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: headersOf(server),
    body,
    signal,
  });
  const text = await reply.text();
  if (text === '') throw new Error(`status ${reply.status} without a text`);
  return text;
}

/** A byte now and then, for some seconds; then the rest. */
async function sendSlowly({ servers, record, number, stop }: ClientOptions, turn: number): Promise<void> {
  const server = servers[turn % servers.length]!;
  const body = bodyOf('vai_collections', {});
  const answered = new Promise<string>((resolve) => {
    const sent = request(`${server.url}/mcp`, { method: 'POST', headers: headersOf(server), agent: false });
    sent.on('error', (error) => resolve(causeOf(error)));
    sent.on('response', (reply) => {
      reply.resume().on('close', () => resolve(reply.statusCode === 200 ? '' : `status ${reply.statusCode}`));
    });
    void (async () => {
      for (let at = 0; at < 10 && !stop.aborted; at += 1) {
        sent.write(body[at]);
        await wait(200 + number);
      }
      sent.end(body.slice(Math.min(10, body.length)));
    })();
  });
  const why = await answered;
  if (why !== '' && !stop.aborted) record.failed(server.name, 'slow client', why);
}

/** Goes before the answer comes; nobody else may notice. */
async function vanish({ servers, number }: ClientOptions, turn: number): Promise<void> {
  const server = servers[turn % servers.length]!;
  const signal = AbortSignal.timeout(2 + (number % 20));
  const body = bodyOf('vai_query', { query: `a question nobody waits for ${turn}` });
  await fetch(`${server.url}/mcp`, { method: 'POST', headers: headersOf(server), body, signal })
    .then((reply) => reply.text())
    .catch(() => undefined);
}

/** Every acknowledged write, read on a server: what is stored is that version or one sent after it. */
export async function verify(servers: readonly Server[], all: readonly Written[]): Promise<string[]> {
  const lost: string[] = [];
  for (const mine of all)
    for (const [source, { acknowledged, sent }] of mine) {
      if (acknowledged === 0) continue;
      const answer = await post(servers[0]!, bodyOf('vai_get', { target: `${COLLECTION}/${source}` }));
      const found = Number(/version-(\d+)-end/.exec(answer)?.[1] ?? 0);
      if (found < acknowledged || found > sent)
        lost.push(
          `${source}: version ${acknowledged} was acknowledged, ${found || answer.slice(0, 200)} is stored`,
        );
    }
  return lost;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return `${error.message} ${cause instanceof Error ? `${cause.message} ${(cause as NodeJS.ErrnoException).code ?? ''}` : ''}`;
}
