// Models that were added, at work in the engine: embedding a collection, answering, reranking within a deadline, and
// gone again.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { localCall } from '../../../src/engine/call.ts';
import { RUNTIME } from '../../../src/models/local/index.ts';
import { writeTinyModel, type TinyModel } from '../../support/onnx.ts';
import { RUNTIME_PLACE, WITHOUT_RUNTIME } from '../../support/onnxruntime.ts';
import { tempEngine } from '../../support/temp-engine.ts';

const MODEL: TinyModel = {
  words: ['red', 'green', 'blue', 'length', 'apples', 'leaves', 'skies'],
  dimensions: 8,
  maxTokens: 64,
};
const call = localCall();

describe('added models in the engine', { skip: WITHOUT_RUNTIME }, () => {
  test('embed, answer, rerank, and search by words when they are gone', async () => {
    // As if the package lay beside vai.
    const hooks = registerHooks({
      resolve: (name, context, next) =>
        name === RUNTIME
          ? { url: pathToFileURL(RUNTIME_PLACE!).href, format: 'commonjs', shortCircuit: true }
          : next(name, context),
    });
    const folder = mkdtempSync(join(tmpdir(), 'vai-added-'));
    const opened = await tempEngine();
    const { engine } = opened;
    try {
      writeTinyModel(join(folder, 'encoder'), MODEL);
      writeTinyModel(join(folder, 'judge'), { ...MODEL, reranks: true });
      await engine.models.add(call, { name: 'encoder', from: join(folder, 'encoder') });
      await engine.models.add(call, { name: 'judge', from: join(folder, 'judge') });
      assert.deepEqual(
        (await engine.models.list(call)).models.flatMap(({ name, provider }) =>
          provider === 'local' ? [name] : [],
        ),
        ['local/encoder', 'local/judge'],
      );
      for (const text of ['red apples', 'green leaves', 'blue skies'])
        writeFileSync(join(folder, `${text.split(' ')[0]}.md`), `${text}\n`);
      const report = await engine.ingest.files(call, {
        paths: ['red.md', 'green.md', 'blue.md'].map((name) => join(folder, name)),
        collection: 'colours',
        model: 'local/encoder',
      });
      assert.equal(report.totals.vectors, 3);
      const ask = (extra: object) =>
        engine.search.run(call, { query: 'green leaves', collections: ['colours'], limit: 3, ...extra });
      const found = await ask({ mode: 'meaning' });
      assert.equal(found.hits[0]!.path, 'green.md');
      assert.ok(found.hits[0]!.similarity! > 0.999, 'the same tokens, the same vector');
      const judged = await ask({ mode: 'hybrid', rerank: 'local/judge', deadlineMs: 60_000 });
      assert.equal(judged.rerankModel, 'local/judge');
      await engine.models.remove(call, 'encoder');
      const without = await ask({ mode: 'hybrid' });
      assert.equal(without.hits[0]!.path, 'green.md');
      assert.match(JSON.stringify([without.notices, without.warnings]), /no model encoder on this machine/);
      await assert.rejects(engine.models.remove(call, 'encodr'), /no model encodr/);
    } finally {
      await opened.close();
      hooks.deregister();
      rmSync(folder, { recursive: true });
    }
  });
});
