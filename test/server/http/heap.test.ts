// A server object per request must not be kept by anything: the heap is flat over ten thousand calls, in both eras and
// answered either way.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LOCAL } from '../../../src/engine/call.ts';
import { SILENT } from '../../../src/server/log.ts';
import { createDirect } from '../../../src/server/http/direct.ts';
import { createEras } from '../../../src/server/http/eras.ts';
import { compileSurface } from '../../../src/server/protocol/compile.ts';
import { createDispatcher } from '../../../src/server/protocol/dispatch.ts';
import { createFactory, type FactoryOptions } from '../../../src/server/protocol/factory.ts';
import { introduce } from '../../../src/server/protocol/introduction.ts';
import { aboutOf } from '../support/about.ts';
import { asEngine, testEngine, testToolset } from '../support/toolset.ts';

setFlagsFromString('--expose-gc');
const WAYS = ['direct', 'sdk', 'legacy'] as const;
const collect = runInNewContext('gc') as () => void;

it('keeps nothing of ten thousand calls', async () => {
  const failures = { log: SILENT, newId: () => 'id' };
  const surface = compileSurface([testToolset], failures);
  const dispatcher = createDispatcher(surface);
  const engine = asEngine(testEngine());
  const parts: FactoryOptions = {
    introduction: introduce([aboutOf(testToolset)]),
    dispatcher: async () => dispatcher,
    version: '1.0.0',
    engine: async () => engine,
    failures,
    now: () => performance.now(),
    track: (work) => work,
  };
  const eras = createEras(createFactory(parts), {
    direct: createDirect(parts),
    dispatcher: parts.dispatcher,
    onerror: () => {},
    logs: false,
  });
  const notes = { principal: LOCAL, report: () => {} };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const call = async (id: number, way: 'direct' | 'sdk' | 'legacy'): Promise<void> => {
    const modern = way !== 'legacy';
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(modern
        ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' }
        : {}),
    };
    const params = {
      name: 'echo',
      arguments: { text: 'x'.repeat(500) },
      ...(modern ? { _meta: way === 'sdk' ? { ...meta, other: 1 } : meta } : {}),
    };
    const body = { jsonrpc: '2.0', id, method: 'tools/call', params };
    const reply = await eras.answer({ headers, body, gone: new AbortController() }, notes);
    const text = 'message' in reply ? JSON.stringify(reply.message) : await reply.response.text();
    assert.match(text, /"said"/);
  };
  const run = async (count: number): Promise<number> => {
    for (let id = 0; id < count; id += 1) await call(id, WAYS[id % 3]!);
    // Finalizers run between collections.
    for (let round = 0; round < 4; round += 1) {
      collect();
      await new Promise((done) => setImmediate(done));
    }
    return process.memoryUsage().heapUsed;
  };
  const before = await run(2_000);
  const after = await run(10_000);
  // One server object each would be a hundred times as much.
  const megabytes = (after - before) / 1024 / 1024;
  assert.ok(megabytes < 32, `the heap grew by ${Math.round(megabytes)} MB`);
});
