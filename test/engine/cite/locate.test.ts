// From a citation to its document, over texts in memory.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { locate } from '../../../src/engine/cite/locate.ts';
import type { CiteNotice } from '../../../src/engine/cite/types.ts';
import { sha256, textStore, type Texts } from './text-store.ts';

const TEXTS: Texts = {
  docs: { 'guide.md': '# Guide\n\ntext\n', 'other.md': 'other\n' },
  Single: { 'readme.md': 'alone\n' },
  empty: {},
};

async function located(input: string, texts = TEXTS, past: Record<string, string> = {}) {
  const { store, visible } = textStore(texts, [], past);
  const notices: CiteNotice[] = [];
  const { info, citation } = await locate(store, visible, input, notices);
  return { path: info.path, ranges: citation.ranges, notices };
}

describe('a citation', () => {
  it('names a collection and a document', async () => {
    assert.deepEqual(await located('docs/guide.md:1-3'), {
      path: 'guide.md',
      ranges: [{ start: 1, end: 3 }],
      notices: [],
    });
  });

  it('of a collection in other letters, or with odd lines, is read and told', async () => {
    assert.deepEqual((await located('DOCS/other.md:1')).notices, [
      { code: 'alias_case', message: 'Read `DOCS` as `docs`.', citation: 'DOCS/other.md:1', alias: 'docs' },
    ]);
    assert.deepEqual((await located('docs/other.md:0')).notices, [
      {
        code: 'citation_tidied',
        message: 'Lines are counted from 1; line 0 was read as 1.',
        citation: 'docs/other.md:0',
      },
    ]);
  });

  it('needs no path where the collection is one document', async () => {
    assert.equal((await located('Single:1')).path, 'readme.md');
    await assert.rejects(located('docs:1'), {
      code: 'DOCUMENT_NOT_FOUND',
      message: '`docs` holds 2 documents; the citation must name one.',
    });
    await assert.rejects(located('empty:1'), { message: /holds 0 documents/ });
    await assert.rejects(located('Single/other.md:1'), { code: 'DOCUMENT_NOT_FOUND' });
  });

  it('of what is not there is answered with the nearest names', async () => {
    await assert.rejects(located('dcos/guide.md:1'), { code: 'COLLECTION_NOT_FOUND', suggestions: ['docs'] });
    await assert.rejects(located('docs/giude.md:1'), {
      code: 'DOCUMENT_NOT_FOUND',
      message: '`docs` has no document `giude.md`.',
      hint: 'Did you mean `docs/guide.md`?',
      suggestions: ['docs/guide.md'],
    });
    await assert.rejects(located('docs/nothing-like-it:1'), {
      hint: 'Write docs/<path>:start-end with the path of a hit.',
      suggestions: [],
    });
    await assert.rejects(located(`docs/${'x'.repeat(300)}:1`), {
      message: `\`docs\` has no document \`${'x'.repeat(200)}\`.`,
    });
  });

  it('that is pinned is followed to the new name of its document, also by an older text of it', async () => {
    const pinned = (path: string, text: string): string => `docs/${path}:1@${sha256(text).slice(0, 8)}`;
    const citation = pinned('old.md', 'other\n');
    assert.deepEqual(await located(citation), {
      path: 'other.md',
      ranges: [{ start: 1, end: 1 }],
      notices: [{ code: 'renamed', message: '`old.md` is now `other.md`.', citation }],
    });
    const past = { 'other.md': 'before\n' };
    assert.equal((await located(pinned('old.md', 'before\n'), TEXTS, past)).path, 'other.md');
    // Another document has the old name now.
    assert.equal((await located(pinned('guide.md', 'before\n'), TEXTS, past)).path, 'other.md');
    assert.deepEqual((await located(pinned('other.md', 'before\n'), TEXTS, past)).notices, []);
    assert.equal((await located(pinned('guide.md', 'a text nobody has'), TEXTS, past)).path, 'guide.md');
    await assert.rejects(located(pinned('old.md', 'a text nobody has'), TEXTS, past), {
      code: 'DOCUMENT_NOT_FOUND',
    });
    await assert.rejects(located(`docs:1@${sha256('other\n').slice(0, 8)}`), { message: /must name one/ });
    const copies = { docs: { 'a.md': 'x\n', 'b/guide.md': 'x\n' } };
    assert.equal((await located(pinned('guide.md', 'x\n'), copies)).path, 'b/guide.md');
  });

  it('of a text that its document had before looks through no collection', async () => {
    const { store, visible, asked } = textStore(TEXTS, [], { 'guide.md': 'before\n' });
    for (const text of ['before\n', '# Guide\n\ntext\n', 'a text nobody has'])
      await locate(store, visible, `docs/guide.md:1@${sha256(text).slice(0, 8)}`, []);
    assert.equal(asked.pathsOf, 1);
  });

  it('of a path alone is answered with the collections that hold it', async () => {
    await assert.rejects(located('guide.md:1'), {
      code: 'COLLECTION_NOT_FOUND',
      hint: 'Did you mean `docs/guide.md`?',
      suggestions: ['docs/guide.md'],
    });
    await assert.rejects(located('sub/page.md:1', { ...TEXTS, more: { 'sub/page.md': 'x' } }), {
      suggestions: ['more/sub/page.md'],
    });
  });

  it('is compared with the names of ten thousand documents', async () => {
    const many = (count: number): Texts => ({
      docs: Object.fromEntries([
        ...Array.from({ length: count - 1 }, (_, at) => [`${at}`.padStart(9, '0'), 'x\n']),
        ['zzz-guide.md', 'x\n'],
      ]),
    });
    await assert.rejects(located('docs/zzz-giude.md:1', many(10_000)), {
      suggestions: ['docs/zzz-guide.md'],
    });
    await assert.rejects(located('docs/zzz-giude.md:1', many(10_001)), { suggestions: [] });
  });
});
