// Searches through the whole engine on the embedded store: paging, folding, limits, filters, what an empty answer says.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { localCall, type Call } from '../../../src/engine/call.ts';
import type { SearchRequest, SearchResult } from '../../../src/engine/search/types.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const call = localCall();
let temp: TempEngine;

async function note(collection: string, source: string, text: string, metadata = {}): Promise<void> {
  await temp.engine.ingest.text(call, { collection, source, text, metadata });
}

function search(request: Partial<SearchRequest> & { query: string }, by: Call = call): Promise<SearchResult> {
  return temp.engine.search.run(by, { limit: 10, ...request });
}

const codes = (result: SearchResult): string[] => result.notices.map(({ code }) => code);

before(async () => {
  temp = await tempEngine();
  for (let n = 0; n < 130; n += 1) {
    const own = Array.from({ length: 6 }, (_, at) => `w${n * 7 + at * 13}x${n}`).join(' ');
    await note('many', `p${String((n * 37) % 130).padStart(3, '0')}`, `harbour ${own}`, {
      n,
      even: n % 2 === 0,
    });
  }
  await note('twins', 'first', 'The tide table of the north pier lists every high water of the year.');
  await note('twins', 'second', 'The tide table of the north pier lists every high water of the year.');
  const section = (n: number): string => {
    const own = Array.from({ length: 50 }, (_, at) => `wick${n * 50 + at}`).join(' ');
    return `## Part ${n}\n\nlantern keeper ${own}\n`;
  };
  await note('parts', 'book', `# Book\n\n${Array.from({ length: 8 }, (_, n) => section(n)).join('\n')}`);
  await note('parts', 'leaf', 'A lantern on the quay, and nobody near it.');
  for (let n = 0; n < 40; n += 1) await note('copies', `copy${n}`, 'driftwood driftwood driftwood');
  for (let n = 0; n < 5; n += 1)
    await note(
      'copies',
      `other${n}`,
      `driftwood among ${'stone shell weed sand '.repeat(n + 1)} number${n} x${n * 3}`,
    );
  await note('secret', 'plan', 'The zeppelin lands at midnight.');
});
after(() => temp.close());

it('hits are the same without marks, which stay empty', async () => {
  const marked = await search({ query: 'lantern keeper', collections: ['parts'] });
  const plain = await search({ query: 'lantern keeper', collections: ['parts'], marks: false });
  assert.ok(marked.hits.every((hit) => hit.matchLines.length > 0 && hit.snippet !== ''));
  assert.deepEqual(
    plain.hits,
    marked.hits.map((hit) => ({ ...hit, matchLines: [], snippet: '' })),
  );
});

it('says what was searched: the collections that were named, or all of them', async () => {
  const searched = async (collections?: string[]) =>
    (await search({ query: 'lantern', ...(collections ? { collections } : {}) })).collection;
  assert.equal(await searched(['parts']), 'parts');
  assert.equal(await searched(['parts', 'twins']), 'parts,twins');
  assert.equal(await searched(['*']), '*');
  assert.equal(await searched(), '*');
});

it('a model of another vector space is refused, not replaced by a search by words', async () => {
  for (const mode of ['meaning', 'hybrid'] as const)
    await assert.rejects(search({ query: 'lantern', collections: ['parts'], mode, model: 'voyage-4' }), {
      code: 'MODEL_MISMATCH',
    });
});

it('a name that is no embedding model is called what it is', async () => {
  for (const [model, message] of [
    ['rerank-2.5', /rerank-2\.5 is a reranker/],
    ['no-such-model', /no-such-model is not a model vai knows/],
  ] as const)
    await assert.rejects(search({ query: 'lantern', collections: ['parts'], mode: 'hybrid', model }), {
      code: 'MODEL_MISMATCH',
      message,
    });
});

describe('paging', () => {
  const modes = ['words', 'meaning', 'hybrid'] as const;
  for (const mode of modes)
    for (const rerank of [false, true])
      it(`gives every hit once, in the order of one long page (${mode}${rerank ? ', reranked' : ''})`, async () => {
        const request = { query: 'harbour', collections: ['many'], mode, rerank };
        const whole = await search({ ...request, limit: 200 });
        const paged: string[] = [];
        const scores: number[] = [];
        let cursor: string | undefined;
        do {
          const page: SearchResult = await search({ ...request, limit: 7, ...(cursor ? { cursor } : {}) });
          paged.push(...page.hits.map((hit) => hit.citation));
          scores.push(...page.hits.map((hit) => hit.score));
          cursor = page.nextCursor;
        } while (cursor);
        assert.equal(paged.length, 130);
        assert.deepEqual(
          paged,
          whole.hits.map((hit) => hit.citation),
        );
        assert.ok(
          scores.every((score, at) => score >= 0 && score <= (scores[at - 1] ?? 1)),
          'scores stay within 0 to 1 and never rise',
        );
      });

  it('refuses the cursor of another search', async () => {
    const { nextCursor } = await search({ query: 'harbour', collections: ['many'], limit: 2 });
    assert.ok(nextCursor);
    await assert.rejects(search({ query: 'harbor', collections: ['many'], cursor: nextCursor }), {
      code: 'INVALID_INPUT',
    });
  });
});

describe('what is shown', () => {
  it('a text that stands there twice is one hit', async () => {
    const { hits, total } = await search({ query: 'tide table', collections: ['twins'], mode: 'words' });
    assert.equal(hits.length, 1);
    assert.equal(total, 2);
  });

  it('copies do not keep what comes after them from being found', async () => {
    const whole = await search({ query: 'driftwood', collections: ['copies'], mode: 'words', limit: 4 });
    assert.equal(whole.hits.length, 4);
    assert.ok(whole.nextCursor);
    const rest = await search({
      query: 'driftwood',
      collections: ['copies'],
      mode: 'words',
      limit: 4,
      cursor: whole.nextCursor,
    });
    const paths = [...whole.hits, ...rest.hits].map((hit) => hit.text);
    assert.equal(new Set(paths).size, 6);
    assert.equal(rest.nextCursor, undefined);
  });

  it('one document does not fill the page unless asked', async () => {
    const of = async (request: Partial<SearchRequest>): Promise<number> => {
      const { hits } = await search({ query: 'lantern keeper', collections: ['parts'], ...request });
      return hits.filter((hit) => hit.path === 'book').length;
    };
    assert.equal(await of({ mode: 'hybrid' }), 3);
    assert.equal(await of({ mode: 'hybrid', perDocument: 1 }), 1);
    assert.ok((await of({ mode: 'words' })) > 3);
  });

  it('hits widened to blocks are not repeated and hold the whole block', async () => {
    const { hits } = await search({
      query: 'lantern keeper',
      collections: ['parts'],
      mode: 'words',
      blocks: true,
    });
    const places = hits.map((hit) => `${hit.path}:${hit.lines.start}`);
    assert.equal(new Set(places).size, places.length);
    for (const hit of hits.filter(({ path }) => path === 'book')) assert.match(hit.text, /^## Part|^# Book/);
  });

  it('stays within maxTokens and says so', async () => {
    const few = await search({ query: 'harbour', collections: ['many'], maxTokens: 60 });
    assert.ok(few.hits.length >= 1 && few.hits.length < 10);
    assert.ok(codes(few).includes('left_out'));
    const [first] = few.hits;
    const rest = await search({ query: 'harbour', collections: ['many'], cursor: few.nextCursor });
    assert.ok(rest.hits.every(({ id }) => id !== first!.id));
  });
});

describe('filters', () => {
  it('choose inside the search, never after the cut', async () => {
    const filter = { 'metadata.n': { $gte: 127 }, 'metadata.even': false };
    for (const mode of ['words', 'meaning', 'hybrid'] as const) {
      const { hits } = await search({ query: 'harbour', collections: ['many'], mode, filter, limit: 2 });
      assert.deepEqual(hits.map((hit) => hit.metadata['n']).sort(), [127, 129], mode);
    }
  });

  it('that leave nothing are named as the reason', async () => {
    const filter = { 'metadata.n': 1000 };
    assert.deepEqual(codes(await search({ query: 'harbour', collections: ['many'], filter })), [
      'filter_excluded_all',
    ]);
  });

  it('that are not allowed are refused', async () => {
    const filter = { $where: 'true' };
    await assert.rejects(search({ query: 'harbour', filter }), { code: 'FILTER_NOT_ALLOWED' });
  });
});

describe('a folder of a collection', () => {
  before(async () => {
    for (const source of ['docs/a.md', 'docs/in/b.md', 'docs-old/c.md', 'src/d.md', 'top.md'])
      await note('tree', source, `A kestrel over ${source}.`);
  });
  const found = async (collections: string[], request: Partial<SearchRequest> = {}) => {
    const { hits } = await search({ query: 'kestrel', collections, ...request });
    return hits.map(({ path }) => path).sort();
  };

  it('is searched alone, in every mode and beside a filter', async () => {
    for (const mode of ['words', 'meaning', 'hybrid'] as const)
      assert.deepEqual(await found(['tree/docs'], { mode }), ['docs/a.md', 'docs/in/b.md'], mode);
    assert.deepEqual(await found(['Tree/docs/']), ['docs/a.md', 'docs/in/b.md']);
    const filter = { 'metadata.filename': 'b.md' };
    assert.deepEqual(await found(['tree/docs'], { filter }), ['docs/in/b.md']);
    assert.deepEqual(await found(['tree/top.md']), ['top.md']);
    assert.deepEqual(await found(['tree/src', 'tree/docs/in']), ['docs/in/b.md', 'src/d.md']);
    assert.equal((await found(['tree/src', 'tree'])).length, 5, 'a whole collection is named as well');
  });

  it('must be there, in the one collection that is searched', async () => {
    await assert.rejects(found(['tree/dosc']), { code: 'DOCUMENT_NOT_FOUND' });
    await assert.rejects(found(['tree/doc']), { code: 'DOCUMENT_NOT_FOUND' });
    await assert.rejects(found(['nowhere/docs']), { code: 'COLLECTION_NOT_FOUND' });
    for (const several of [['tree/docs', 'twins'], ['*/docs']])
      await assert.rejects(found(several), { code: 'INVALID_INPUT' });
    const limited: Call = { principal: { ...call.principal, id: 'k', collections: ['twins'] } };
    await assert.rejects(search({ query: 'kestrel', collections: ['tree/docs'] }, limited), {
      code: 'COLLECTION_NOT_FOUND',
    });
  });
});

describe('an empty answer', () => {
  it('says what is missing', async () => {
    const empty = await tempEngine();
    try {
      const result = await empty.engine.search.run(call, { query: 'anything', limit: 3 });
      assert.deepEqual(
        result.notices.map(({ code }) => code),
        ['collection_missing'],
      );
    } finally {
      await empty.close();
    }
  });

  it('of an unknown collection is an error with the nearest name', async () => {
    await assert.rejects(
      search({ query: 'x', collections: ['manyy'] }),
      (error: { suggestions?: string[] }) => {
        assert.deepEqual(error.suggestions, ['many']);
        return true;
      },
    );
  });

  it('follows from odd punctuation, never an exception', async () => {
    for (const query of ['"', '()', '*', '# ', '-x', 'foo-b*', 'a:b:c', '\u0000', '\ud800 a', '[[[', '😀'])
      assert.ok(Array.isArray((await search({ query })).hits), query);
    for (const query of ['', '  ', 'x'.repeat(5001)])
      await assert.rejects(search({ query }), { code: 'INVALID_INPUT' });
  });
});

it('words that stand nowhere are named, although meaning always finds something', async () => {
  const result = await search({ query: 'zzzqqqvv', mode: 'hybrid' });
  assert.ok(result.hits.length > 0);
  assert.deepEqual(codes(result), ['no_words', 'nothing_relevant']);
  assert.equal(result.verdict, 'nothing_relevant');
});

describe('near spellings', () => {
  const limited: Call = {
    principal: { id: 'key', scopes: ['read'], collections: ['many'], databases: '*' },
  };

  it('are searched and named', async () => {
    const result = await search({ query: 'zepelin', mode: 'words' });
    assert.equal(codes(result)[0], 'spelling');
    assert.equal(result.hits[0]?.collection, 'secret');
    assert.deepEqual(result.hits[0].matchLines, [1], 'and marked');
  });

  it('do not tell a caller words of collections it may not see', async () => {
    for (const mode of ['words', 'hybrid'] as const) {
      const result = await search({ query: 'zepelin', mode }, limited);
      assert.doesNotMatch(JSON.stringify(result), /zeppelin/);
      assert.ok(result.hits.every((hit) => hit.collection === 'many'));
    }
    assert.match(
      JSON.stringify((await search({ query: 'harbur', mode: 'words' }, limited)).notices),
      /harbour/,
    );
  });
});

describe('what an answer says of itself', () => {
  it('by words alone there is no model, nothing was reranked and nothing spent', async () => {
    const result = await search({ query: 'harbour', collections: ['many'], mode: 'words', limit: 2 });
    for (const key of ['model', 'dimensions', 'rerankModel', 'relevanceFrom', 'scope'])
      assert.ok(!(key in result), key);
    assert.deepEqual([result.reranked, result.tokens, result.total, result.totalIsBound], [false, { embed: 0, rerank: 0 }, 130, false]); // prettier-ignore
    const meaning = await search({ query: 'harbour', collections: ['many'], mode: 'meaning', limit: 2 });
    assert.equal(meaning.totalIsBound, true);
    assert.ok(meaning.model);
  });

  it('relevance by words is called so', async () => {
    const request = { query: 'lantern keeper', collections: ['parts'], mode: 'words' as const };
    assert.equal((await search({ ...request, judgeByWords: true })).relevanceFrom, 'scores by words');
  });

  it('required and excluded words are a matter of words', async () => {
    const mode = async (query: string, asked?: SearchRequest['mode']) => {
      const result = await search({ query, collections: ['parts'], ...(asked ? { mode: asked } : {}) });
      const own = codes(result).filter((code) => code === 'operators_ignored' || code === 'words_only');
      return [result.mode, ...own];
    };
    for (const query of ['+lantern keeper', 'lantern -quay']) {
      assert.deepEqual(await mode(query), ['words', 'words_only']);
      assert.deepEqual(await mode(query, 'hybrid'), ['words', 'words_only']);
      assert.deepEqual(await mode(query, 'meaning'), ['meaning', 'operators_ignored']);
      assert.deepEqual(await mode(query, 'words'), ['words']);
    }
    assert.deepEqual(await mode('lantern keeper'), ['hybrid']);
    assert.deepEqual(await mode('lantern keeper', 'meaning'), ['meaning']);
  });

  it('what does not fit is counted', async () => {
    const message = async (total: number) => {
      const room = { total, of: () => 1 };
      const result = await search({ query: 'harbour', collections: ['many'], mode: 'words', limit: 3, room });
      return result.notices.find(({ code }) => code === 'left_out')?.message.split(' not fit')[0];
    };
    assert.deepEqual(
      [await message(1), await message(2), await message(3)],
      ['2 more hits do', '1 more hit does', undefined],
    );
  });

  it('a cursor goes on where what is left out is said or not', async () => {
    const request = { query: 'harbour', collections: ['many'], mode: 'words' as const, limit: 2 };
    const { nextCursor } = await search(request);
    const plain = { rerank: false, blocks: false, relations: false };
    assert.equal((await search({ ...request, ...plain, cursor: nextCursor })).hits.length, 2);
    for (const other of [{ rerank: true }, { blocks: true }, { relations: true }, { perDocument: 1 }])
      await assert.rejects(search({ ...request, ...other, cursor: nextCursor }), { code: 'INVALID_INPUT' });
  });

  it('a query has 1 to 5,000 characters', async () => {
    await assert.rejects(search({ query: ' ' }), { message: /empty/ });
    await assert.rejects(search({ query: 'x'.repeat(5_001) }), { message: /longer than 5,000/ });
    assert.ok((await search({ query: `harbour ${'x'.repeat(4_992)}`, mode: 'words' })).hits.length > 0);
  });
});

describe('a phrase that no text holds', () => {
  it('is looked for by its words where the question says more, page after page', async () => {
    const query = 'where is the "harbour gate" kept';
    const first = await search({ query, collections: ['many'], limit: 5 });
    assert.equal(first.mode, 'hybrid');
    assert.equal(first.hits.length, 5);
    assert.ok(first.notices.some(({ message }) => message.startsWith('No text contains "harbour gate"')));
    const second = await search({ query, collections: ['many'], limit: 5, cursor: first.nextCursor! });
    assert.equal(new Set([...first.hits, ...second.hits].map(({ citation }) => citation)).size, 10);
  });

  it('alone finds nothing, and advice to leave the quotes out', async () => {
    const none = await search({ query: '"harbour gate"', collections: ['many'] });
    assert.deepEqual(none.hits, []);
    assert.match(none.notices.at(-1)!.message, /Without the quotes/);
  });

  it('is not missed by a search by meaning, which did not ask for it', async () => {
    const request = { query: 'where is the "harbour" kept', filter: { 'metadata.n': 999 } };
    const none = await search({ ...request, mode: 'meaning', collections: ['many'] });
    assert.deepEqual(codes(none), ['operators_ignored', 'filter_excluded_all']);
  });

  it('still selects where one text holds it', async () => {
    const { hits, mode } = await search({ query: 'is there a "north pier" here', collections: ['twins'] });
    assert.deepEqual([hits.length, mode], [1, 'words']);
  });
});
