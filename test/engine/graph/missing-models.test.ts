// Models that a config names and this machine does not have: nothing changes, and the answer says what is missing, how to
// get it, and what works without.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveFlowrag } from '../../../src/config/flowrag.ts';
import { VaiError } from '../../../src/domain/errors.ts';
import { call, countingEmbedder, using } from '../../support/graph-folder.ts';

test('the example of the FlowRAG specification, with nothing installed and no key', () =>
  using(async (folder) => {
    folder.write('a.md', 'The Billing Service uses Redis.\n');
    const working = await folder.open();
    const { totals } = await working.graph.index(call, {});
    assert.ok(totals.vectors > 0);
    const config = join(folder.root, 'flowrag.config.json');
    const example = {
      data: './data',
      docs: './docs',
      schema: { entityTypes: ['SERVICE', 'DATABASE', 'PROTOCOL'], relationTypes: ['USES', 'PRODUCES'] },
      embedder: { provider: 'local' },
      extractor: { provider: 'gemini' },
    };
    writeFileSync(config, JSON.stringify(example));
    const { db: _db, ...graph } = resolveFlowrag({
      flags: { config },
      env: {},
      cwd: folder.root,
      databases: {},
      trustOf: () => 'trusted',
    }).graph!;
    const specified = await folder.open({ graph });
    await assert.rejects(specified.graph.index(call, {}), (error: VaiError) => {
      assert.equal(error.code, 'CONFIG_MISSING');
      assert.match(error.message, /onnxruntime-node, which is not installed/);
      assert.match(error.message, /gemini-3-flash-preview needs a Gemini key, and none is set/);
      assert.match(error.hint!, /npm install onnxruntime-node/);
      assert.match(error.hint!, /GEMINI_API_KEY/);
      assert.match(error.hint!, /"builtin".*"rules".* works at once/);
      return true;
    });
    assert.deepEqual((await working.graph.index(call, {})).totals, totals, 'nothing was given up');
  }));

test('a new embedder is tried before the vectors that are there are given up', () =>
  using(async (folder) => {
    folder.write('a.md', 'The Billing Service uses Redis.\n');
    const graph = { embedder: { provider: 'x', model: 'old' } };
    const old = await folder.open({ embedder: countingEmbedder({ model: 'old' }), graph });
    assert.equal((await old.graph.index(call, {})).totals.vectors, 1);
    const fail = () => new VaiError('PROVIDER_AUTH', 'The key was refused.');
    const refused = await folder.open({
      embedder: countingEmbedder({ model: 'new', dimensions: 32, fail }),
      graph: { embedder: { provider: 'x', model: 'new' } },
    });
    await assert.rejects(refused.graph.index(call, {}), { code: 'PROVIDER_AUTH' });
    assert.equal((await old.graph.stats(call)).vectors, 1);
  }));
