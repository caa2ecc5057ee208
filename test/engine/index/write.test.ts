// Documents on their way into a store in memory: what is asked, in which order, and what is left when something fails.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BLOCK_PROFILE } from '../../../src/domain/chunk.ts';
import { VaiError } from '../../../src/domain/errors.ts';
import { AGENT } from '../../../src/domain/graph.ts';
import { localCall } from '../../../src/engine/call.ts';
import { embeddingFor } from '../../../src/engine/index/embed.ts';
import { assemble, INDEX_VERSION, type Prepared } from '../../../src/engine/index/prepare.ts';
import { noCalls } from '../../../src/engine/index/report.ts';
import type { Target } from '../../../src/engine/index/target.ts';
import type { Annotator, IndexFailure } from '../../../src/engine/index/types.ts';
import { writeDocument, writeDocuments, type Writing } from '../../../src/engine/index/write.ts';
import { analyse } from '../../../src/engine/text/analyse.ts';
import type { DocumentWrite } from '../../../src/ports/store.ts';
import { embedderOf, memoryStore } from './memory.ts';

function prepared(path: string, text: string, replaces = false): Prepared {
  const read = { text, syntax: 'markdown' as const };
  const input = { collection: 'docs', path, read, fetchedAt: 'now', profile: BLOCK_PROFILE, replaces };
  // Long texts are not chunked here: that would take its time.
  return assemble(
    input,
    analyse({ read: text.length > 10_000 ? { ...read, text: '' } : read, profile: BLOCK_PROFILE }),
  );
}

function writing(more: Partial<Writing> = {}) {
  const memory = memoryStore();
  const failures: IndexFailure[] = [];
  const job: Writing = {
    store: memory.store,
    call: localCall(),
    calls: noCalls(),
    fail: (failure) => failures.push(failure),
    ...more,
  };
  return { ...memory, failures, job };
}

const embedding = () =>
  embeddingFor(
    {
      embedder: embedderOf(),
      collection: { embedding: { model: 'test', dimensions: 2 } },
    } as unknown as Target,
    localCall(),
    { tolerant: true, tell: () => undefined },
  )!;
const annotatorOf = (annotate: Annotator['annotate']): Annotator => ({
  stamp: { schema: 'people' } as Annotator['stamp'],
  annotate,
});

describe('documents', () => {
  it('are answered one by one, in their order', async () => {
    const { job } = writing();
    const [a, b] = [prepared('a.md', '# A\n\none\n\n# B\n\ntwo\n'), prepared('b.md', 'b\n')];
    await writeDocuments(job, [a]);
    assert.deepEqual(await writeDocuments(job, [b, a]), [
      { chunks: 1, chunksRemoved: 0, replaced: false, partial: false },
      { chunks: 2, chunksRemoved: 2, replaced: true, partial: false },
    ]);
  });

  it('are marked with what they were made with', async () => {
    const plain = writing();
    await writeDocuments(plain.job, [prepared('a.md', 'a\n')]);
    assert.deepEqual(plain.info('a.md').indexedWith, { version: INDEX_VERSION, chunking: BLOCK_PROFILE });
    const full = writing({ embedding: embedding(), annotator: annotatorOf(() => Promise.resolve()) });
    const document = prepared('a.md', 'a\n');
    await writeDocuments(full.job, [document]);
    assert.deepEqual(document.write.chunks[0]!.vector, Float32Array.of(1, 0));
    const { model, graph } = full.info('a.md').indexedWith!;
    assert.deepEqual([model, graph], ['test 2', { schema: 'people' }]);
    assert.equal(full.info('a.md').partial, undefined);
  });

  it('of which a part failed are stored without it, and marked', async () => {
    const failure = {
      path: 'a.md',
      startLine: 1,
      endLine: 1,
      stage: 'extract',
      code: 'TIMEOUT',
      message: 'no',
    } as const;
    const annotator = annotatorOf((_documents, { fail }) => Promise.resolve(fail(failure)));
    const { job, failures, info } = writing({ annotator });
    const written = await writeDocuments(job, [prepared('a.md', 'a\n'), prepared('b.md', 'b\n')]);
    assert.deepEqual(
      written.map((document) => 'partial' in document && document.partial),
      [true, false],
    );
    assert.deepEqual([failures, info('a.md').partial, info('b.md').partial], [[failure], true, undefined]);
  });

  it('that the store refuses cost no other, and are the caller’s error when alone', async () => {
    const { job, store, paths } = writing();
    const replace = store.documents.replace.bind(store.documents);
    store.documents.replace = (write: DocumentWrite) =>
      write.info.path === 'a.md' ? Promise.reject(new VaiError('STORE_BUSY', 'busy')) : replace(write);
    const [first, second] = await writeDocuments(job, [prepared('a.md', 'a\n'), prepared('b.md', 'b\n')]);
    assert.ok(first instanceof VaiError && first.code === 'STORE_BUSY');
    assert.ok(second && 'chunks' in second);
    assert.deepEqual(paths(), ['b.md']);
    await assert.rejects(writeDocument(job, prepared('a.md', 'a\n')), { code: 'STORE_BUSY' });
    await writeDocument(job, prepared('c.md', 'c\n'));
    assert.deepEqual(paths(), ['b.md', 'c.md']);
  });
});

describe('a document that replaces another', () => {
  it('keeps its vectors, where there are any to make', async () => {
    const { job, log } = writing({ embedding: embedding() });
    await writeDocuments(job, [prepared('a.md', 'a\n', false)]);
    await writeDocuments(job, [prepared('a.md', 'b\n', false)]);
    assert.ok(!log.includes('vectors of 1'));
    await writeDocuments({ ...job, embedding: undefined }, [prepared('a.md', 'c\n', true)]);
    assert.ok(!log.includes('vectors of 1'));
    await writeDocuments(job, [prepared('a.md', 'd\n', true)]);
    assert.ok(log.includes('vectors of 1'));
  });

  it('keeps what agents stated of lines that are still there', async () => {
    const { job, store } = writing();
    const place = { startLine: 2, endLine: 2, by: AGENT };
    const entity = { key: 'mole', name: 'Mole', type: 'ANIMAL', ...place };
    store.graph.contributions = () =>
      Promise.resolve(new Map([['a.md 0', { entities: [entity], relations: [] }]]));
    await writeDocuments(job, [prepared('a.md', 'Here is\nthe mole.\n')]);
    const now = prepared('a.md', 'Once more:\nhere is\nthe mole.\n', true);
    await writeDocuments(job, [now]);
    assert.deepEqual(
      now.write.chunks.flatMap(({ entities = [] }) =>
        entities.map(({ name, startLine }) => [name, startLine]),
      ),
      [['Mole', 3]],
    );
    const other = prepared('a.md', 'the mole.\n', false);
    await writeDocuments(job, [other]);
    assert.equal(other.write.chunks[0]!.entities, undefined, 'a new document takes over nothing');
  });
});

describe('a cancelled call', () => {
  it('asks for nothing and writes nothing', async () => {
    const annotator = annotatorOf(() => assert.fail('must not be asked'));
    const { job, log } = writing({ annotator, call: localCall({ signal: AbortSignal.abort() }) });
    await assert.rejects(writeDocuments(job, [prepared('a.md', 'a\n')]), { code: 'CANCELLED' });
    assert.deepEqual(log, []);
  });

  it('writes nothing that was being prepared', async () => {
    const stop = new AbortController();
    const annotator = annotatorOf(() => Promise.resolve(stop.abort()));
    const { job, log } = writing({ annotator, call: localCall({ signal: stop.signal }) });
    await assert.rejects(writeDocuments(job, [prepared('a.md', 'a\n')]), { code: 'CANCELLED' });
    assert.deepEqual(log, []);
  });
});

it('a quarter of a million characters are handed in together, and then others have their turn', async () => {
  const { job, store } = writing();
  const replace = store.documents.replace.bind(store.documents);
  let turns = 0;
  const seen: string[] = [];
  store.documents.replace = (write: DocumentWrite) => {
    seen.push(`${write.info.path} ${turns}`);
    if (write.info.path !== 'b') setImmediate(() => (turns += 1));
    return replace(write);
  };
  const documents = [125_000, 124_999, 1, 249_999, 1].map((size, at) =>
    prepared('abcde'[at]!, 'x'.repeat(size)),
  );
  await writeDocuments(job, documents);
  assert.deepEqual(seen, ['a 0', 'b 0', 'c 0', 'd 2', 'e 2']);
});
