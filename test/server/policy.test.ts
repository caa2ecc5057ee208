// Who may write: every tool that does, on every way a call can take, with every kind of key, on a server that takes
// writes and on one that does not. The tools are those there are, so one that is added later is tried too.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { localCall, type AccessScope } from '../../src/engine/call.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { httpServer, stored, type TestServer } from './support/http.ts';
import { realServerParts, type Real } from './support/real.ts';
import { as, send } from './support/send.ts';
import { tempFolder } from '../support/temp-folder.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/bin/vai.ts');
const CLIENT = { name: 'policy', version: '1' };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
};
const SCOPES: AccessScope[][] = [['read'], ['read', 'write'], ['read', 'write', 'admin']];
const keyOf = (scopes: readonly string[]): string => `vai-mcp-key-${scopes.join('').padEnd(48, '0')}`;
/** A real write for one of them, so that a refusal is seen in the store and not only in an answer. */
const NOTE = { text: 'The tide table lists every high water.', source: 'note', collection: 'written' };

interface Answer {
  result?: { isError?: boolean; content?: { text?: string }[] };
  error?: { message?: string };
}

/** What an answer says about access: refused, by whom, or let through (to whatever came of it). */
function verdict({ result, error }: Answer): 'no scope' | 'read-only' | 'let through' {
  const text = `${result?.content?.[0]?.text ?? ''}${error?.message ?? ''}`;
  assert.doesNotMatch(text, /Unknown tool/);
  if (/This key has no \w+ scope/.test(text)) return 'no scope';
  return text.includes('This server is read-only') ? 'read-only' : 'let through';
}

function expected(tool: Tool, scopes: readonly string[], readOnly: boolean): string {
  if (readOnly) return 'read-only';
  return scopes.includes(tool.scope) ? 'let through' : 'no scope';
}

const request = (name: string, values: object, meta?: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: values, ...(meta ? { _meta: meta } : {}) },
});

/** The last message of an event stream, or the JSON itself; the first of a batch. */
function readAnswer(body: unknown): Answer {
  if (typeof body !== 'string') return (Array.isArray(body) ? body[0] : body) as Answer;
  const data = body.split('\n').filter((line) => line.startsWith('data: {') || line.startsWith('data: ['));
  return readAnswer(JSON.parse(data.at(-1)!.slice('data: '.length)));
}

type Way = (server: TestServer, key: string, name: string, values: object) => Promise<Answer>;
const modern = (name: string): Record<string, string> => ({
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': name,
});
const post =
  (headers: (name: string) => Record<string, string>, body: (name: string, values: object) => object): Way =>
  async (server, key, name, values) => {
    const asked = { headers: { ...as(key), ...headers(name) }, body: JSON.stringify(body(name, values)) };
    return readAnswer((await send(server, asked)).body);
  };
const legacy = () => ({ Accept: 'application/json, text/event-stream' });
const WAYS: Record<string, Way> = {
  '2025, one JSON answer': post(legacy, (name, values) => request(name, values)),
  '2025, a stream with progress': post(legacy, (name, values) => request(name, values, { progressToken: 1 })),
  '2025, a batch': post(legacy, (name, values) => [request(name, values)]),
  '2026, without the SDK': post(modern, (name, values) => request(name, values, META)),
  '2026, by the SDK': post(modern, (name, values) => request(name, values, { ...META, progressToken: 1 })),
};

let real: Real;
let writing: Tool[];

before(async () => {
  real = await realServerParts({ extras: true });
  writing = real.toolsets.flatMap((set) => set.tools).filter((tool) => tool.scope !== 'read');
});
after(() => real[Symbol.asyncDispose]());

async function writtenDocuments(): Promise<number> {
  const { collections } = await real.engine.collections.list(localCall());
  return collections.find(({ name }) => name === NOTE.collection)?.stats.documents ?? 0;
}

it('the tools that declare a write are those that say so to clients', () => {
  const all = real.toolsets.flatMap((set) => set.tools);
  const hinted = all.filter((tool) => !tool.annotations.readOnlyHint);
  assert.deepEqual(
    writing.map(({ name }) => name),
    hinted.map(({ name }) => name),
  );
  assert.ok(writing.length >= 4);
});

for (const readOnly of [false, true])
  describe(`HTTP, ${readOnly ? 'read-only' : 'writable'}`, () => {
    let server: TestServer;
    before(async () => {
      const keys = SCOPES.map((scopes) => stored(keyOf(scopes), { scopes }));
      // Closing the server would close the engine it was given; both servers share one.
      const engine = { ...real.engine, close: async () => {} };
      server = await httpServer({ readOnly, toolsets: real.toolsets, keys, engine });
    });
    after(() => server[Symbol.asyncDispose]());

    for (const [way, ask] of Object.entries(WAYS))
      for (const scopes of SCOPES)
        it(`${way}, ${scopes.join(' and ')}`, async () => {
          for (const tool of writing)
            assert.equal(
              verdict(await ask(server, keyOf(scopes), tool.name, {})),
              expected(tool, scopes, readOnly),
              tool.name,
            );
          const before = await writtenDocuments();
          const source = `${way} ${scopes.join()}`;
          await ask(server, keyOf(scopes), 'vai_ingest', { ...NOTE, source });
          const may = !readOnly && scopes.includes('write');
          assert.equal((await writtenDocuments()) - before, may ? 1 : 0);
        });
  });

for (const readOnly of [false, true])
  for (const era of ['2025', '2026'])
    it(`stdio, ${era}, ${readOnly ? 'read-only' : 'writable'}`, async () => {
      const home = tempFolder('policy');
      const child = spawn(process.execPath, [MAIN, 'mcp-server', ...(readOnly ? ['--read-only'] : [])], {
        cwd: home,
        env: { PATH: process.env['PATH'], HOME: home, VAI_HOME: join(home, 'vai'), VAI_EXTRA_TOOLS: '1' },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      try {
        const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        const ask = async (message: object): Promise<Answer> => {
          child.stdin.write(`${JSON.stringify(message)}\n`);
          return JSON.parse((await lines.next()).value as string) as Answer;
        };
        if (era === '2025') {
          const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
          await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
          child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
        }
        const meta = era === '2026' ? META : undefined;
        const call = async (name: string, values: object) => ask(request(name, values, meta));
        for (const tool of writing)
          assert.equal(
            verdict(await call(tool.name, {})),
            expected(tool, ['read', 'write', 'admin'], readOnly),
            tool.name,
          );
        await call('vai_ingest', NOTE);
        const found = await call('vai_search', { query: 'tide table', mode: 'words' });
        assert.equal(/high water/.test(JSON.stringify(found)), !readOnly);
      } finally {
        child.stdin.end();
        if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
      }
    });
