import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localCall } from '../../../src/engine/call.ts';
import { tempEngine } from '../../support/temp-engine.ts';

test('collections that flowrag_index did not make are indexed too', async (context) => {
  const temp = await tempEngine();
  context.after(() => temp.close());
  const { engine } = temp;
  const call = localCall();
  assert.equal((await engine.graph.stats(call)).lastIndexedAt, null);
  await engine.ingest.text(call, { collection: 'notes', source: 'a', text: 'The Auth Service uses Redis.' });
  await engine.graph.build(call, { collection: 'notes' });
  assert.match((await engine.graph.stats(call)).lastIndexedAt!, /^\d{4}-/);
});
