// Hosted models for callers over the network: paid from what the caller may spend a day, refused before anything is sent.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { localCall, type Call } from '../../src/engine/call.ts';
import { spendingFile, spentToday } from '../../src/server/limits/spending.ts';
import { tempEngine, type TempEngine } from '../support/temp-engine.ts';
import { startVoyage, type FakeVoyage } from '../support/voyage-server.ts';

let fake: FakeVoyage;
let temp: TempEngine;

before(async () => {
  fake = await startVoyage();
  temp = await tempEngine({
    env: { VOYAGE_API_KEY: 'pa-test-0123456789', VOYAGE_API_BASE: fake.base, VAI_MAX_SPENDING: '0.002' },
  });
});
after(async () => {
  await temp.close();
  await fake.close();
});

const keyOf = (id: string, spending?: number): Call => ({
  principal: { id, scopes: ['read', 'write'], collections: '*', databases: '*', spending },
});
const spent = async (id: string): Promise<number> =>
  (await spentToday(spendingFile(temp.home), new Date())).get(id) ?? 0;
/** Dollars of so many tokens of voyage-4-large. */
const price = (tokens: number): number => (tokens * 0.12) / 1e6;
const LONG = Array.from(
  { length: 2_000 },
  (_, at) => `Berth ${at} opens at six and closes with the tide. `,
).join('');

describe('hosted models for callers over the network', () => {
  it('count what the provider billed, by caller', async () => {
    const ada = keyOf('ada');
    const before = fake.tokens;
    await temp.engine.ingest.text(ada, { source: 'harbour.md', text: 'The harbour opens at six.' });
    await temp.engine.models.embed(ada, { text: 'harbour' });
    const billed = fake.tokens - before;
    assert.ok(billed > 0);
    assert.ok(Math.abs((await spent('ada')) - price(billed)) < 1e-9);
    assert.equal(await spent('bob'), 0);
  });

  it('are not asked where the estimate passes the limit; a smaller question still may be', async () => {
    const call = keyOf('clara');
    const { length } = fake.calls;
    await assert.rejects(temp.engine.models.embed(call, { text: LONG }), { code: 'COST_LIMIT' });
    assert.equal(fake.calls.length, length, 'nothing was sent');
    await temp.engine.models.embed(call, { text: 'tide' });
    assert.equal(fake.calls.length, length + 1);
  });

  it('stop in a long text, which is then not stored', async () => {
    const call = keyOf('cleo');
    await assert.rejects(temp.engine.ingest.text(call, { source: 'long.md', text: LONG }), {
      code: 'COST_LIMIT',
    });
    assert.ok((await spent('cleo')) <= 0.002);
    const { collections } = await temp.engine.collections.list(call);
    assert.deepEqual(
      collections.map(({ stats }) => stats.documents),
      [1],
    );
  });

  it('a key that may spend nothing searches by words, and is told why', async () => {
    const call = keyOf('dan', 0);
    const { length } = fake.calls;
    const { hits, warnings } = await temp.engine.search.run(call, {
      query: 'harbour',
      limit: 5,
      rerank: true,
    });
    assert.equal(hits.length, 1);
    assert.match(warnings.join(' '), /Searched by words only.*spent \$0 of its \$0 a day/s);
    const related = await temp.engine.graph.search(call, { query: 'harbour', mode: 'hybrid', limit: 5 });
    assert.equal(related.results.length, 1);
    assert.match(related.warnings.join(' '), /Searched without vectors/);
    await assert.rejects(temp.engine.models.rerank(call, { query: 'harbour', documents: ['a', 'b'] }), {
      code: 'COST_LIMIT',
    });
    assert.equal(fake.calls.length, length);
  });

  it('a key with a limit of its own is not held to that of the server', async () => {
    const { length } = fake.calls;
    await temp.engine.models.embed(keyOf('eve', 5), { text: LONG });
    assert.ok(fake.calls.length > length);
    assert.ok((await spent('eve')) > 0.002);
  });

  it('a model that no catalogue lists counts as the dearest one', async () => {
    await temp.engine.models.embed(keyOf('finn'), { text: 'tide', model: 'voyage-next' });
    assert.ok((await spent('finn')) >= (fake.calls.at(-1)!.tokens * 0.18) / 1e6);
  });

  it('a failed request counts as estimated: it may have been billed', async () => {
    fake.play({ status: 400 });
    await assert.rejects(temp.engine.models.embed(keyOf('gus'), { text: 'tide' }));
    assert.ok((await spent('gus')) > 0);
  });

  it('the command line is not held back', async () => {
    await temp.engine.models.embed(localCall(), { text: LONG });
    assert.equal(await spent('local'), 0);
  });
});
