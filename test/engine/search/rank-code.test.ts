// Source code is ranked by its own rules, beside prose that keeps its places.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { definitionsAsked, definitionsSpelledOut, rankCode } from '../../../src/engine/search/rank-code.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { Candidate } from '../../../src/engine/search/rerank.ts';
import type { SearchRequest } from '../../../src/engine/search/types.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

function candidates(...list: [path: string, defines?: string[]][]): Candidate[] {
  return list.map(([path, defines], at) => {
    const chunk = { id: String(at), collection: 'c', path, ...(defines ? { defines } : {}) };
    return { chunk, score: 1 - at / 10 } as unknown as Candidate;
  });
}

const order = (list: Candidate[], question: string): string[] =>
  rankCode(list, question).map(({ chunk }) => chunk.path);

describe('the order of source code', () => {
  it('a file that the question names comes first', () => {
    const list = candidates(['engine.go', []], ['tree.go', []], ['routergroup.go', []]);
    assert.equal(order(list, 'how are router groups nested')[0], 'routergroup.go');
    assert.equal(order(list, 'walking the tree')[0], 'tree.go');
  });

  it('a file called index is called by its folder', () => {
    const list = candidates(['a.ts', []], ['b.ts', []], ['session/index.ts', []]);
    assert.equal(order(list, 'where sessions are kept')[0], 'session/index.ts');
  });

  it('a name of a file may be short for a word of the question', () => {
    const list = candidates(['engine.go', []], ['auth.go', []], ['in.go', []]);
    assert.equal(order(list, 'how is authentication done')[0], 'auth.go');
    assert.equal(order(list, 'how is it installed')[0], 'engine.go', 'two letters are short for too much');
  });

  it('different files come first, and after seven of them the best passages of any file', () => {
    const others = Array.from({ length: 10 }, (_, at): [string, string[]] => [`other${at}.ts`, []]);
    const paths = order(candidates(['a.ts', []], ['a.ts', []], ['a.ts', []], ...others), 'anything at all');
    assert.equal(new Set(paths.slice(0, 7)).size, 7);
    assert.deepEqual(paths.slice(7, 9), ['a.ts', 'a.ts']);
  });

  it('a folder that the question names counts too', () => {
    const list = candidates(['core/run.ts', []], ['adapters/run.ts', []]);
    assert.equal(order(list, 'where the adapter is started')[0], 'adapters/run.ts');
  });

  it('a name counts the less the less of the question it says: rare words say more', () => {
    const list = candidates(['command.go', []], ['man_pages.go', []]);
    const question = 'generate man pages for a command';
    const rarity = new Map([
      ...['generate', 'man', 'pages'].map((word): [string, number] => [word, 4]),
      ['command', 0.5],
    ]);
    assert.equal(rankCode(list, question, rarity)[0]!.chunk.path, 'man_pages.go');
    assert.equal(order(list, question)[0], 'command.go', 'where rarity is not known, all words say the same');
  });

  it('several passages of a file count together', () => {
    const list = candidates(['a.ts', []], ['b.ts', []], ['b.ts', []], ['b.ts', []]);
    assert.equal(order(list, 'anything at all')[0], 'b.ts');
  });

  it('tests step back unless they are asked about', () => {
    const list = candidates(['a_test.go', []], ['a.go', []]);
    assert.deepEqual(order(list, 'parse headers'), ['a.go', 'a_test.go']);
    assert.deepEqual(order(list, 'tests for parsing headers'), ['a_test.go', 'a.go']);
  });

  it('prose keeps its places, and scores fall', () => {
    const list = candidates(['guide.md'], ['x.py', []], ['api.md'], ['y.py', []], ['load.py', ['load']]);
    const ranked = rankCode(list, 'load');
    assert.deepEqual(
      ranked.map(({ chunk }) => chunk.path),
      ['guide.md', 'load.py', 'api.md', 'x.py', 'y.py'],
    );
    assert.ok(ranked.every(({ score }, at) => at === 0 || score <= ranked[at - 1]!.score));
  });

  /** Whether a file at this rank comes first, before files that nothing speaks for. */
  const wins = (rank: number, question: string, [path, defines = []]: [string, string[]?]): boolean => {
    const others = Array.from({ length: rank }, (_, at): [string, string[]] => [`zz${at}.ts`, []]);
    return order(candidates(...others, [path, defines]), question)[0] === path;
  };

  it('a passage counts half of the first at the fortieth rank, a file named by half of the question 1.9, a folder 1.2', () => {
    for (const [limit, question, file] of [
      [38, 'walking the tree', ['tree.go']],
      [19, 'walking the tree', ['tree_view.go']],
      [9, 'where the adapter is started', ['adapters/run.ts']],
      [40, 'how to parse headers', ['x.ts', ['parseHeaders']]],
      [40, 'where is _private called from', ['x.ts', ['_private']]],
    ] as [number, string, [string, string[]?]][]) {
      assert.ok(wins(limit - 1, question, file), `${question}: ${file[0]} before ${limit}`);
      assert.ok(!wins(limit + 1, question, file), `${question}: ${file[0]} after ${limit}`);
    }
  });

  it('the definition of a name comes first from any rank, where nothing else is asked', () => {
    assert.ok(wins(60, 'Base', ['x.ts', ['Base']]));
    assert.ok(!wins(1, 'parse the headers', ['x.ts', ['headers']]), 'a word is no name');
  });

  it('a mark at the end of a name is its own where something is called so', () => {
    const list = candidates(['get.ex', ['update']], ['set.ex', ['update!']]);
    const asked = rankCode(list, 'update!').filter((one) => one.asked);
    assert.deepEqual(
      asked.map(({ chunk }) => chunk.path),
      ['set.ex'],
    );
    assert.deepEqual(order(list, 'what is update?')[0], 'get.ex', 'or the sentence has it');
  });

  it('words written as one name a file, up to three of them', () => {
    assert.ok(wins(1, 'how is ui db built', ['uidb.go']));
    assert.ok(wins(1, 'how is ui db io built', ['uidbio.go']));
    assert.ok(!wins(1, 'how is ui db io fs built', ['uidbiofs.go']));
    assert.ok(wins(30, 'routergroup nesting', ['router_group.go']));
  });

  it('a name is said by its stem, or from three letters on by its beginning', () => {
    for (const [question, path] of [
      ['which company pays', 'companies.go'],
      ['the environment of a process', 'env.go'],
      ['errors of the api', 'apiserver.go'],
      ['where is the db opened', 'db/run.ts'],
    ] as const)
      assert.ok(wins(1, question, [path]), path);
    for (const path of ['_.ts', 'adapters/x/y/run.ts'])
      assert.ok(!wins(1, 'where the adapter is started', [path]), path);
  });

  it('further passages of a file add to it, less and less', () => {
    const first = (ranks: number[]): string | undefined => {
      const files = Array.from({ length: 18 }, (_, at): [string, string[]] => [
        ranks.includes(at) ? 'many.ts' : `zz${at}.ts`,
        [],
      ]);
      return order(candidates(...files), 'anything at all')[0];
    };
    assert.equal(first([10, 11]), 'many.ts');
    assert.equal(first([15, 16]), 'zz0.ts');
  });

  it('of one file the passage that defines what is asked about comes first', () => {
    const ranked = rankCode(candidates(['a.ts', []], ['a.ts', ['parseHeaders']]), 'how to parse headers');
    assert.deepEqual(
      ranked.map(({ chunk }) => chunk.id),
      ['1', '0'],
    );
  });

  it('a test counts a fifth', () => {
    const tests = Array.from({ length: 80 }, (): [string, string[]] => ['a_test.go', []]);
    assert.equal(order(candidates(...tests, ['a.go', []]), 'anything at all')[0], 'a_test.go');
    assert.equal(order(candidates(...tests.slice(0, 20), ['a.go', []]), 'anything at all')[0], 'a.go');
  });

  it('the places keep their scores, the highest first', () => {
    const list = candidates(['a.ts', []], ['b.ts', []]).map((one, at) => ({
      ...one,
      score: [0.5, 0.9][at]!,
    }));
    assert.deepEqual(
      rankCode(list, 'anything at all').map(({ score }) => score),
      [0.9, 0.5],
    );
  });

  it('definitions are looked up where the question is a name, fifty of them', async () => {
    const asked: { names: string[]; limit: number }[] = [];
    const pages = (request: { names: string[]; limit: number }) => {
      asked.push(request);
      return Promise.resolve(['found']);
    };
    const store = { search: { pages } } as unknown as Store;
    assert.deepEqual(await definitionsAsked(store, 'how are cookies parsed', {}), []);
    assert.equal(asked.length, 0);
    assert.deepEqual(await definitionsAsked(store, 'parseHeaders', {}), ['found']);
    assert.deepEqual([asked[0]!.names.length, asked[0]!.limit], [1, 50]);
  });

  it('a definition of a name with a dot counts only where the place before the dot is its own', async () => {
    const defined = (id: string, headingPath: string[]) => ({
      id,
      path: 'a.js',
      defines: ['reset'],
      headingPath,
    });
    const search = {
      pages: () => Promise.resolve(['own', 'other']),
      chunks: () => Promise.resolve([defined('own', ['OffsetStore']), defined('other', ['Index'])]),
    };
    const asked = (question: string) => definitionsAsked({ search } as unknown as Store, question, {});
    assert.deepEqual(await asked('reset'), ['own', 'other']);
    assert.deepEqual(await asked('what is offset.reset?'), ['own']);
    assert.deepEqual(await asked('log.cleaner.reset'), []);
  });

  it('words of a question in a row are looked up as the names code would make of them', async () => {
    const asked: string[][] = [];
    const pages = ({ names }: { names: string[] }) => {
      asked.push(names);
      return Promise.resolve(['found']);
    };
    const store = { search: { pages } } as unknown as Store;
    assert.deepEqual(await definitionsSpelledOut(store, 'the JSON array of', {}), ['found']);
    assert.deepEqual(asked, [['=JsonArray', '=jsonArray', '=json_array']]);
    await definitionsSpelledOut(store, 'open file stream', {});
    for (const name of ['=OpenFile', '=file_stream', '=openFileStream'])
      assert.ok(asked[1]!.includes(name), name);
    assert.deepEqual(await definitionsSpelledOut(store, 'array', {}), []);
    assert.deepEqual(await definitionsSpelledOut(store, 'array of the bytes', {}), []);
    assert.equal(asked.length, 2, 'nothing is asked of the store for words that make no name');
  });
});

describe('a repository', () => {
  const call = localCall();
  let temp: TempEngine;
  before(async () => {
    temp = await tempEngine();
    const files: Record<string, string> = {
      'README.md':
        '# Shop\n\nA shop. Orders are kept by the order store.\n\n## Refunds\n\nCall refundOrder to give money back.\n',
      'src/orders.py': `from refunds import refund_order\n\nclass OrderStore:\n    """Keeps orders."""\n    def add(self, order):\n        return refund_order(order) or refund_order(order)\n`,
      'src/refunds.py':
        '# Money goes back the way it came.\ndef refund_order(order):\n    return order.total\n',
      'tests/test_orders.py':
        'from refunds import refund_order\n\ndef test_add():\n    refund_order(refund_order(refund_order(1)))\n',
      'src/ledger.py': `def ledger():\n${Array.from({ length: 80 }, (_, n) => `    book(ledger, ${n}, 'entry ${n * 7}')\n`).join('')}`,
      'src/broken.py': 'def (((:\n  refund_order\n',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(temp.home, 'shop', path)), { recursive: true });
      writeFileSync(join(temp.home, 'shop', path), text);
    }
    await temp.engine.ingest.files(call, { paths: [join(temp.home, 'shop')], collection: 'shop' });
  });
  after(() => temp.close());

  const places = async (query: string, more: Partial<SearchRequest> = {}): Promise<string[]> => {
    const { hits } = await temp.engine.search.run(call, { query, limit: 5, ...more });
    return hits.map(({ path, lines }) => `${path}:${lines.start}`);
  };

  for (const mode of ['words', 'hybrid', 'rerank'] as const)
    it(`${mode}: a name brings its definition before its uses`, async () => {
      const options = mode === 'rerank' ? { mode: 'hybrid' as const, rerank: true } : { mode };
      assert.equal((await places('refund_order', options))[0], 'src/refunds.py:1');
      assert.equal((await places('OrderStore', options))[0], 'src/orders.py:1');
    });

  it('passages of one definition stay hits of their own', async () => {
    const { hits } = await temp.engine.search.run(call, { query: 'ledger', limit: 5 });
    const own = hits.filter(({ path }) => path === 'src/ledger.py');
    assert.ok(own.length > 1 && own.every(({ text }) => text.length <= 1500));
  });

  it('shows as many passages of a file as are good, however the question is searched', async () => {
    const found = await places('ledger entry', { mode: 'hybrid' });
    assert.ok(found.filter((place) => place.startsWith('src/ledger.py')).length > 1);
  });

  it('answers from its documentation too', async () => {
    assert.ok((await places('refunds')).includes('README.md:5'));
  });
});
