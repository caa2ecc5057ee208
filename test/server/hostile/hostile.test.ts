// Two thousand hostile requests against the real server with the real tools: nothing crashes, nothing leaks, and the
// memory comes back.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EXPIRED_KEY, httpServer, KEY, KEYS, LIMITED_KEY } from '../support/http.ts';
import { realServerParts } from '../support/real.ts';
import { as, rpc, send } from '../support/send.ts';
import { hostileRequests, type Hostile } from './requests.ts';

const COUNT = 2_000;
const AT_ONCE = 12;
const STATUSES = new Set([
  0, 200, 202, 204, 400, 401, 403, 404, 405, 406, 408, 413, 415, 429, 431, 500, 501, 503,
]);

type Prepared = Hostile & { bytes: Buffer };

interface Answer {
  status: number;
  text: string;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it(`survives ${COUNT} hostile requests`, { timeout: 180_000 }, async () => {
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
  // As bytes: long strings would be flattened while they are sent, and count as growth.
  const all = hostileRequests(COUNT, keys, tools).map((one) => ({
    ...one,
    bytes: Buffer.from(one.body ?? ''),
  }));
  const secrets = [KEY, LIMITED_KEY, EXPIRED_KEY, ...KEYS.map((key) => key.sha256), real.home, server.home];

  const warm = all.slice(0, 200);
  await sendAll(server.url, warm, () => {});
  const before = heapAfterCollection();
  const kinds = new Map<string, Set<number>>();
  await sendAll(server.url, all, (hostile, answer) => {
    check(hostile, answer, secrets);
    kinds.set(hostile.kind, (kinds.get(hostile.kind) ?? new Set()).add(answer.status));
  });
  const log = JSON.stringify(server.lines);
  const failed = server.lines.filter((line) => line['msg'] === 'request failed');
  server.lines.length = 0;
  const after = heapAfterCollection();

  const alive = await send(server, { headers: as(KEY), body: rpc('tools/list') });
  assert.equal(alive.status, 200);
  assert.deepEqual(failed, [], 'no request fell through');
  for (const key of [KEY, LIMITED_KEY, EXPIRED_KEY]) assert.ok(!log.includes(key), 'no key in the log');
  assert.ok(after - before < 16 * 1024 * 1024, `heap grew by ${Math.round((after - before) / 1024)} KB`);
  for (const kind of ['wrong Host', 'wrong Origin'])
    assert.deepEqual(
      [...kinds.get(kind)!].filter((status) => status !== 400),
      [403],
      kind,
    );
  for (const kind of ['expired key', 'foreign key', 'no key']) {
    assert.ok(
      [...kinds.get(kind)!].every((status) => status === 401 || status === 429),
      kind,
    );
  }
});

it('is not held up by slow bodies', { timeout: 60_000 }, async () => {
  await using server = await httpServer();
  const slow = Array.from({ length: 50 }, () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    );
    return socket;
  });
  await new Promise((done) => setTimeout(done, 200));
  const started = performance.now();
  const reply = await send(server, { headers: as(KEY), body: rpc('ping') });
  assert.equal(reply.status, 200);
  assert.ok(performance.now() - started < 2_000);
  for (const socket of slow) socket.destroy();
});

function check({ kind }: Hostile, { status, text }: Answer, secrets: string[]): void {
  assert.ok(STATUSES.has(status), `${kind}: status ${status}`);
  assert.doesNotMatch(
    text,
    /\n\s+at .+[:(]\d+:\d+|node_modules|node:internal|\.ts:\d+/,
    `${kind}: a stack trace`,
  );
  assert.doesNotMatch(text, /root:x:0|\/etc\/shadow:/, `${kind}: a file of the system`);
  for (const secret of secrets) assert.ok(!text.includes(secret), `${kind}: a secret or a path`);
  assert.ok(text.length < 400_000, `${kind}: an answer of ${text.length} characters`);
}

async function sendAll(
  url: string,
  list: Prepared[],
  seen: (hostile: Hostile, answer: Answer) => void,
): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < list.length) {
      const hostile = list[next++]!;
      seen(hostile, await (hostile.raw === undefined ? sendOne(url, hostile) : sendRaw(url, hostile.raw)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

function sendOne(url: string, { method, path, headers, bytes }: Prepared): Promise<Answer> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', () => resolve({ status: response.statusCode!, text }));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    // A connection cut while the body was still being sent is an answer too.
    sent.on('error', () => resolve({ status: 0, text: '' }));
    sent.end(bytes);
  });
}

function sendRaw(url: string, text: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let said = '';
    const done = (): void =>
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? 0), text: said });
    socket.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    socket.on('error', done);
    socket.on('close', done);
    socket.setTimeout(300, () => socket.destroy());
    socket.write(text);
  });
}

function heapAfterCollection(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
