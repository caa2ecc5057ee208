// True sync of a folder. The numbers in the names are the rows of what ours must do better (FlowRAG reference, 12).

import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { VaiError } from '../../../src/domain/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { call, countingEmbedder, countingExtractor, graphFolder, using } from '../../support/graph-folder.ts';

const totals = async (engine: Engine) => {
  const { documents, chunks, entities, relations, vectors } = await engine.graph.stats(call);
  return { documents, chunks, entities, relations, vectors };
};

const code = (wanted: string) => (error: unknown) => error instanceof VaiError && error.code === wanted;

test('7: an edited file replaces what it said, and undoing the edit restores the counts', () =>
  using(async (folder) => {
    const engine = await folder.open();
    const sections = Array.from(
      { length: 8 },
      (_, i) => `## Part ${i}\n\nThe Alpha${i} Service uses the Beta${i} Service.\n`,
    );
    folder.write('a.md', `# Title\n\n${sections.join('\n')}`);
    folder.write('b.md', '# Other\n\nThe Gamma Service uses Redis.\n');
    await engine.graph.index(call, {});
    const before = await totals(engine);
    folder.write('a.md', 'One line only.\n');
    await engine.graph.index(call, {});
    const cut = await totals(engine);
    assert.ok(cut.chunks < before.chunks && cut.entities < before.entities && cut.vectors < before.vectors);
    const gone = await engine.graph.entities(call, { query: 'Alpha3', limit: 5 });
    assert.equal(gone.total, 0);
    const text = await engine.graph.search(call, { query: 'Alpha3 Service', mode: 'hybrid', limit: 5 });
    assert.ok(text.results.every((hit) => !hit.content.includes('Alpha3')));
    folder.write('a.md', `# Title\n\n${sections.join('\n')}`);
    await engine.graph.index(call, {});
    assert.deepEqual(await totals(engine), before);
  }));

test('8: an entity of two files survives the deletion of one, with the evidence of the other', () =>
  using(async (folder) => {
    const engine = await folder.open();
    folder.write('a.md', 'The Billing Service uses PostgreSQL.\n');
    folder.write('b.md', 'The Report Service uses PostgreSQL.\n');
    await engine.graph.index(call, {});
    folder.remove('a.md');
    const report = await engine.graph.index(call, {});
    assert.equal(report.run.deleted, 1);
    const { entities } = await engine.graph.entities(call, { query: 'postgresql', limit: 5 });
    assert.deepEqual(
      entities.map((entity) => [entity.name, entity.evidence.map((item) => item.path)]),
      [['PostgreSQL', ['b.md']]],
    );
    assert.equal((await engine.graph.entities(call, { query: 'Billing', limit: 5 })).total, 0);
  }));

test('9: the extraction cache names schema, model and prompt; a second run asks nothing', () =>
  using(async (folder) => {
    const extractor = countingExtractor();
    const engine = await folder.open({ extractor });
    folder.write('a.md', 'entity Alpha SERVICE\nrelation Alpha USES Beta\n');
    folder.write('b.md', 'entity Beta QUEUE\n');
    await engine.graph.index(call, {});
    assert.equal(extractor.asked.length, 2);
    await engine.graph.index(call, { force: true });
    assert.equal(extractor.asked.length, 2, 'force is answered by the cache');
    const schema = {
      entityTypes: ['SERVICE', 'QUEUE'],
      relationTypes: ['USES'],
      documentFields: {},
      entityFields: {},
      relationFields: {},
      reverseFlow: [],
    };
    const changed = await folder.open({ extractor, graph: { schema } });
    const report = await changed.graph.index(call, {});
    assert.equal(extractor.asked.length, 4, 'every distinct text is asked again');
    assert.equal(report.calls.extractRequests, 2);
    const { entities } = await changed.graph.entities(call, { type: 'QUEUE', limit: 5 });
    assert.deepEqual(
      entities.map((entity) => entity.name),
      ['Beta'],
    );
    await changed.graph.index(call, {});
    assert.equal(extractor.asked.length, 4);
  }));

test('9: a renamed or copied file costs no extraction', () =>
  using(async (folder) => {
    const extractor = countingExtractor();
    const engine = await folder.open({ extractor });
    folder.write('a.md', 'entity Alpha SERVICE\n');
    await engine.graph.index(call, {});
    folder.write('copy.md', 'entity Alpha SERVICE\n');
    renameSync(join(folder.docs, 'a.md'), join(folder.docs, 'moved.md'));
    const report = await engine.graph.index(call, {});
    assert.equal(extractor.asked.length, 1);
    assert.equal(report.run.renamed, 1);
    assert.equal(report.run.added, 1);
    assert.equal(report.run.deleted, 0);
    const { entities } = await engine.graph.entities(call, { limit: 5 });
    assert.deepEqual(
      entities[0]?.evidence.map((item) => item.path),
      ['copy.md', 'moved.md'],
    );
  }));

test('10: a folder whose name begins like another is another folder', () =>
  using(async (folder) => {
    const other = graphFolder('docs-old');
    try {
      folder.write('a.md', 'The A Service uses Redis.\n');
      other.write('b.md', 'The B Service uses Redis.\n');
      const engine = await folder.open();
      const graph = { docs: other.docs, collection: 'docs-old' };
      const second = await folder.open({ graph });
      await second.graph.index(call, {});
      await engine.graph.index(call, {});
      assert.equal((await second.graph.stats(call)).documents, 1);
      folder.remove('a.md');
      await assert.rejects(engine.graph.index(call, {}), code('DOCS_EMPTY'));
      await engine.graph.index(call, { force: true });
      assert.equal((await engine.graph.stats(call)).documents, 0);
      assert.equal((await second.graph.stats(call)).documents, 1);
    } finally {
      await other.close();
    }
  }));

test('11: one bad chunk leaves its document partial, and only it is tried again', () =>
  using(async (folder) => {
    let broken = true;
    const extractor = countingExtractor({
      fail: (input) =>
        broken && input.text.includes('poison') ? new VaiError('PROVIDER_BAD_ANSWER', 'no') : undefined,
    });
    const engine = await folder.open({ extractor });
    for (let i = 0; i < 5; i++) folder.write(`f${i}.md`, `entity Name${i} SERVICE\n`);
    folder.write('bad.md', '# Good\n\nentity Fine SERVICE\n\n# Bad\n\npoison\n');
    const first = await engine.graph.index(call, {});
    assert.equal(first.run.added, 6);
    assert.equal(first.run.partial, 1);
    assert.deepEqual(
      first.failures.map((one) => [one.path, one.stage, one.startLine]),
      [['bad.md', 'extract', 5]],
    );
    assert.equal((await engine.graph.stats(call)).partialDocuments, 1);
    const found = await engine.graph.search(call, { query: 'poison', mode: 'hybrid', limit: 1 });
    assert.match(found.results[0]!.content, /poison/);
    const asked = extractor.asked.length;
    broken = false;
    const second = await engine.graph.index(call, {});
    assert.equal(extractor.asked.length - asked, 1);
    assert.equal(second.run.partial, 0);
    assert.equal((await engine.graph.stats(call)).partialDocuments, 0);
  }));

test('a refused key stops further calls at once', () =>
  using(async (folder) => {
    const extractor = countingExtractor({ fail: () => new VaiError('PROVIDER_AUTH', 'refused') });
    const engine = await folder.open({ extractor });
    for (let i = 0; i < 20; i++) folder.write(`f${i}.md`, `entity Name${i} SERVICE\n`);
    const report = await engine.graph.index(call, {});
    assert.ok(extractor.asked.length <= 4);
    assert.equal(report.run.partial, 20);
    assert.equal(report.failuresTotal, 20);
    assert.equal(report.totals.chunks, 20);
  }));

test('a spend cap ends extraction, not the run', () =>
  using(async (folder) => {
    const extractor = countingExtractor();
    const engine = await folder.open({
      extractor,
      graph: { extractor: { provider: 'fake', model: 'fake', maxCost: 0.0003 } },
    });
    for (let i = 0; i < 20; i++) folder.write(`f${i}.md`, `entity Name${i} SERVICE\n`);
    const report = await engine.graph.index(call, {});
    assert.ok(extractor.asked.length < 8);
    assert.ok(report.failures.some((one) => one.code === 'COST_LIMIT'));
    assert.equal(report.totals.documents, 20);
  }));

test('12, 13: awkward texts and names index cleanly, and nothing is cut inside a character', () =>
  using(async (folder) => {
    const engine = await folder.open();
    const long = `${'a'.repeat(100)}/${'b'.repeat(100)}.md`;
    folder.write("it's.md", "The O'Brien Service uses Redis.\n");
    folder.write('token.md', 'Text with <|endoftext|> inside.\n');
    folder.write(long, 'Deep text.\n');
    folder.write('cjk.md', '漢字かな交じり文。😀👩‍👩‍👧‍👦 '.repeat(400));
    folder.write('crlf.md', '\uFEFFFirst\r\n\r\n# Second\r\n\r\nThe Gamma Service uses Redis.\r\n');
    const report = await engine.graph.index(call, {});
    assert.equal(report.failuresTotal, 0);
    assert.equal(report.run.added, 5);
    const hits = await engine.graph.search(call, { query: '漢字かな交じり文', mode: 'hybrid', limit: 50 });
    assert.ok(hits.results.length > 0);
    for (const hit of hits.results) assert.ok(!hit.content.includes('\uFFFD'));
    const { relations } = await engine.graph.relations(call, { entity: 'Gamma Service', direction: 'out' });
    assert.deepEqual(relations[0]!.evidence[0]!.startLine, 5);
  }));

test('14: another embedder refuses searches until one index run has repaired them', () =>
  using(async (folder) => {
    folder.write('a.md', 'The A Service uses Redis.\n');
    const first = await folder.open({
      embedder: countingEmbedder({ model: 'old', dimensions: 64 }),
      graph: { embedder: { provider: 'x', model: 'old' } },
    });
    await first.graph.index(call, {});
    const second = await folder.open({
      embedder: countingEmbedder({ model: 'new', dimensions: 32 }),
      graph: { embedder: { provider: 'x', model: 'new' } },
    });
    await assert.rejects(
      second.graph.search(call, { query: 'redis', mode: 'hybrid', limit: 5 }),
      code('MODEL_MISMATCH'),
    );
    const stats = await second.graph.stats(call);
    assert.deepEqual(
      stats.configChanges.map((change) => change.severity),
      ['breaking'],
    );
    assert.ok(
      (await second.graph.entities(call, { limit: 5 })).warnings.some((warning) =>
        warning.includes('embedder'),
      ),
    );
    const report = await second.graph.index(call, {});
    assert.ok(report.warnings.some((warning) => warning.includes('embedder')));
    assert.equal(report.calls.embeddedTexts, 1);
    const found = await second.graph.search(call, { query: 'redis', mode: 'naive', limit: 5 });
    assert.equal(found.results.length, 1);
    assert.deepEqual((await second.graph.stats(call)).configChanges, []);
  }));

test('a second run at the same time is told so', () =>
  using(async (folder) => {
    for (let i = 0; i < 10; i++)
      folder.write(`f${i}.md`, `# File ${i}\n\nThe Name${i} Service uses Redis.\n`);
    const embedder = countingEmbedder();
    const [one, two] = [await folder.open({ embedder }), await folder.open({ embedder })];
    const runs = await Promise.allSettled([one.graph.index(call, {}), two.graph.index(call, {})]);
    const failed = runs.filter((run) => run.status === 'rejected');
    assert.equal(failed.length, 1);
    assert.ok(code('INDEX_BUSY')((failed[0] as PromiseRejectedResult).reason));
    assert.equal((await one.graph.stats(call)).vectors, 10);
    assert.equal(embedder.texts.length, 10);
  }));

test('22, 23: no-op calls nothing; an edit embeds what changed; counts add up and progress arrives', () =>
  using(async (folder) => {
    const embedder = countingEmbedder();
    const engine = await folder.open({ embedder });
    for (let i = 0; i < 20; i++)
      folder.write(`f${i}.md`, `# File ${i}\n\nText ${i}.\n\n## Second\n\nMore ${i}.\n`);
    folder.write('.hidden.md', 'no');
    folder.write('image.png', new Uint8Array([1, 2, 3]));
    const seen: number[] = [];
    const watched = { ...call, progress: ({ done }: { done: number }) => void seen.push(done) };
    const cold = await engine.graph.index(watched, {});
    assert.equal(cold.run.added, 20);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
    assert.equal(seen.at(-1), 20);
    assert.equal(embedder.calls, 1, 'full batches');
    embedder.texts = [];
    const noop = await engine.graph.index(call, {});
    assert.equal(noop.run.unchanged, 20);
    assert.deepEqual(embedder.texts, []);
    assert.equal(noop.calls.embedRequests, 0);
    folder.write('f7.md', '# File 7\n\nText 7.\n\n## Second\n\nEdited.\n');
    const edit = await engine.graph.index(call, {});
    assert.equal(embedder.texts.length, 1);
    assert.match(embedder.texts[0]!, /Edited/);
    const { added, changed, renamed, unchanged, failed } = edit.run;
    assert.equal(added + changed + renamed + unchanged + failed, 20);
  }));

test('24: the meta file is written, and a schema change is minor and told', () =>
  using(async (folder) => {
    folder.write('a.md', 'The A Service uses Redis.\n');
    const engine = await folder.open();
    await engine.graph.index(call, {});
    const meta = JSON.parse(readFileSync(join(folder.data, 'flowrag.meta.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    assert.equal(meta['documentCount'], 1);
    assert.deepEqual(Object.keys(meta), [
      'formatVersion',
      'configHash',
      'embedder',
      'extractor',
      'schema',
      'chunker',
      'lastIndexedAt',
      'documentCount',
    ]);
    const { schema } = engine.graph.settings;
    const reordered = await folder.open({
      graph: { schema: { ...schema, entityTypes: [...schema.entityTypes].reverse() } },
    });
    assert.deepEqual((await reordered.graph.stats(call)).configChanges, []);
    const changed = await folder.open({
      graph: { schema: { ...schema, entityTypes: ['SERVICE', 'CACHE'] } },
    });
    assert.deepEqual(
      (await changed.graph.stats(call)).configChanges.map((change) => change.severity),
      ['minor'],
    );
    const report = await changed.graph.index(call, {});
    assert.equal(report.run.changed, 1);
    assert.equal(
      (await changed.graph.entities(call, { query: 'redis', limit: 1 })).entities[0]?.type,
      'OTHER',
    );
  }));

test('no folder, no such folder, and a cancelled run', () =>
  using(async (folder) => {
    const none = await folder.open({ graph: { docs: undefined, collection: undefined } });
    await assert.rejects(none.graph.index(call, {}), code('CONFIG_MISSING'));
    const missing = await folder.open({ graph: { docs: join(folder.root, 'nowhere') } });
    await assert.rejects(
      missing.graph.index(call, {}),
      (error) => code('DOCS_NOT_FOUND')(error) && !(error as Error).message.includes(folder.root),
    );
    folder.write('a.md', 'text');
    const engine = await folder.open();
    await assert.rejects(engine.graph.index({ ...call, signal: AbortSignal.abort() }, {}), code('CANCELLED'));
    await engine.graph.index(call, {});
    assert.ok(existsSync(join(folder.data, 'flowrag.meta.json')));
  }));

test('a watched folder is indexed again after a change', () =>
  using(async (folder) => {
    folder.write('a.md', 'The A Service uses Redis.\n');
    const engine = await folder.open();
    const stop = new AbortController();
    const reports: number[] = [];
    const second = new Promise<void>((resolve) => {
      void engine.graph.watch({ ...call, signal: stop.signal }, (report) => {
        if (report instanceof VaiError) return;
        reports.push(report.totals.documents);
        if (reports.length === 1) folder.write('b.md', 'The B Service uses Redis.\n');
        if (report.totals.documents === 2) resolve();
      });
    });
    await second;
    stop.abort();
    assert.deepEqual(reports.slice(0, 1), [1]);
  }));

test('a run that is stopped while it reads for relations is told in the stats, and the next one goes on', () =>
  using(async (folder) => {
    for (let at = 0; at < 45; at++)
      folder.write(`f${at}.md`, `# Part ${at}\n\nThe Billing Service uses PostgreSQL in part ${at}.\n`);
    const engine = await folder.open();
    const stop = new AbortController();
    const progress = ({ message }: { message?: string }) => {
      if (message?.startsWith('relations of')) stop.abort();
    };
    await assert.rejects(engine.graph.index({ ...call, signal: stop.signal, progress }, {}), /cancel/i);
    const stopped = await engine.graph.stats(call);
    assert.match(stopped.warnings.join(), /incomplete: 25 of 45 documents/);
    await engine.graph.index(call, {});
    const whole = await engine.graph.stats(call);
    assert.deepEqual(whole.warnings, []);
    const { relations } = await engine.graph.relations(call, { entity: 'Billing Service', direction: 'out' });
    assert.equal(relations.find((one) => one.target === 'PostgreSQL')?.evidenceTotal, 45);
  }));
