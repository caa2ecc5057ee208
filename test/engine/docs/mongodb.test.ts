// Sources on the other store: the same answers, through the stand-in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GUIDE, openBlz } from '../../support/blz-engine.ts';
import { startMongod } from '../../support/mongod/start.ts';

test('a source is added, found, refreshed, followed, checked and removed on MongoDB', async () => {
  const mongod = await startMongod();
  const blz = await openBlz({ env: { VAI_STORE: 'mongodb', MONGODB_URI: mongod.uri } });
  try {
    const { docs } = blz.engine;
    blz.server.set('/guide.md', GUIDE);
    await docs.add(blz.call, { alias: 'guide', url: `${blz.server.origin}/guide.md` });
    const { hits } = await docs.find(blz.call, { query: '+alpha +beta' });
    assert.deepEqual(
      hits.map((hit) => [hit.alias, hit.lines, hit.pageUrl]),
      [['guide', '30-33', 'https://docs.example/reference']],
    );
    blz.server.set('/guide.md', `New.\n\n${GUIDE}`);
    assert.equal((await docs.update(blz.call, {}))[0]!.status, 'refreshed');
    assert.equal((await docs.update(blz.call, {}))[0]!.status, 'unchanged');
    const { snippets } = await docs.find(blz.call, { snippets: [`guide:30-32@${hits[0]!.rev}`] });
    assert.deepEqual([snippets[0]!.lines, snippets[0]!.status], ['32-34', 'moved']);
    assert.deepEqual(
      (await docs.history(blz.call, {})).map((event) => event.result),
      ['unchanged', 'updated', 'added'],
    );
    assert.equal((await docs.validate(blz.call, { alias: 'guide' }))[0]!.status, 'healthy');
    await docs.remove(blz.call, 'guide');
    assert.deepEqual(await docs.inspect(blz.call), []);
  } finally {
    await blz.close();
    await mongod.stop();
  }
});
