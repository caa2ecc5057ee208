// Pages and sections that are asked for by name, through the whole engine.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { subjectsOf } from '../../../src/domain/subject.ts';
import { byName, pagesNamed } from '../../../src/engine/search/named.ts';
import type { Candidate } from '../../../src/engine/search/rerank.ts';
import type { Store, StoredChunk } from '../../../src/ports/store.ts';
import type { SearchRequest } from '../../../src/engine/search/types.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const chunk = (path: string, title: string, more: object = {}): StoredChunk =>
  ({ id: path, path, title, text: '', headingPath: [], startLine: 1, block: { start: 1, end: 9 }, ...more }) as unknown as StoredChunk; // prettier-ignore

async function named(question: string, chunks: StoredChunk[]) {
  const asked: { limit: number }[] = [];
  const search = {
    pages: (request: { limit: number }) => {
      asked.push(request);
      return Promise.resolve(chunks.map(({ id }) => id));
    },
    chunks: (ids: string[]) =>
      ids.length === 0 ? Promise.reject(new Error('none')) : Promise.resolve(chunks),
  };
  const pages = await pagesNamed({ search } as unknown as Store, subjectsOf(question), {});
  return { asked, pages: pages.map(({ chunk: { path }, rank }) => `${path} ${rank}`) };
}

describe('how exactly a page is called so', () => {
  it('as it is written, else by the same word, else by a part of its title; each better at its own address', async () => {
    const pages = [
      chunk('x/other.md', 'Winches'),
      chunk('winches.md', 'Winches'),
      chunk('x/any.md', 'Winch'),
      chunk('x/winch/index.md', 'winch '),
    ];
    const { pages: found, asked } = await named('what is a winch', pages);
    assert.deepEqual(found, ['x/winch/index.md 0', 'x/any.md 1', 'winches.md 2', 'x/other.md 3']);
    assert.deepEqual(asked.map(({ limit }) => limit), [50]); // prettier-ignore
  });

  it('a part of a title counts where no whole title is, and so does the first heading', async () => {
    const part = chunk('pump.md', 'About the bilge pump');
    assert.deepEqual((await named('bilge pump', [part])).pages, ['pump.md 5']);
    assert.deepEqual((await named('BP', [chunk('bp.md', 'About the bilge pump (BP)')])).pages, ['bp.md 4']);
    const whole = chunk('x.md', 'Bilge pumps');
    assert.deepEqual((await named('bilge pump', [part, whole])).pages, ['x.md 3']);
    const headed = chunk('x.md', 'Notes', { headingPath: ['Bilge pump', 'Care'] });
    assert.deepEqual((await named('bilge pump', [headed])).pages, ['x.md 1']);
    assert.deepEqual((await named('care', [headed])).pages, [], 'not the second');
  });

  it('ten are put first, and nothing is asked where there is no name or no page', async () => {
    const many = Array.from({ length: 12 }, (_, at) => chunk(`p${at}.md`, 'Winch'));
    assert.equal((await named('winch', many)).pages.length, 10);
    assert.deepEqual(await named('', many), { asked: [], pages: [] });
    assert.deepEqual((await named('winch', [])).pages, []);
  });

  it('sections called so come first with the highest score, never code nor the middle of one', () => {
    const candidates = [
      chunk('a', 'A', { headingPath: ['Part', 'Sail'] }),
      chunk('b', 'B', { headingPath: ['Part', 'Halyard'] }),
      chunk('c', 'C', { headingPath: ['Halyard', 'Care'] }),
      chunk('d', 'D', { headingPath: ['Halyard'], startLine: 5 }),
      chunk('e', 'E', { headingPath: ['Halyard'], defines: [] }),
      chunk('f', 'F', { headingPath: ['Halyard'] }),
    ].map((one) => ({ chunk: one, score: 0.5 })) as unknown as Candidate[];
    const shown = (question: string): string[] =>
      byName(candidates, subjectsOf(question), []).map(({ chunk: { path }, score }) => `${path} ${score}`);
    assert.deepEqual(shown('what is a halyard'), ['b 1', 'f 1', 'a 0.5', 'c 0.5', 'd 0.5', 'e 0.5']);
    assert.deepEqual(shown('mast'), ['a 0.5', 'b 0.5', 'c 0.5', 'd 0.5', 'e 0.5', 'f 0.5']);
    const pages = [{ chunk: candidates[3]!.chunk, rank: 1 }, { chunk: candidates[0]!.chunk, rank: 0 }]; // prettier-ignore
    assert.deepEqual(byName(candidates, [], pages).map(({ chunk: { path } }) => path).join(''), 'adbcef'); // prettier-ignore
  });

  it('the best passage of a page rises whose title shares most words with the question', () => {
    const candidates = [
      chunk('mast', 'Spars', { headingPath: ['Reef the sail'] }),
      chunk('code', 'Reef sail', { defines: [] }),
      chunk('other', 'Sail'),
      chunk('near', 'Safely reefing a sail'),
      chunk('near', 'Safely reefing a sail', { id: 'later', headingPath: ['In a gale'] }),
      chunk('far', 'Reef anchors, moorings and every other sail'),
    ].map((one, at) => ({ chunk: one, score: 1 - at / 10 })) as unknown as Candidate[];
    const shown = (question: string): string[] =>
      byName(candidates, subjectsOf(question), []).map(
        ({ chunk: { id }, score }) => `${id} ${score.toFixed(2)}`,
      );
    // 'other' has one of two words, 'near' two of three: 2/3 and 4/5 of .6 are added, and 1 is the most.
    const raised = ['other 1.00', 'near 1.00', 'mast 1.00', 'code 0.90', 'later 0.60', 'far 0.50'];
    assert.deepEqual(shown('how to reef sails'), raised);
    const asTheyWere = ['mast 1.00', 'code 0.90', 'other 0.80', 'near 0.70', 'later 0.60', 'far 0.50'];
    assert.deepEqual(shown('which anchors hold in mud'), asTheyWere);
  });

  it('no page of a like title passes a section that is called so', () => {
    const section = chunk('words.md', 'Words', { headingPath: ['Words', 'Bilge pump'], startLine: 4, block: { start: 4, end: 6 } }); // prettier-ignore
    const candidates = [chunk('tabs.md', 'Bilge pump tabs'), section].map((one, at) => ({ chunk: one, score: 1 - at / 2 }) as Candidate); // prettier-ignore
    const shown = byName(candidates, subjectsOf('what is a bilge pump'), []);
    assert.deepEqual(shown.map(({ chunk: { path }, asked }) => [path, asked]), [['words.md', true], ['tabs.md', undefined]]); // prettier-ignore
  });

  it('what lies in a folder that the question names rises, unless the title says so too', () => {
    const candidates = [
      chunk('boats/dinghy/rig.md', 'Rigging in general'),
      chunk('small-boats/rig.md', 'Rigging in general'),
      chunk('yacht/rig.md', 'Rigging the yacht and its tender'),
      chunk('boats/yacht/rig.md', 'Rigging in general'),
      chunk('yacht.md', 'Rigging in general'),
      chunk('yacht/rig.ts', 'rig.ts', { defines: [] }),
    ].map((one, at) => ({ chunk: one, score: 0.9 - at / 10 })) as unknown as Candidate[];
    const shown = byName(candidates, subjectsOf('how do I tune the shrouds of a yacht'), []);
    assert.deepEqual(
      shown.map(({ chunk: { path }, score }) => `${path} ${score.toFixed(1)}`),
      ['boats/dinghy/rig.md 0.9', 'small-boats/rig.md 0.8', 'boats/yacht/rig.md 0.8', 'yacht/rig.md 0.7', 'yacht.md 0.5', 'yacht/rig.ts 0.4'], // prettier-ignore
    );
  });
});

const call = localCall();
let temp: TempEngine;

before(async () => {
  temp = await tempEngine();
  const files: Record<string, string> = {
    'concepts/winch.md': '# Winch\n\nA drum that takes in a line.\n\n## Care\n\nGrease it in spring.',
    'api/winch-v1.md': '# Winch\n\nwinch winch winch fields of the record winch',
    'tasks/winches.md': '# Winches\n\nSome boats have four.',
    'tasks/use.md': '# Work a winch\n\nwinch winch winch winch winch: turn the winch handle, mind the winch.',
    'glossary.md': '# Glossary\n\nTerms.\n\n## Halyard\n\nHoists a sail.\n\n## Sheet\n\nTrims a sail.',
    'rigging.md': '# Rigging\n\nhalyard halyard halyard and the halyard again, halyard by halyard',
    'knots.md':
      '# Knots\n\nTied in lines.\n\n## Bends\n\n### Carrick\n\nJoins two lines.\n\n### Figure\n\nBends, bends.',
    'about.md': '# About the bilge pump (BP)\n\nIt pumps.',
  };
  for (const [source, text] of Object.entries(files))
    await temp.engine.ingest.text(call, { collection: 'boat', source, text, chunk: { strategy: 'blocks', size: 1500, overlap: 0 } }); // prettier-ignore
});
after(() => temp.close());

const places = async (query: string, more: Partial<SearchRequest> = {}): Promise<string[]> => {
  const { hits } = await temp.engine.search.run(call, { query, limit: 5, mode: 'hybrid', ...more });
  return hits.map(({ path, lines }) => `${path}:${lines.start}`);
};

describe('a page asked for by its name', () => {
  for (const rerank of [false, true])
    for (const query of ['winch', 'what is a winch', 'explain the Winch', 'how does a winch work?'])
      it(`${query}${rerank ? ', reranked' : ''}: its beginning, the page of that address first`, async () => {
        const [first, second, third] = await places(query, { rerank });
        assert.deepEqual([first, second, third], ['concepts/winch.md:1', 'api/winch-v1.md:1', 'tasks/winches.md:1']); // prettier-ignore
      });

  it('the plural of the question prefers the plural of a title', async () => {
    assert.equal((await places('what are winches'))[0], 'tasks/winches.md:1');
  });

  it('is found by a title without its asking words and by its abbreviation', async () => {
    for (const query of ['what is a bilge pump', 'what does BP mean'])
      assert.equal((await places(query))[0], 'about.md:1', query);
  });

  it('comes first also where no retriever found it', async () => {
    assert.equal((await places('about the bilge pump (BP)', { mode: 'meaning' }))[0], 'about.md:1');
  });

  it('obeys the filter, and words are searched as they were typed', async () => {
    const [first] = await places('winch', { filter: { source: { $ne: 'concepts/winch.md' } } });
    assert.equal(first, 'api/winch-v1.md:1');
    assert.equal((await places('winch', { mode: 'words' }))[0], 'api/winch-v1.md:1');
  });
});

describe('a heading', () => {
  it('serves where no page is called so', async () => {
    for (const rerank of [false, true])
      assert.equal((await places('what is a halyard', { rerank }))[0], 'glossary.md:5');
  });

  it('without a text of its own serves with the section it leads to', async () => {
    assert.deepEqual((await places('what are bends')).slice(0, 2), ['knots.md:5', 'knots.md:11']);
  });

  it('is no page: the order is the same for every size of page', async () => {
    const whole = await places('sheet', { limit: 8 });
    const { hits, nextCursor } = await temp.engine.search.run(call, { query: 'sheet', limit: 1 });
    assert.equal(`${hits[0]!.path}:${hits[0]!.lines.start}`, whole[0]);
    const [next] = await places('sheet', { limit: 1, cursor: nextCursor, mode: undefined });
    assert.equal(next, whole[1]);
  });
});

it('scores fall in the order of the answer, names included', async () => {
  for (const query of ['winch', 'what is a halyard', 'turn the handle'])
    for (const rerank of [false, true]) {
      const { hits } = await temp.engine.search.run(call, { query, limit: 5, rerank });
      assert.ok(hits.every(({ score }, at) => score <= (hits[at - 1]?.score ?? 1) && score >= 0));
    }
});

it('a heading without a text is found by its name however its line and the one below are marked', async () => {
  const sections = [
    ['## Parking brakes {#brakes}', '### By foot {#foot}'],
    ['## [Landing gears](gear.md)', '### With `lever`'],
    ['## Buffer stops ##', '### At the end ##'],
  ];
  const text = sections.map(([above, own], at) => `${above}\n\n${own}\n\nDescribed in part ${at}.\n`);
  await temp.engine.ingest.text(call, {
    ...{ collection: 'marked', source: 'all.md', text: `# All\n\nOf them.\n\n${text.join('\n')}` },
    chunk: { strategy: 'blocks', size: 1500, overlap: 0 },
  });
  for (const [at, query] of ['what are parking brakes', 'landing gears', 'buffer stops'].entries()) {
    const { hits } = await temp.engine.search.run(call, { query, limit: 3, collections: ['marked'] });
    assert.deepEqual([hits[0]!.lines.start, hits[0]!.relevance], [5 + at * 6, 0.9], query);
  }
});
