// Source code is ranked by its own rules, beside prose that keeps its places.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { nameAsked, rankCode } from '../../../src/engine/search/rank-code.ts';
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

  it('knows when a question is a name', () => {
    assert.deepEqual(nameAsked('what is Sinatra::Base?'), ['Base?', 'Base']);
    assert.deepEqual(nameAsked('gson.toJson()'), ['toJson']);
    assert.deepEqual(nameAsked('_private_thing'), ['_private_thing']);
    for (const text of ['how are cookies parsed', 'content-type', 'src/index.ts', ''])
      assert.deepEqual(nameAsked(text), []);
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
