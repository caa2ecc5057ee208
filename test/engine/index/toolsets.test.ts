// One folder through each toolset: `vai ingest`, `flowrag_index` and `blz add` read the same files, ignore the same, notice
// the same changes and store the same documents and chunks, because there is one pipeline.

import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { composeParts } from '../../../src/compose.ts';
import { resolveSettings } from '../../../src/config/index.ts';
import { DEFAULT_GRAPH } from '../../../src/config/graph-defaults.ts';
import { localCall } from '../../../src/engine/call.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import type { IndexReport } from '../../../src/engine/index/types.ts';
import type { Store } from '../../../src/ports/store.ts';
import { docx, paragraph, pdf } from '../../sources/files/fixtures.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const call = localCall();
const TOOLSETS = ['vai', 'flowrag', 'blz'] as const;
const home = tempFolder('toolsets');
let docs: string;
let engine: Engine;
let store: Store;

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(docs, path)), { recursive: true });
  writeFileSync(join(docs, path), content);
}

before(async () => {
  docs = join(home, 'docs');
  put('quick-start.md', '# Quick start\n\nThe Billing Service uses Redis.\n\n## Next\n\nRead on.\n');
  put('guide.markdown', '---\ntitle: Guide\n---\n\nThe Report Service uses Redis.\n');
  put('src/a.py', 'def main():\n    """Starts the worker."""\n    return 1\n');
  put('c.toml', '[server]\nport = 3100\n');
  put('x.docx', docx(paragraph('Rollout', 'Heading1') + paragraph('Ship on Tuesdays.')));
  put('pages.pdf', pdf(['First page of the manual.', 'Second page of the manual.']));
  put('old-name.txt', 'A text whose name will change.\n');
  put('gone.md', '# Gone\n\nThis one will be removed.\n');
  put('bad.pdf', 'no pdf at all');
  put('.hidden.md', 'hidden');
  put('node_modules/p/readme.md', 'a package');
  put('.gitignore', 'ignored.md\n');
  put('ignored.md', 'ignored');
  put('logo.png', new Uint8Array([1, 2, 3]));
  const env = { VAI_HOME: join(home, 'home') };
  const settings = resolveSettings({ env, cwd: home, home });
  const graph = { ...DEFAULT_GRAPH, docs, collection: 'flowrag' };
  const parts = await composeParts({ settings, env, cwd: home, graph });
  engine = createEngine(parts);
  store = await parts.stores.open('vai');
});
after(() => engine.close());

/** What a run says that does not depend on the toolset: entities are FlowRAG's, times are nobody's. */
function told({ run, totals, calls, failures }: IndexReport): unknown {
  const { documents, chunks, vectors } = totals;
  return { run, documents, chunks, vectors, embedded: calls.embeddedTexts, failures };
}

async function stored(collection: string): Promise<unknown> {
  const { documents } = await store.documents.list(collection, { limit: 100 });
  return Promise.all(
    documents.map(async ({ path, title, sha256, rawSha256, lines, headings, metadata, indexedWith }) => {
      const chunks = await store.documents.chunks(collection, path);
      const vectors = await store.search.vectorsOf(chunks.map(({ id }) => id));
      const { version, chunking, model, folder } = indexedWith!;
      return {
        ...{ path, title, sha256, rawSha256, lines, headings, metadata, version, chunking, model, folder },
        chunks: chunks.map(({ id, startLine, endLine, headingPath, page, text }) => ({
          ...{ startLine, endLine, headingPath, page, text },
          vector: vectors.get(id),
        })),
      };
    }),
  );
}

/** What `blz` tells of its last run over the folder. */
async function history(): Promise<string | undefined> {
  return (await engine.docs.history(call, { alias: 'blz', limit: 1 }))[0]?.message;
}

async function compare(): Promise<IndexReport> {
  const vai = await engine.ingest.files(call, { paths: [docs], collection: 'vai', sync: true });
  const flowrag = await engine.graph.index(call, {});
  assert.deepEqual(told(flowrag), told(vai));
  const first = await stored('vai');
  for (const toolset of TOOLSETS) assert.deepEqual(await stored(toolset), first, toolset);
  return vai;
}

test('the same documents, chunks and report', async () => {
  const { notices } = await engine.docs.add(call, { alias: 'blz', path: docs });
  const { run, failures, totals } = await compare();
  const { added, changed, renamed, deleted } = run;
  assert.deepEqual([added, changed, renamed, deleted], [8, 0, 0, 0]);
  assert.equal(await history(), '8 added, 0 changed, 0 renamed, 0 removed');
  assert.deepEqual(
    run.skipped.map(({ reason, count }) => [reason, count]),
    [
      ['hidden', 2],
      ['ignored by .gitignore', 1],
      ['node_modules', 1],
      ['not a text format', 1],
    ],
  );
  assert.deepEqual(
    failures.map(({ path, stage, code }) => [path, stage, code]),
    [['bad.pdf', 'read', 'UNSUPPORTED_FORMAT']],
  );
  assert.ok(notices?.some((notice) => notice.startsWith('bad.pdf: ')));
  assert.equal(totals.vectors, totals.chunks);
});

test('a hit in a PDF names its page, in each toolset', async () => {
  const query = 'second page of the manual';
  const { hits } = await engine.search.run(call, { query, mode: 'words', limit: 1 });
  const found = await engine.docs.find(call, { query, source: 'blz' });
  const graph = await engine.graph.search(call, { query, mode: 'naive', limit: 1 });
  assert.deepEqual([hits[0]!.page, found.hits[0]!.page, graph.results[0]!.page], [2, 2, 2]);
});

test('the same changes: an edit, a new name, a removal, nothing', async () => {
  put(
    'quick-start.md',
    '# Quick start\n\nThe Billing Service uses Redis.\n\n## Next\n\nRead something else.\n',
  );
  renameSync(join(docs, 'old-name.txt'), join(docs, 'new-name.txt'));
  rmSync(join(docs, 'gone.md'));
  const [updated] = await engine.docs.update(call, { aliases: ['blz'] });
  assert.equal(updated?.status, 'partial', 'bad.pdf cannot be read');
  assert.equal(await history(), '0 added, 1 changed, 1 renamed, 1 removed');
  const { run, calls } = await compare();
  const { added, changed, renamed, deleted, unchanged, failed } = run;
  assert.deepEqual([added, changed, renamed, deleted, unchanged, failed], [0, 1, 1, 1, 5, 1]);
  const embedded = 'the section that changed, and the text that has no title but its new name';
  assert.equal(calls.embeddedTexts, 2, embedded);
  const [again] = await engine.docs.update(call, { aliases: ['blz'] });
  assert.equal(again?.status, 'partial');
  assert.equal((await compare()).run.unchanged, 7);
});
