// Hits chosen by the level of their heading, or by a match in the heading itself.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FindRequest } from '../../../src/engine/docs/types.ts';
import { openBlz } from '../../support/blz-engine.ts';

const TEXT = `---
title: Manual
---

# Manual

How to run the heron.

# Upgrades

## Rolling restart

Stop the node and start it again, one heron after the other.

## Afterwards

Check the heron.
`;

let blz: Awaited<ReturnType<typeof openBlz>>;

before(async () => {
  blz = await openBlz();
  blz.server.set('/manual/llms.txt', TEXT);
  await blz.engine.docs.add(blz.call, { alias: 'manual', url: `${blz.server.origin}/manual/llms.txt` });
});
after(() => blz.close());

async function found(request: Partial<FindRequest>): Promise<string[]> {
  const { hits } = await blz.engine.docs.find(blz.call, { source: 'manual', ...request });
  return hits.map(({ headingPath }) => headingPath.at(-1)!).sort();
}

test('a section that begins with a heading without text, or with front matter, stands under its own heading', async () => {
  assert.deepEqual(await found({ query: 'heron', levels: [1] }), ['Manual']);
  assert.deepEqual(await found({ query: 'heron', levels: [2] }), ['Afterwards', 'Rolling restart']);
  assert.deepEqual(await found({ query: 'manual', headingsOnly: true }), ['Manual']);
  assert.deepEqual(await found({ query: 'rolling restart', headingsOnly: true }), ['Rolling restart']);
});

test('it is also found by the heading it begins with', async () => {
  assert.deepEqual(await found({ query: 'upgrades', headingsOnly: true }), ['Rolling restart']);
  assert.deepEqual(await found({ query: 'upgrades', levels: [1] }), ['Rolling restart']);
  assert.deepEqual(await found({ query: 'node', headingsOnly: true }), []);
});
