// Reading citations, over texts in memory: what is returned, what is told, and what fits into an answer.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { jsonLength } from '../../../src/engine/cite/budget.ts';
import { readCitations } from '../../../src/engine/cite/read.ts';
import type { ReadRequest, Snippet } from '../../../src/engine/cite/types.ts';
import { RESULT_BUDGET, sha256, textStore, type Texts } from './text-store.ts';

const GUIDE = '# Guide\n\nfirst\n\n## Use\n\nsecond\n';
const rev = (text: string): string => sha256(text).slice(0, 8);

function read(texts: Texts, citations: string[], request: Partial<ReadRequest> = {}, archive: string[] = []) {
  const { deps } = textStore(texts, archive);
  return readCitations(deps, localCall(), { citations, ...request });
}
const guide = (citations: string[], request: Partial<ReadRequest> = {}) =>
  read({ docs: { 'guide.md': GUIDE } }, citations, request);

describe('citations', () => {
  it('are returned with everything needed to cite them again', async () => {
    const { snippets, notices, failed } = await guide(['docs/guide.md:7']);
    assert.deepEqual([notices, failed], [[], []]);
    assert.deepEqual(snippets, [
      {
        citation: `docs/guide.md:7@${rev(GUIDE)}`,
        collection: 'docs',
        path: 'guide.md',
        range: { start: 7, end: 7 },
        content: 'second',
        headingPath: ['Guide', 'Use'],
        sha256: sha256(GUIDE),
        fetchedAt: '2026-03-01',
      },
    ]);
  });

  it('that are wrong let others of this process go on in between', async () => {
    let turns = 0;
    let timer = setImmediate(function turn() {
      turns += 1;
      timer = setImmediate(turn);
    });
    const { failed } = await guide(Array.from({ length: 20 }, (_, at) => `docs/no-${at}.md:1`));
    clearImmediate(timer);
    assert.equal(failed.length, 20);
    assert.ok(turns >= 19, `${turns} turns of the event loop`);
  });

  it('come one for each range, in the order asked, from one read', async () => {
    const { deps, asked } = textStore({ docs: { 'guide.md': GUIDE } });
    const citations = ['docs/guide.md:7,3', 'docs/guide.md:1'];
    const { snippets } = await readCitations(deps, localCall(), { citations });
    assert.deepEqual(
      snippets.map(({ content }) => content),
      ['second', 'first', '# Guide'],
    );
    assert.deepEqual([asked.lines, asked.headings], [1, ['guide.md']]);
  });

  it('are widened to what was asked for, which is told beside it', async () => {
    const requested = { start: 7, end: 7 };
    const [section] = (await guide(['docs/guide.md:7'], { mode: 'symmetric' })).snippets;
    assert.deepEqual([section!.range, section!.requested], [{ start: 5, end: 7 }, requested]);
    const [padded] = (await guide(['docs/guide.md:6'], { padding: 1 })).snippets;
    assert.deepEqual(
      [padded!.range, padded!.requested],
      [
        { start: 5, end: 7 },
        { start: 6, end: 6 },
      ],
    );
    const [above] = (await guide(['docs/guide.md:7'], { padding: 1 })).snippets;
    assert.deepEqual([above!.range, above!.requested], [{ start: 6, end: 7 }, requested]);
    const [below] = (await guide(['docs/guide.md:1'], { padding: 1 })).snippets;
    assert.deepEqual(
      [below!.range, below!.requested],
      [
        { start: 1, end: 2 },
        { start: 1, end: 1 },
      ],
    );
  });

  it('say that padding means nothing with the whole section, and only then', async () => {
    const codes = async (request: Partial<ReadRequest>) =>
      (await guide(['docs/guide.md:7'], request)).notices.map(({ code }) => code);
    assert.deepEqual(await codes({ mode: 'all', padding: 0 }), ['padding_ignored']);
    assert.deepEqual(await codes({ mode: 'all' }), []);
    assert.deepEqual(await codes({ mode: 'symmetric', padding: 2 }), []);
  });

  it('past the end fail alone, and those that reach past it are shortened', async () => {
    const { snippets, notices, failed } = await guide(['docs/guide.md:8,7', 'docs/guide.md:6-7', 'bad']);
    assert.deepEqual(
      snippets.map(({ content }) => content),
      ['second', '\nsecond'],
    );
    assert.deepEqual(notices, []);
    assert.deepEqual(
      failed.map(({ citation, error }) => [citation, error.message]),
      [
        ['docs/guide.md:8,7', '`docs/guide.md` has 7 lines; line 8 is past its end.'],
        ['bad', '`bad` is not a citation.'],
      ],
    );
    const long = await guide(['docs/guide.md:7-8']);
    assert.deepEqual(long.snippets[0]!.range, { start: 7, end: 7 });
    assert.deepEqual(long.notices, [
      {
        code: 'clamped',
        message: '`docs/guide.md` has 7 lines; read 7-8 as 7-7.',
        citation: 'docs/guide.md:7-8',
        alias: 'docs/guide.md',
      },
    ]);
  });

  it('are a hundred at most', async () => {
    const citations = Array.from({ length: 100 }, () => 'docs/guide.md:3');
    assert.equal((await guide(citations, { budget: 100_000 })).snippets.length, 100);
    await assert.rejects(guide([...citations, 'docs/guide.md:3']), {
      code: 'INVALID_INPUT',
      message: 'At most 100 citations are read in one call.',
    });
  });

  it('are not read once the call is cancelled', async () => {
    const { deps, asked } = textStore({ docs: { 'guide.md': GUIDE } });
    const call = localCall({ signal: AbortSignal.abort() });
    const request = { citations: ['docs/guide.md:3'] };
    await assert.rejects(readCitations(deps, call, request), { code: 'CANCELLED' });
    assert.equal(asked.lines, 0);
  });
});

describe('citations of an older text', () => {
  const now = `new\n${GUIDE.replace('## Use\n\nsecond\n', '')}`;
  const old = (lines: string, request: Partial<ReadRequest> = {}) =>
    read({ docs: { 'guide.md': now } }, [`docs/guide.md:${lines}@${rev(GUIDE)}`], request, [GUIDE]);

  it('are followed to where their lines are now', async () => {
    const { snippets, notices } = await old('3');
    const [snippet] = snippets;
    assert.deepEqual([snippet!.content, snippet!.status], ['first', 'moved']);
    assert.deepEqual(
      [snippet!.range, snippet!.requested],
      [
        { start: 4, end: 4 },
        { start: 3, end: 3 },
      ],
    );
    assert.equal(snippet!.citation, `docs/guide.md:4@${rev(now)}`);
    assert.deepEqual(
      notices.map(({ code, citation }) => [code, citation]),
      [['remapped', `docs/guide.md:3@${rev(GUIDE)}`]],
    );
  });

  it('whose lines are gone are read from the archive, exactly', async () => {
    const { snippets, notices, failed } = await old('7-9,8', { padding: 3 });
    assert.equal(snippets.length, 1);
    assert.equal(snippets[0]!.content, 'second');
    assert.equal(snippets[0]!.status, 'gone');
    assert.equal(snippets[0]!.citation, `docs/guide.md:7@${rev(GUIDE)}`);
    assert.deepEqual(snippets[0]!.headingPath, []);
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['stale_citation', 'clamped', 'stale_citation'],
    );
    assert.deepEqual(
      failed.map(({ error }) => error.message),
      ['`docs/guide.md` has 7 lines; line 8 is past its end.'],
    );
  });
});

describe('an answer', () => {
  const rows = Array.from({ length: 20 }, (_, at) => `row ${at + 1} "quoted"`);
  const texts: Texts = { docs: { 'rows.md': rows.join('\n') }, wide: { '': `${'x'.repeat(3000)}\nnarrow` } };
  /** What a snippet takes: its text and its frame as JSON, and some room for what a toolset adds. */
  const size = (snippet: Snippet): number =>
    JSON.stringify({ ...snippet, content: '' }).length + 120 + jsonLength(snippet.content);

  it('holds what fits into its budget, to the character', async () => {
    const citations = ['docs/rows.md:1-4', 'docs/rows.md:11-16'];
    const { snippets } = await read(texts, citations);
    const budget = size(snippets[0]!) + size(snippets[1]!);
    const exact = await read(texts, citations, { budget });
    assert.deepEqual(exact.snippets, snippets);
    assert.deepEqual(exact.notices, []);
    const { snippets: less, notices } = await read(texts, citations, { budget: budget - 1 });
    assert.deepEqual(less[0], snippets[0]);
    assert.deepEqual([less[1]!.range, less[1]!.truncated], [{ start: 11, end: 15 }, true]);
    assert.equal(less[1]!.content, rows.slice(10, 15).join('\n'));
    assert.equal(less[1]!.citation, `docs/rows.md:11-15@${rev(rows.join('\n'))}`);
    assert.equal(less[1]!.next, `docs/rows.md:16@${rev(rows.join('\n'))}`);
    assert.deepEqual(less[1]!.requested, { start: 11, end: 16 });
    assert.deepEqual(notices, []);
  });

  it('leaves out what has no room at all, and goes on with what has', async () => {
    const citations = ['docs/rows.md:1-4', 'wide:1', 'docs/rows.md:5'];
    const { snippets } = await read(texts, ['docs/rows.md:1-4', 'docs/rows.md:5']);
    const budget = size(snippets[0]!) + size(snippets[1]!);
    const tight = await read(texts, citations, { budget });
    assert.deepEqual(tight.snippets, snippets);
    assert.deepEqual(tight.notices, [
      {
        code: 'budget',
        message: 'This citation did not fit into the answer; request it on its own.',
        citation: 'wide:1',
      },
    ]);
  });

  it('begins a line that is too long for it, and says where to go on', async () => {
    const { snippets, notices } = await read(texts, ['wide:1-2'], { budget: 1000 });
    const [snippet] = snippets;
    assert.ok(size(snippet!) <= 1000 + 80 && snippet!.content.length > 300);
    assert.match(snippet!.content, /^x+$/);
    assert.deepEqual([snippet!.range, snippet!.truncated], [{ start: 1, end: 1 }, true]);
    assert.match(snippet!.next!, /^wide:2@/);
    assert.deepEqual(notices, [
      {
        code: 'long_line',
        message: 'Line 1 is longer than an answer can be; only its beginning is shown.',
        citation: 'wide:1-2',
      },
    ]);
    const [alone] = (await read(texts, ['wide:1'], { budget: 1000 })).snippets;
    assert.equal(alone!.next, undefined, 'nothing follows');
  });

  it('with no room at all still names what was asked for', async () => {
    const { snippets, notices } = await read({ docs: { 'a.md': 'x' } }, ['docs/a.md:1'], { budget: 0 });
    assert.deepEqual([snippets[0]!.content, snippets[0]!.truncated], ['', true]);
    assert.equal(notices[0]!.code, 'long_line');
  });

  it('is as large as the server allows when the call does not say', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => `line ${at}`).join('\n');
    const { snippets } = await read({ docs: { 'a.md': many } }, ['docs/a.md:1-1000']);
    const taken = size(snippets[0]!);
    assert.ok(taken > RESULT_BUDGET - 100 && taken < RESULT_BUDGET + 100, String(taken));
  });

  it('goes on with the rest of a long section, cut or not', async () => {
    const section = ['# T', ...Array.from({ length: 499 }, (_, at) => `line ${at + 2}`)].join('\n');
    const at = (lines: string, budget: number) =>
      read({ docs: { 'a.md': section } }, [`docs/a.md:${lines}`], { mode: 'symmetric', budget });
    const places = ({ snippets }: { snippets: Snippet[] }) => [
      snippets[0]!.range,
      snippets[0]!.truncated,
      snippets[0]!.next,
    ];
    const hash = rev(section);
    assert.deepEqual(places(await at('100', 50_000)), [
      { start: 1, end: 200 },
      true,
      `docs/a.md:201-500@${hash}`,
    ]);
    assert.deepEqual(places(await at('500', 50_000)), [
      { start: 301, end: 500 },
      true,
      `docs/a.md:1-300@${hash}`,
    ]);
    const cut = await at('100', 1000);
    const { end } = cut.snippets[0]!.range;
    assert.ok(end > 1 && end < 200);
    assert.equal(cut.snippets[0]!.next, `docs/a.md:${end + 1}-500@${hash}`);
    const last = await at('500', 1000);
    assert.equal(last.snippets[0]!.next, `docs/a.md:${last.snippets[0]!.range.end + 1}-500@${hash}`);
  });
});
