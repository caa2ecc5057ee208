// A folder large enough to be prepared in a thread: stored as it would be without, and a stop in the middle leaves only
// whole documents and no thread.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { composeParts } from '../../../../src/compose.ts';
import { resolveSettings } from '../../../../src/config/index.ts';
import { BLOCK_PROFILE } from '../../../../src/domain/chunk.ts';
import { VaiError } from '../../../../src/domain/errors.ts';
import { localCall } from '../../../../src/engine/call.ts';
import { createEngine, type Engine } from '../../../../src/engine/engine.ts';
import { prepareDocument } from '../../../../src/engine/index/prepare.ts';
import type { Store } from '../../../../src/ports/store.ts';

/** More than two groups of two million characters: the first is written while the others are prepared. */
const COUNT = 160;
let home: string;
let engine: Engine;
let store: Store;

const pathOf = (at: number): string => `page-${String(at).padStart(3, '0')}.md`;
const textOf = (at: number): string => {
  const paragraph = (part: number) =>
    `## Part ${part}\n\nThe maxRetryCount of page ${at} is ${part}, says Ada Lovelace. ${'Words follow words. '.repeat(30)}\n\n`;
  return `# Page ${at}\n\n${Array.from({ length: 40 }, (_, part) => paragraph(part)).join('')}`;
};

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'vai-thread-'));
  mkdirSync(join(home, 'files'));
  for (let at = 0; at < COUNT; at += 1) writeFileSync(join(home, 'files', pathOf(at)), textOf(at));
  const env = { VAI_HOME: home };
  const parts = await composeParts({ settings: resolveSettings({ env, cwd: home, home }), env, cwd: home });
  engine = createEngine(parts);
  store = await parts.stores.open('vai');
});
after(async () => {
  await engine.close();
  rmSync(home, { recursive: true, force: true });
});

const threads = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort' || kind === 'Worker').length;

/** What is stored of a page is what preparing it alone gives. */
async function isWhole(collection: string, at: number): Promise<void> {
  const read = { text: textOf(at), syntax: 'markdown' as const };
  const { write } = prepareDocument({
    ...{ collection, path: pathOf(at), read, fetchedAt: '', profile: BLOCK_PROFILE },
  });
  const chunks = await store.documents.chunks(collection, pathOf(at));
  assert.deepEqual(
    chunks.map(({ start, end, startLine, endLine, headingPath, text }) => [
      ...[start, end, startLine, endLine],
      ...[headingPath.join('/'), text],
    ]),
    write.chunks.map(({ start, end, startLine, endLine, headingPath, text }) => [
      ...[start, end, startLine, endLine],
      ...[headingPath.join('/'), text],
    ]),
  );
}

test('stores what one thread alone would store', async () => {
  let most = 0;
  const call = { ...localCall(), progress: () => (most = Math.max(most, threads())) };
  const result = await engine.ingest.files(call, {
    paths: [join(home, 'files')],
    collection: 'a',
    model: 'none',
  });
  assert.equal(result.added, COUNT);
  assert.ok(most > 0, 'a thread was used');
  assert.equal(threads(), 0);
  for (let at = 0; at < COUNT; at += 1) await isWhole('a', at);
  const [waiting] = await store.graph.unnamed(['a'], 1);
  assert.equal(waiting?.chunks.length, 1, 'no names are looked for yet');
  const { hits } = await engine.search.run(localCall(), {
    query: 'max retry count',
    collections: ['a'],
    mode: 'words',
    limit: 3,
  });
  assert.ok(hits.length > 0, 'split identifiers are found');
});

test('a stop in the middle leaves whole documents and no thread', async () => {
  const stop = new AbortController();
  const call = {
    ...localCall(),
    signal: stop.signal,
    progress: ({ done }: { done: number }) => {
      if (done === COUNT - 5) stop.abort();
    },
  };
  await assert.rejects(
    engine.ingest.files(call, { paths: [join(home, 'files')], collection: 'b', model: 'none' }),
    (error: unknown) => error instanceof VaiError && error.code === 'CANCELLED',
  );
  assert.equal(threads(), 0);
  const stored = await engine.collections.documents(localCall(), { collection: 'b', limit: 200 });
  assert.ok(stored.documents.length > 0 && stored.documents.length < COUNT);
  for (const { path } of stored.documents) await isWhole('b', Number(/\d+/.exec(path)![0]));
  const again = await engine.ingest.files(localCall(), {
    paths: [join(home, 'files')],
    collection: 'b',
    model: 'none',
  });
  assert.equal(again.added + again.unchanged, COUNT);
});
