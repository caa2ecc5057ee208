// What a caller opens by name, over texts in memory.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { open, type OpenRequest } from '../../../src/engine/cite/open.ts';
import { textStore, type Texts } from './text-store.ts';

const GUIDE = '# Guide\n\nfirst\n\n## Use\n\nsecond\n';
const TEXTS: Texts = {
  docs: { 'a/guide.md': GUIDE, 'b.md': 'one line\n' },
  single: { '': GUIDE },
  many: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`${1000 + at}.md`, 'x\n'])),
  deep: Object.fromEntries(
    ['a.md', ...Array.from({ length: 101 }, (_, at) => `sub/${1000 + at}.md`), 'sub2/b.md'].map((path) => [
      path,
      'x\n',
    ]),
  ),
};

async function opened(target: string, request: Partial<OpenRequest> = {}) {
  const { deps, asked } = textStore(TEXTS);
  const answer = await open(deps, localCall(), { target, ...request });
  return { answer, asked };
}

async function text(target: string, view?: OpenRequest['view']) {
  const { answer } = await opened(target, view ? { view } : {});
  assert.equal(answer.kind, 'text');
  const { snippets, notices } = 'read' in answer ? answer.read : { snippets: [], notices: [] };
  assert.deepEqual(notices, []);
  return snippets.map(({ content }) => content);
}

describe('a collection', () => {
  it('is its documents, a hundred at a time', async () => {
    const { answer } = await opened('many');
    assert.ok(answer.kind === 'documents');
    assert.deepEqual([answer.database, answer.collection], ['vai', 'many']);
    assert.deepEqual([answer.documents.length, answer.next], [100, '1099.md']);
    const { answer: rest } = await opened('many', { cursor: '1099.md' });
    assert.ok(rest.kind === 'documents');
    assert.deepEqual([rest.documents.map(({ path }) => path), rest.next], [['1100.md'], undefined]);
    assert.equal((await opened('docs', { view: 'document' })).answer.kind, 'documents');
  });

  it('lists what is in one of its folders, also page by page', async () => {
    const paths = async (target: string, cursor?: string) => {
      const { answer } = await opened(target, { cursor });
      assert.ok(answer.kind === 'documents');
      return [answer.documents.map(({ path }) => path), answer.next];
    };
    for (const folder of ['docs/a', 'docs/a/'])
      assert.deepEqual(await paths(folder), [['a/guide.md'], undefined]);
    const [first, next] = await paths('deep/sub');
    assert.deepEqual([first?.length, next], [100, 'sub/1099.md']);
    assert.deepEqual(await paths('deep/sub', 'sub/1099.md'), [['sub/1100.md'], undefined]);
    for (const target of ['docs/a/g', 'docs/none', 'docs/a:1'])
      await assert.rejects(opened(target), { code: 'DOCUMENT_NOT_FOUND' }, target);
  });

  it('of one document is that document', async () => {
    assert.deepEqual(await text('single'), [GUIDE.trimEnd()]);
  });

  it('whose lines are cited without a path must be one document', async () => {
    assert.deepEqual(await text('single:3'), ['first']);
    await assert.rejects(opened('docs:3'), { code: 'DOCUMENT_NOT_FOUND' });
  });
});

describe('a document', () => {
  it('is its whole text, or what the view says', async () => {
    assert.deepEqual(await text('docs/a/guide.md'), [GUIDE.trimEnd()]);
    assert.deepEqual(await text('docs/b.md'), ['one line']);
    assert.deepEqual(await text('docs/b.md', 'section'), ['one line']);
    const { answer } = await opened('docs/a/guide.md', { view: 'outline' });
    assert.ok(answer.kind === 'outline');
    assert.deepEqual(
      answer.headings.map(({ text: heading }) => heading),
      ['Guide', 'Use'],
    );
    assert.equal(answer.document.path, 'a/guide.md');
  });

  it('that is not there is an error with the nearest names', async () => {
    await assert.rejects(opened('docs/c.md'), { code: 'DOCUMENT_NOT_FOUND', suggestions: ['docs/b.md'] });
    await assert.rejects(opened('nowhere/c.md'), { code: 'COLLECTION_NOT_FOUND' });
    await assert.rejects(opened('a/guide.md'), { suggestions: ['docs/a/guide.md'] });
    await assert.rejects(opened('/etc/passwd'), { code: 'INVALID_CITATION' });
  });
});

describe('a citation', () => {
  it('is its lines, their section or the whole document', async () => {
    assert.deepEqual(await text('docs/a/guide.md:7'), ['second']);
    assert.deepEqual(await text('docs/a/guide.md:7', 'lines'), ['second']);
    assert.deepEqual(await text('docs/a/guide.md:7', 'section'), ['## Use\n\nsecond']);
    assert.deepEqual(await text('docs/a/guide.md:7', 'document'), [GUIDE.trimEnd()]);
  });

  it('past the end is an error', async () => {
    await assert.rejects(opened('docs/b.md:2'), { code: 'INVALID_CITATION' });
  });
});

it('is looked for in the database that was named', async () => {
  assert.deepEqual((await opened('docs/b.md:1')).asked.databases, ['vai', 'vai']);
  assert.deepEqual((await opened('docs/b.md:1', { db: 'team' })).asked.databases, ['team', 'team']);
});
