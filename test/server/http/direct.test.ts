// What is answered without the SDK is what the SDK would have answered, to the byte; and whatever is unusual goes to it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LOCAL } from '../../../src/engine/call.ts';
import { SILENT } from '../../../src/server/log.ts';
import { createDirect } from '../../../src/server/http/direct.ts';
import { createEras, type Asked, type Eras } from '../../../src/server/http/eras.ts';
import { compileSurface } from '../../../src/server/protocol/compile.ts';
import { createDispatcher } from '../../../src/server/protocol/dispatch.ts';
import { createFactory, type FactoryOptions } from '../../../src/server/protocol/factory.ts';
import { introduce } from '../../../src/server/protocol/introduction.ts';
import { aboutOf } from '../support/about.ts';
import { asEngine, testEngine, testToolset } from '../support/toolset.ts';

const failures = { log: SILENT, newId: () => 'id' };
const surface = compileSurface([testToolset], failures);
const dispatcher = createDispatcher(surface);
const engine = testEngine();
const parts: FactoryOptions = {
  introduction: introduce([aboutOf(testToolset)]),
  dispatcher: async () => dispatcher,
  version: '1.0.0',
  engine: async () => asEngine(engine),
  failures,
  now: () => performance.now(),
  track: (work) => work,
};
const quiet = { onerror: () => {}, logs: false, dispatcher: parts.dispatcher };
const both = createEras(createFactory(parts), { ...quiet, direct: createDirect(parts) });
const sdkOnly = createEras(createFactory(parts), { ...quiet, direct: async () => undefined });

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};
const HEADERS: Record<string, string> = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
};

interface Case {
  headers?: Record<string, string | undefined>;
  body?: Record<string, unknown>;
  params?: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

function asked({ headers = {}, body = {}, params = {}, meta = {} }: Case): Asked {
  const all = { ...HEADERS, ...headers };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    headers: Object.fromEntries(given),
    body: {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'hello' }, _meta: { ...META, ...meta }, ...params },
      ...body,
    },
    gone: new AbortController(),
  };
}

interface Said {
  status: number;
  text: string;
  outcome: unknown;
  directly: boolean;
}

async function say(eras: Eras, one: Case, scopes = LOCAL.scopes): Promise<Said> {
  let outcome: unknown;
  const principal = { ...LOCAL, scopes };
  const reply = await eras.answer(asked(one), { principal, report: (told) => (outcome = told) });
  return 'message' in reply
    ? { status: 200, text: JSON.stringify(reply.message), outcome, directly: true }
    : { status: reply.response.status, text: await reply.response.text(), outcome, directly: false };
}

async function compare(one: Case, scopes = LOCAL.scopes): Promise<boolean> {
  const { directly, ...ours } = await say(both, one, scopes);
  const { directly: never, ...theirs } = await say(sdkOnly, one, scopes);
  assert.deepEqual(ours, theirs);
  assert.equal(never, false);
  return directly;
}

const boom = (how: string): Case => ({
  headers: { 'mcp-name': 'boom' },
  params: { name: 'boom', arguments: { how } },
});

const PLAIN: Record<string, Case> = {
  'a call': {},
  'an id that is a text': { body: { id: 'seven' } },
  'no arguments': { params: { arguments: undefined } },
  'arguments beyond ASCII': { params: { arguments: { text: 'Grüße ✓ 😀 \u2028' } } },
  'many lines': { params: { arguments: { text: 'a "b"\n', times: 50 } } },
  'an answer over the limit': { params: { arguments: { text: 'x'.repeat(90_000) } } },
  'wrong arguments': { params: { arguments: { text: 5, other: true } } },
  'a tool that fails': boom('known'),
  'a tool that breaks': boom('unknown'),
  'a tool that breaks with a number': boom('coded'),
  'a trace': { meta: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } },
  'JSON alone is accepted': { headers: { accept: 'application/json' } },
  'something else is accepted': { headers: { accept: 'text/html' } },
  'a stream alone is accepted': { headers: { accept: 'text/event-stream' } },
  'anything is accepted': { headers: { accept: '*/*' } },
  'no client info': { meta: { 'io.modelcontextprotocol/clientInfo': undefined } },
};

const UNUSUAL: Record<string, Case> = {
  'progress is asked for': { meta: { progressToken: 1 } },
  'a log level is asked for': { meta: { 'io.modelcontextprotocol/logLevel': 'debug' } },
  'a key of `_meta` that we do not know': { meta: { 'com.example/other': 1 } },
  'a parameter that we do not know': { params: { requestState: 'x' } },
  'an unknown tool': { headers: { 'mcp-name': 'ecko' }, params: { name: 'ecko' } },
  'a name in the header that is not the body’s': { headers: { 'mcp-name': 'slow' } },
  'no name in the header': { headers: { 'mcp-name': undefined } },
  'no method in the header': { headers: { 'mcp-method': undefined } },
  'another method in the header': { headers: { 'mcp-method': 'tools/list' } },
  'no version in the header': { headers: { 'mcp-protocol-version': undefined } },
  'a version nobody knows': { meta: { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } },
  'a broken envelope': { meta: { 'io.modelcontextprotocol/clientCapabilities': 'all' } },
  'broken client info': { meta: { 'io.modelcontextprotocol/clientInfo': { name: 3 } } },
  'arguments that are a list': { params: { arguments: [] } },
  'a name that is a number': { params: { name: 3 } },
  'no parameters': { body: { params: undefined } },
  'an id that is null': { body: { id: null } },
  'another method': { headers: { 'mcp-method': 'tools/list' }, body: { method: 'tools/list' } },
  'an old client': { body: { params: { name: 'echo', arguments: {} } } },
};

describe('answering without the SDK', () => {
  for (const [name, one] of Object.entries(PLAIN))
    it(`${name}: as the SDK would`, async () => assert.equal(await compare(one), true));
  for (const [name, one] of Object.entries(UNUSUAL))
    it(`${name}: by the SDK`, async () => assert.equal(await compare(one), false));

  it('a tool that the key may not call', async () => {
    const one = { headers: { 'mcp-name': 'write_note' }, params: { name: 'write_note', arguments: {} } };
    assert.ok(surface.tools.some(({ definition }) => definition.name === 'write_note'));
    await compare(one, ['read']);
  });

  it('any mixture of the above', async () => {
    const cases = [...Object.values(PLAIN), ...Object.values(UNUSUAL)];
    const one = fc.constantFrom(...cases);
    await fc.assert(
      fc.asyncProperty(one, one, one, async (a, b, c) => {
        await compare({
          headers: { ...a.headers, ...b.headers },
          body: { ...a.body, ...c.body },
          params: { ...b.params, ...c.params },
          meta: { ...a.meta, ...b.meta, ...c.meta },
        });
      }),
      { numRuns: 300 },
    );
  });

  it('says nothing to a client that has gone', async () => {
    const one = asked({ headers: { 'mcp-name': 'slow' }, params: { name: 'slow', arguments: { ms: 1000 } } });
    const answered = both.answer(one, { principal: LOCAL, report: () => {} });
    one.gone.abort();
    const reply = await answered;
    assert.ok('response' in reply);
    assert.equal(reply.response.status, 499);
  });

  it('tells a client that is there that the server stops, in both eras', async () => {
    const slow = { params: { name: 'slow', arguments: { steps: 10_000, ms: 1000 } } };
    const calls = [
      asked({ headers: { 'mcp-name': 'slow' }, ...slow }),
      asked({
        headers: { 'mcp-protocol-version': '2025-06-18', 'mcp-method': undefined, 'mcp-name': undefined },
        ...slow,
        body: { params: slow.params },
      }),
    ];
    for (const one of calls) {
      const eras = createEras(createFactory(parts), { ...quiet, direct: createDirect(parts) });
      const answered = eras.answer(one, { principal: LOCAL, report: () => {} });
      await new Promise((resolve) => setImmediate(resolve));
      await eras.close();
      const reply = await answered;
      assert.ok('response' in reply);
      assert.equal(reply.response.status, 503);
      assert.match(await reply.response.text(), /"id":7.*The server is stopping\./);
    }
  });
});
