// Relations beside words and meaning in one answer: they lead from what the question names to what it does not name, and
// stay out of questions that name nothing with a place of its own.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import type { SearchRequest } from '../../../src/engine/search/types.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const call = localCall();
let temp: TempEngine;

const PAGES = {
  falcon: '# Falcon\n\nFalcon takes the orders of the shop and leaves their sessions to Heron.',
  heron: '# Heron\n\nHeron forgets what nobody asked for during a week.',
  sessions: '# Sessions\n\nA session is kept in a cookie; the shop of the museum keeps it for long.',
  orders: '# Orders\n\nOrders of the museum are kept for ten years, as the law asks.',
  cookies: '# Cookies\n\nHow long a cookie is kept follows from its date.',
};
const QUESTION = 'how long does the service behind Falcon keep sessions';

before(async () => {
  temp = await tempEngine();
  for (const [source, text] of Object.entries(PAGES)) await temp.engine.ingest.text(call, { source, text });
});
after(() => temp.close());

async function places(request: Partial<SearchRequest>, query = QUESTION) {
  const { hits } = await temp.engine.search.run(call, { query, limit: 5, mode: 'hybrid', ...request });
  return hits;
}

it('what a named page leads to comes nearer, reranked or not', async () => {
  for (const rerank of [false, true]) {
    const placeOf = async (relations: boolean) =>
      (await places({ rerank, relations })).findIndex(({ path }) => path === 'heron');
    assert.ok((await placeOf(true)) < (await placeOf(false)), `${rerank}`);
  }
});

it('a question that names no page is answered as without them', async () => {
  const query = 'how long is a week';
  const [with_, without] = [await places({ relations: true }, query), await places({}, query)];
  assert.deepEqual(with_, without);
  assert.ok(with_.every(({ scores }) => scores.relations === undefined));
});

it('nothing is said of names that are still to be found', async () => {
  const { notices, warnings } = await temp.engine.search.run(call, {
    query: QUESTION,
    limit: 5,
    relations: true,
  });
  assert.ok([...notices.map(({ message }) => message), ...warnings].every((said) => !/names/.test(said)));
});
