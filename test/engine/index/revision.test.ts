// Vectors of a model that was made anew under its name: not compared with the new ones, reported, and renewed by an ingest.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { builtin } from '../../../src/models/builtin/index.ts';
import { tempEngine, type TempEngine } from '../../support/temp-engine.ts';

const call = localCall();
let temp: TempEngine;

const ingest = () => temp.engine.ingest.files(call, { paths: [join(temp.home, 'docs')], collection: 'docs' });
const search = (mode: 'hybrid' | 'meaning', query = 'give money back') =>
  temp.engine.search.run(call, { query, collections: ['docs'], mode, limit: 5 });
const codes = (notices: readonly { code: string }[]): string[] => notices.map(({ code }) => code);

beforeEach(async () => {
  temp = await tempEngine();
  mkdirSync(join(temp.home, 'docs'));
  writeFileSync(join(temp.home, 'docs', 'a.md'), '# Refunds\n\nWe give money back within a week.\n');
  writeFileSync(join(temp.home, 'docs', 'b.md'), '# Parcels\n\nParcels leave the house on Mondays.\n');
  await ingestLongAgo();
});
afterEach(() => temp.close());

/** Ingests as a vai did before the model had a revision. */
async function ingestLongAgo(): Promise<void> {
  const declared = builtin as { revision?: number };
  const { revision } = declared;
  delete declared.revision;
  try {
    await ingest();
  } finally {
    declared.revision = revision;
  }
}

test('vectors of an earlier revision are not searched, and the answer says so', async () => {
  for (const mode of ['hybrid', 'meaning'] as const) {
    const answer = await search(mode);
    assert.ok(codes(answer.notices).includes('stale_vectors'), mode);
    assert.equal(answer.hits[0]!.path.endsWith('a.md'), true, 'found by its words');
    assert.equal(answer.hits[0]!.similarity, undefined);
  }
});

test('words are searched once, though they answer for the vectors too', async () => {
  for (const mode of ['hybrid', 'meaning'] as const) {
    const misspelt = await search(mode, 'mony');
    assert.deepEqual(
      codes(misspelt.notices).filter((code) => code === 'spelling'),
      ['spelling'],
      mode,
    );
  }
});

test('an ingest of the same folder renews them', async () => {
  const report = await ingest();
  assert.ok(report.warnings.some((message) => message.includes('are being replaced')));
  const answer = await search('meaning');
  assert.ok(!codes(answer.notices).includes('stale_vectors'));
  assert.equal(answer.hits.length, 2, 'both documents have vectors again');
  assert.equal((await ingest()).warnings.length, 0, 'once');
});
