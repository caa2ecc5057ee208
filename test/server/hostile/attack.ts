// Sends the hostile requests to a server and looks at each answer.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { hostileRequests, type Hostile } from './requests.ts';

const AT_ONCE = 12;
const STATUSES = new Set([
  0, 200, 202, 204, 400, 401, 403, 404, 405, 406, 408, 413, 415, 429, 431, 500, 501, 503,
]);

export type Prepared = Hostile & { bytes: Buffer };

interface Answer {
  status: number;
  text: string;
}

/** As bytes: long strings would be flattened while they are sent, and count as growth of the heap. */
export function prepared(...wanted: Parameters<typeof hostileRequests>): Prepared[] {
  return hostileRequests(...wanted).map((one) => ({ ...one, bytes: Buffer.from(one.body ?? '') }));
}

/** Sends them all and looks at each answer; who asks from elsewhere, or without a valid key, is told so. */
export async function attack(url: string, list: Prepared[], secrets: string[]): Promise<void> {
  const kinds = new Map<string, Set<number>>();
  await sendAll(url, list, (hostile, answer) => {
    check(hostile, answer, secrets);
    kinds.set(hostile.kind, (kinds.get(hostile.kind) ?? new Set()).add(answer.status));
  });
  for (const kind of ['wrong Host', 'wrong Origin'])
    assert.deepEqual(
      [...kinds.get(kind)!].filter((status) => status !== 400),
      [403],
      kind,
    );
  for (const kind of ['expired key', 'foreign key', 'no key'])
    assert.ok(
      [...kinds.get(kind)!].every((status) => status === 401 || status === 429),
      kind,
    );
}

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

export async function sendAll(
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
