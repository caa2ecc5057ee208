// A real process over pipes: stdout carries protocol only, bad lines are answered, and it ends when it is told to.

import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLineTransport } from '../../../src/server/stdio/transport.ts';
import { until } from '../../support/wait.ts';

const MAIN = fileURLToPath(new URL('../support/stdio-main.ts', import.meta.url));
const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };

interface Session {
  child: ChildProcessWithoutNullStreams;
  send(message: object | string): void;
  /** The next line of stdout, parsed: anything that is not JSON fails the test. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the server said
  next(): Promise<any>;
  stdout(): string;
  stderr(): string;
}

function start(env: Record<string, string> = {}): Session {
  const child = spawn(process.execPath, [MAIN], { env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  const waiting: ((line: string) => void)[] = [];
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    rest += chunk;
    const parts = rest.split('\n');
    rest = parts.pop()!;
    for (const line of parts) {
      const take = waiting.shift();
      if (take) take(line);
      else lines.push(line);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return {
    child,
    send: (message) =>
      void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    next: async () => JSON.parse(lines.shift() ?? (await new Promise<string>((take) => waiting.push(take)))),
    stdout: () => stdout,
    stderr: () => stderr,
  };
}

const request = (id: number, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const echo = (id: number, text: string): object =>
  request(id, 'tools/call', { name: 'echo', arguments: { text } });

async function open(env?: Record<string, string>): Promise<Session> {
  const session = start(env);
  session.send(request(0, 'initialize', HELLO));
  assert.equal((await session.next()).id, 0);
  session.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return session;
}

describe('stdio', () => {
  it('keeps stdout for the protocol when something prints', async () => {
    const session = await open({ PRINT: '1' });
    session.send(echo(1, 'x'));
    assert.equal((await session.next()).result.structuredContent.said, 'x');
    session.child.stdin.end();
    await once(session.child, 'exit');
    for (const line of session.stdout().trim().split('\n')) assert.equal(JSON.parse(line).jsonrpc, '2.0');
    assert.match(session.stderr(), /a banner nobody asked for\nand another/);
  });

  it('answers malformed lines and lives on', async () => {
    const session = await open();
    const bad: [string, number, number | null][] = [
      ['{nonsense', -32700, null],
      ['"just a string"', -32600, null],
      ['{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7],
      ['{"id":8}', -32600, 8],
      ['['.repeat(2_000) + ']'.repeat(2_000), -32600, null],
      ['\u0000\u0001', -32700, null],
    ];
    for (const [line, code, id] of bad) {
      session.send(line);
      const answer = await session.next();
      assert.deepEqual([answer.error.code, answer.id], [code, id], line.slice(0, 40));
    }
    session.send('');
    session.send('   ');
    session.send(echo(9, 'still here'));
    assert.equal((await session.next()).result.structuredContent.said, 'still here');
    session.child.stdin.end();
    assert.equal((await once(session.child, 'exit'))[0], 0);
  });

  it('ends at end of input: engine closed, exit 0', async () => {
    const session = await open({ TELL: '1' });
    session.send(echo(1, 'x'));
    await session.next();
    session.child.stdin.end();
    const [code] = await once(session.child, 'close');
    assert.equal(code, 0);
    assert.match(session.stderr(), /closed=true made=1/);
  });

  it('answers what was already asked when the input ends', async () => {
    const session = start();
    session.send(request(0, 'initialize', HELLO));
    session.send(request(1, 'tools/call', { name: 'slow', arguments: { steps: 5, ms: 20 } }));
    session.child.stdin.end();
    await once(session.child, 'exit');
    assert.match(session.stdout(), /"5 steps"/);
  });

  it('ends on SIGTERM while a call runs, and makes no engine before one is needed', async () => {
    const idle = await open({ TELL: '1' });
    idle.child.kill('SIGTERM');
    assert.equal((await once(idle.child, 'close'))[0], 0);
    assert.match(idle.stderr(), /made=0/);
    const busy = await open({ TELL: '1' });
    const endless = { name: 'slow', arguments: { steps: 10_000, ms: 10 }, _meta: { progressToken: 1 } };
    busy.send(request(1, 'tools/call', endless));
    assert.equal((await busy.next()).method, 'notifications/progress');
    busy.child.kill('SIGTERM');
    assert.equal((await once(busy.child, 'close'))[0], 0);
    assert.doesNotMatch(busy.stdout(), /10000 steps/);
    assert.match(busy.stderr(), /closed=true made=1/);
  });

  it('stops a cancelled call', async () => {
    const session = await open();
    session.send(request(5, 'tools/call', { name: 'slow', arguments: { steps: 1_000, ms: 5 } }));
    session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    session.send(echo(6, 'after'));
    assert.equal((await session.next()).id, 6);
    session.child.stdin.end();
    await once(session.child, 'exit');
    assert.doesNotMatch(session.stdout(), /"id":5/);
  });
});

describe('lines', () => {
  const shortLines = () => {
    const input = new PassThrough();
    const written: string[] = [];
    const write = (text: string, done: () => void) => (written.push(text), done(), true);
    return { input, written, transport: createLineTransport({ input, write, maxLineBytes: 1_000 }) };
  };

  it('an endless line is refused without being kept, and the next one is read', async () => {
    const { input, written, transport } = shortLines();
    const seen: unknown[] = [];
    transport.onmessage = (message) => void seen.push(message);
    await transport.start();
    for (let at = 0; at < 50; at += 1) input.write('x'.repeat(500));
    input.write('\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await until(() => seen.length > 0);
    assert.equal(written.length, 1);
    assert.match(written[0]!, /at most 1000 bytes/);
    assert.deepEqual(seen, [{ jsonrpc: '2.0', id: 1, method: 'ping' }]);
  });

  it('answers a request it refuses unread under the id of the request', async () => {
    const { input, written, transport } = shortLines();
    await transport.start();
    const long = 'x'.repeat(1_500);
    const deep = '['.repeat(100) + ']'.repeat(100);
    const lines = [
      `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"${long}"}}`,
      `{"method":"m","params":{"a":"${long}"},"jsonrpc":"2.0","id":"two"}`,
      `{"jsonrpc":"2.0","id":3,"method":"m","params":{"a":${deep}}}`,
      `{"method":"m","params":{"a":${deep}},"jsonrpc":"2.0","id":4}`,
      `{"method":"m","params":{"a":"${long}","id":5}}`,
      `{"jsonrpc":"2.0","id":6,"result":{"a":"${long}"}}`,
    ];
    for (const line of lines) {
      for (let at = 0; at < line.length; at += 400) input.write(line.slice(at, at + 400));
      input.write('\n');
    }
    await until(() => written.length === lines.length);
    const ids = written.map((line) => (JSON.parse(line) as { id: unknown }).id);
    assert.deepEqual(ids, [1, 'two', 3, 4, null, null]);
  });

  it('a character cut in two between chunks is whole again', async () => {
    const input = new PassThrough();
    const transport = createLineTransport({ input, write: (_text, done) => (done(), true) });
    const seen: { id?: unknown }[] = [];
    transport.onmessage = (message) => void seen.push(message as { id?: unknown });
    await transport.start();
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":"é€😀","method":"ping"}\n');
    for (const byte of bytes) input.write(Buffer.from([byte]));
    await until(() => seen.length > 0);
    assert.equal(seen[0]!.id, 'é€😀');
  });
});
