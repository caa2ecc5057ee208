// Models that were added, at work in the engine: embedding a collection, answering, reranking within a deadline, and
// gone again.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { localCall } from '../../../src/engine/call.ts';
import { RUNTIME } from '../../../src/models/local/index.ts';
import { E5, hub } from '../../support/local-models.ts';
import { tinyModelFiles, writeTinyModel, type TinyModel } from '../../support/onnx.ts';
import { RUNTIME_PLACE, WITHOUT_RUNTIME } from '../../support/onnxruntime.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MODEL: TinyModel = {
  words: ['red', 'green', 'blue', 'length', 'apples', 'leaves', 'skies'],
  dimensions: 8,
  maxTokens: 64,
};
const call = localCall();

/** An engine that finds the package, and a folder for files. */
async function using(
  work: (engine: TempEngine['engine'], folder: string) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  // As if the package lay beside vai.
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === RUNTIME
        ? { url: pathToFileURL(RUNTIME_PLACE!).href, format: 'commonjs', shortCircuit: true }
        : next(name, context),
  });
  const folder = tempFolder('added');
  const opened = await tempEngine({ env });
  try {
    await work(opened.engine, folder);
  } finally {
    await opened.close();
    hooks.deregister();
  }
}

describe('added models in the engine', { skip: WITHOUT_RUNTIME }, () => {
  test('embed, answer, rerank, and search by words when they are gone', () =>
    using(async (engine, folder) => {
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
    }));

  test('vectors of another model of that name and length are not searched, and renewed by an ingest', () =>
    using(async (engine, folder) => {
      writeTinyModel(join(folder, 'old'), MODEL);
      writeTinyModel(join(folder, 'new'), { ...MODEL, words: MODEL.words.toReversed() });
      writeFileSync(join(folder, 'red.md'), 'red apples\n');
      writeFileSync(join(folder, 'green.md'), 'green leaves\n');
      const ingest = () =>
        engine.ingest.files(call, {
          paths: ['red.md', 'green.md'].map((name) => join(folder, name)),
          collection: 'colours',
          model: 'local/encoder',
        });
      const ask = async () => {
        const { hits, notices } = await engine.search.run(call, {
          ...{ query: 'green leaves', collections: ['colours'], mode: 'meaning', limit: 1 },
        });
        return { stale: notices.some(({ code }) => code === 'stale_vectors'), hit: hits[0]! };
      };
      await engine.models.add(call, { name: 'encoder', from: join(folder, 'old') });
      await ingest();
      assert.equal((await ask()).stale, false);
      await engine.models.remove(call, 'encoder');
      await engine.models.add(call, { name: 'encoder', from: join(folder, 'new') });
      const between = await ask();
      assert.equal(between.stale, true);
      assert.equal(between.hit.similarity, undefined, 'found by its words');
      const report = await ingest();
      assert.equal(report.totals.vectors, 2);
      assert.ok(report.warnings.some((message) => message.includes('are being replaced')));
      const renewed = await ask();
      assert.equal(renewed.stale, false);
      assert.ok(renewed.hit.similarity! > 0.999, 'the same tokens, the same vector');
    }));

  test('nor are they where the search itself fetches another model of that name', () => {
    const model = { ...MODEL, dimensions: 384 };
    const other = tinyModelFiles({ ...model, words: MODEL.words.toReversed() });
    return hub(E5, other, (address) =>
      using(
        async (engine, folder) => {
          writeTinyModel(join(folder, 'old'), model);
          writeFileSync(join(folder, 'red.md'), 'red apples\n');
          await engine.models.add(call, { name: E5, from: join(folder, 'old') });
          await engine.ingest.files(call, { paths: [join(folder, 'red.md')], collection: 'red', model: E5 });
          await engine.models.remove(call, E5);
          const { hits, notices } = await engine.search.run(call, {
            ...{ query: 'apples', collections: ['red'], mode: 'meaning', limit: 1 },
          });
          assert.deepEqual(
            notices.map(({ code }) => code),
            ['stale_vectors'],
          );
          assert.equal(hits[0]!.similarity, undefined);
        },
        { HF_ENDPOINT: address },
      ),
    );
  });
});
