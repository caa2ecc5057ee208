import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BLOCK_PROFILE } from '../../../src/domain/chunk.ts';
import { assemble, INDEX_VERSION, prepareDocument } from '../../../src/engine/index/prepare.ts';
import type { DocumentInput } from '../../../src/engine/index/types.ts';
import { analyse } from '../../../src/engine/text/analyse.ts';
import type { TextWorker } from '../../../src/ports/worker.ts';

const inputOf = (text: string, more: Partial<DocumentInput> = {}): DocumentInput => ({
  ...{ collection: 'docs', path: 'guide/a.md', read: { text, syntax: 'markdown' } },
  ...{ fetchedAt: 'now', profile: BLOCK_PROFILE },
  ...more,
});
const preparedOf = (text: string, more: Partial<DocumentInput> = {}) => {
  const input = inputOf(text, more);
  return assemble(input, analyse({ read: input.read, profile: input.profile }));
};

it('a document is recorded with what is known of it, and no more', () => {
  const { info } = preparedOf('# Ü\n\ntext\n').write;
  const { sha256, ...record } = info;
  assert.match(sha256, /^[0-9a-f]{64}$/);
  assert.deepEqual(record, {
    ...{ collection: 'docs', path: 'guide/a.md', title: 'Ü', bytes: 11, lines: 3, headings: 1, chunks: 1 },
    ...{ metadata: {}, fetchedAt: 'now', indexedWith: { version: INDEX_VERSION, chunking: BLOCK_PROFILE } },
  });
});

it('what its caller and its reader say comes along', () => {
  const event = { at: 'now', collection: 'docs', path: 'guide/a.md', result: 'added' } as const;
  const { info, event: recorded } = preparedOf('text\n', {
    ...{ rawSha256: 'raw', bytes: 99, origin: 'https://docs.example', folder: 'stamp' },
    ...{ metadata: { a: 1 }, event },
    read: { text: 'text\n', syntax: 'markdown', metadata: { a: 0, b: 2 } },
  }).write;
  const { rawSha256, bytes, origin, metadata, indexedWith } = info;
  assert.deepEqual(
    [rawSha256, bytes, origin, indexedWith!.folder],
    ['raw', 99, 'https://docs.example', 'stamp'],
  );
  assert.deepEqual([metadata, recorded], [{ a: 1, b: 2 }, event]);
  const { write } = preparedOf('text\n');
  assert.ok(!('event' in write));
  for (const key of ['origin', 'rawSha256', 'partial']) assert.ok(!(key in write.info), key);
});

it('a text without headings is called by its file and has none', () => {
  const { info, chunks } = preparedOf('just text\n').write;
  assert.deepEqual([info.title, info.headings, chunks.length], ['a.md', 0, 1]);
});

it('what is embedded of a chunk begins with where it stands', () => {
  const text = '# Guide\n\nOurs.\n\n## Use\n\nCall it.\n';
  assert.deepEqual(preparedOf(text).texts.at(-1), 'Guide > Use\n## Use\n\nCall it.');
  assert.deepEqual(preparedOf('just text\n').texts, ['just text']);
  const prepared = preparedOf(text);
  assert.equal(prepared.texts, prepared.texts, 'made once');
});

it('source code is found by the words of its names', () => {
  const symbols = { definitions: [], names: [] } as unknown as NonNullable<DocumentInput['read']['symbols']>;
  const read = { text: 'call()\n', syntax: 'markdown' as const };
  const analysis = analyse({ read, profile: BLOCK_PROFILE });
  assert.equal(assemble(inputOf('', { read }), analysis).write.chunks[0]!.words, undefined);
  const code = assemble(inputOf('', { read: { ...read, symbols } }), analysis);
  assert.ok(code.write.chunks[0]!.words);
});

it('the worker is given the text, its title and the most chunks', async () => {
  const asked: unknown[] = [];
  const worker = {
    analyse(...given: Parameters<TextWorker['analyse']>) {
      asked.push(given[0].title, given[0].maxChunks, given[0].read.text);
      return Promise.resolve(analyse(given[0]));
    },
  } as unknown as TextWorker;
  const { write } = await prepareDocument(worker, {}, inputOf('text\n', { title: 'Named', maxChunks: 5 }));
  assert.deepEqual([asked, write.info.title], [['Named', 5, 'text\n'], 'Named']);
});
