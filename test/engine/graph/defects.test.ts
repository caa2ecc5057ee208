// The finer points of what ours must do better; the numbers are rows of the FlowRAG reference, section 12. The rest of
// the table is in sync, search, entities, walks and scale here, in test/e2e/flowrag* and in test/models.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { resolveFlowrag } from '../../../src/config/flowrag.ts';
import type { GraphSettings } from '../../../src/domain/graph-settings.ts';
import { call, countingEmbedder, type Folder, using } from '../../support/graph-folder.ts';

/** The settings as the command makes them of its flags. */
function settingsOf(folder: Folder, docs: string, cwd: string): Partial<GraphSettings> {
  const config = resolveFlowrag({
    flags: { docs, data: folder.data },
    env: {},
    cwd,
    trustOf: () => 'unknown',
  });
  const { db: _db, ...graph } = config.graph!;
  return graph;
}

test('5: cut off from the network, every mode answers the same', () =>
  using(async (folder) => {
    folder.write('a.md', '# Auth Service\n\nThe Auth Service uses Redis.\n');
    folder.write('b.md', '# Orders\n\nThe Order Service depends on the Auth Service.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const ask = () =>
      Promise.all(
        (['naive', 'local', 'global', 'hybrid'] as const).map((mode) =>
          engine.graph.search(call, { query: 'What does the Auth Service use?', mode, limit: 5 }),
        ),
      );
    const before = await ask();
    assert.ok(before.every((found) => found.results.length > 0));
    const { fetch } = globalThis;
    globalThis.fetch = () => Promise.reject(new Error('network'));
    try {
      assert.deepEqual(await ask(), before);
    } finally {
      globalThis.fetch = fetch;
    }
  }));

test('10: however the folder is spelled and wherever one stands, it is the same folder', () =>
  using(async (folder) => {
    const name = 'content';
    for (let i = 0; i < 4; i++) folder.write(`f${i}.md`, `The Part${i} Service uses Redis.\n`);
    const spellings: [docs: string, cwd: string][] = [
      ['./content', folder.root],
      ['content', folder.root],
      ['content/', folder.root],
      [folder.docs, '/'],
      ['.', folder.docs],
      [relative(join(folder.root, 'data'), folder.docs), join(folder.root, 'data')],
    ];
    let ids: string[] | undefined;
    for (const [at, [docs, cwd]] of spellings.entries()) {
      const engine = await folder.open({ graph: settingsOf(folder, docs, cwd) });
      assert.equal(engine.graph.settings.collection, name, docs);
      const { run } = await engine.graph.index(call, {});
      assert.deepEqual([run.added, run.unchanged, run.deleted], at === 0 ? [4, 0, 0] : [0, 4, 0], docs);
      const found = await engine.graph.search(call, { query: 'Redis', mode: 'naive', limit: 50 });
      const seen = found.results.map((hit) => `${hit.chunkId} ${hit.citation}`).sort();
      assert.deepEqual(seen, (ids ??= seen), docs);
    }
    // A deleted file is noticed under every spelling.
    for (const [at, [docs, cwd]] of spellings.slice(0, 3).entries()) {
      folder.remove(`f${at}.md`);
      const engine = await folder.open({ graph: settingsOf(folder, docs, cwd) });
      assert.equal((await engine.graph.index(call, {})).run.deleted, 1, docs);
      assert.equal((await engine.graph.stats(call)).documents, 3 - at);
      assert.equal((await engine.graph.entities(call, { query: `Part${at}`, limit: 5 })).total, 0);
    }
  }, 'content'));

test('13: texts without spaces are cut between characters, and each piece lies within its lines', () =>
  using(async (folder) => {
    const paragraphs = Array.from({ length: 40 }, (_, i) => `第${i}段。${'漢字かな交じり文😀👩‍👩‍👧‍👦'.repeat(30)}`);
    folder.write('cjk.md', `# 見出し\n\n${paragraphs.join('\n\n')}\n`);
    folder.write('one-line.md', '国際化😀'.repeat(3000));
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const { results } = await engine.graph.search(call, { query: '漢字 国際化', mode: 'naive', limit: 200 });
    assert.ok(results.length > 10);
    for (const hit of results) {
      assert.ok(hit.content.isWellFormed() && !hit.content.includes('\uFFFD'));
      const lines = readFileSync(join(folder.docs, hit.path), 'utf8').split('\n');
      const cited = lines.slice(hit.startLine - 1, hit.endLine).join('\n');
      assert.ok(cited.includes(hit.content.trim()), hit.citation);
    }
  }));

test('14: the same model at another size is another space: refused, repaired by one run, one size left', () =>
  using(async (folder) => {
    for (let i = 0; i < 5; i++) folder.write(`f${i}.md`, `The Part${i} Service uses Redis.\n`);
    const sized = (dimensions: number) =>
      folder.open({
        embedder: countingEmbedder({ model: 'm', dimensions }),
        graph: { embedder: { provider: 'x', model: 'm', dimensions } },
      });
    await (await sized(64)).graph.index(call, {});
    const small = await sized(32);
    const search = () => small.graph.search(call, { query: 'redis', mode: 'naive', limit: 10 });
    await assert.rejects(search(), /32|64/);
    const report = await small.graph.index(call, { force: true });
    assert.equal(report.calls.embeddedTexts, 5);
    assert.equal(report.totals.vectors, 5);
    assert.equal((await search()).results.length, 5, 'every vector can be compared with the question');
    assert.equal((await small.graph.index(call, {})).calls.embeddedTexts, 0);
  }));

test('22: texts go out in full batches, and no more are under way than may be', () =>
  using(async (folder) => {
    const embedder = countingEmbedder({ hosted: true });
    for (let i = 0; i < 300; i++) folder.write(`f${i}.md`, `# File ${i}\n\nText of number ${i}.\n`);
    const engine = await folder.open({ embedder });
    const { calls } = await engine.graph.index(call, {});
    assert.equal(calls.embeddedTexts, 300);
    assert.ok(embedder.calls <= 10, `${embedder.calls} calls`);
    assert.ok(embedder.maxInFlight <= 4, `${embedder.maxInFlight} at once`);
    assert.equal(new Set(embedder.texts).size, 300);
  }));

test('24: what changed in the config is in the warnings of every answer, not on stderr only', () =>
  using(async (folder) => {
    folder.write('a.md', 'The Auth Service uses Redis.\n');
    const first = await folder.open();
    await first.graph.index(call, {});
    const { schema } = first.graph.settings;
    const changed = await folder.open({
      graph: { schema: { ...schema, entityTypes: ['SERVICE', 'CACHE'] } },
    });
    const told = (answer: { warnings: string[] }) =>
      assert.ok(
        answer.warnings.some((warning) => /schema/i.test(warning)),
        JSON.stringify(answer.warnings),
      );
    const { graph } = changed;
    told(await graph.stats(call));
    told(await graph.search(call, { query: 'redis', mode: 'hybrid', limit: 5 }));
    told(await graph.entities(call, { limit: 5 }));
    told(await graph.relations(call, { entity: 'Redis', direction: 'both' }));
    told(await graph.trace(call, { entity: 'Redis', direction: 'upstream' }));
    told(await graph.path(call, { from: 'Auth Service', to: 'Redis', maxDepth: 5 }));
    told(await graph.index(call, {}));
    assert.deepEqual((await graph.stats(call)).warnings, []);
  }));
