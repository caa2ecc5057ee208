// The answer of a search: both channels hold the same hits, all of them within the size an answer may have, and the rest
// is one call away.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { answerSearch, searchAnswer } from '../../../src/tools/vai/hits.ts';
import type { SearchResult } from '../../../src/engine/search/types.ts';
import type { ToolResult } from '../../../src/tools/tool.ts';
import { aHit } from '../../support/hit.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const call = localCall();
let temp: TempEngine;

const TEXTS = {
  plain: 'Words of a passage about the harbour, line after line.\n'.repeat(20),
  escaped: `harbour ${'"\\\u0001\u0002'.repeat(200)}`,
  wide: `harbour ${'naïve 日本語 \ud83d\ude00 '.repeat(40)}`,
};

before(async () => {
  temp = await tempEngine();
  for (const [kind, text] of Object.entries(TEXTS))
    for (let n = 0; n < 6; n += 1)
      await temp.engine.ingest.text(call, {
        collection: kind,
        source: `p${n}`,
        text: `${text}\nand the end of number${n} w${n * 7}x w${n * 11}y`,
      });
});
after(() => temp.close());

interface Passage {
  id: string;
  citation: string;
  content: string;
  relevance: number;
}

const passages = ({ structured }: ToolResult): Passage[] => structured['results'] as Passage[];
const about = ({ structured }: ToolResult) => structured['metadata'] as Record<string, unknown>;

async function ask(collection: string, resultBudget: number, cursor?: string): Promise<ToolResult> {
  const engine = { ...temp.engine, resultBudget };
  const request = { query: 'harbour', collection, limit: 20, cursor };
  return answerSearch(request, { engine, call }, { rerank: false });
}

for (const kind of Object.keys(TEXTS))
  test(`an answer stays within its budget, and its cursor leads to the rest (${kind})`, async () => {
    const whole = passages(await ask(kind, 1_000_000)).map(({ id }) => id);
    for (const budget of [7_000, 9_000, 14_000]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const answer = await ask(kind, budget, cursor);
        assert.ok(JSON.stringify(answer.structured).length <= budget && answer.text.length <= budget);
        const given = passages(answer);
        assert.equal(about(answer)['resultCount'], given.length);
        for (const { citation, content } of given)
          assert.ok(answer.text.includes(citation) && answer.text.includes(content));
        assert.equal(answer.text.match(/^cite: /gm)?.length ?? 0, given.length);
        seen.push(...given.map(({ id }) => id));
        cursor = about(answer)['cursor'] as string | undefined;
        assert.equal(answer.text.includes('More with cursor'), cursor !== undefined);
      } while (cursor);
      assert.deepEqual(seen, whole);
    }
  });

test('the verdict comes first, in both channels', () => {
  const notices = [
    { code: 'query', message: 'Something small.' },
    { code: 'weak', message: 'No passage clearly answers this.' },
  ];
  const result: SearchResult = {
    ...{ query: 'question', verdict: 'weak', database: 'vai', collection: '*', mode: 'hybrid' },
    hits: [{ ...aHit(0, 'Text.'), relevance: 0.12346, similarity: 0.5 }],
    ...{ total: 1, totalIsBound: false, reranked: false, tokens: { embed: 1, rerank: 0 } },
    ...{ notices, warnings: [], timeMs: 1 },
  };
  const { structured, text } = searchAnswer(result, { rerank: false });
  assert.deepEqual(structured['notice'], notices[1]);
  assert.deepEqual(structured['warnings'], ['Something small.']);
  assert.equal((structured['metadata'] as { verdict: string }).verdict, 'weak');
  assert.match(text, /Verdict: weak\.\nNote: No passage clearly answers this\.\nNote: Something small\./);
  assert.match(text, /relevance 0\.1235, score 1, similarity 0\.5/);
  const scope = { project: 'p', collections: [], missing: ['z'] };
  const none = searchAnswer({ ...result, collection: '', hits: [], scope }, { rerank: false });
  assert.match(none.text, /^0 results from the project's collections \(none installed; collection "\*" /);
});
