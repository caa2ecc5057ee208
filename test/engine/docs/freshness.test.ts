import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sourcesHealth } from '../../../src/engine/docs/freshness.ts';
import { openBlz } from '../../support/blz-engine.ts';
import * as play from '../../support/docs-server.ts';

test('how current sources are: the last check, pages that failed, a run that did not end, changes nobody indexed', async () => {
  const blz = await openBlz();
  try {
    const store = await blz.deps.stores.open('vai');
    assert.equal(await sourcesHealth(store, blz.deps.files), undefined);
    const folder = join(blz.home, 'handbook');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.md'), '# A\n\nText.\n');
    await blz.engine.docs.add(blz.call, { alias: 'handbook', path: folder });
    blz.server.set('/llms.txt', '# Index\n\n- [One](/one.md)\n- [Two](/two.md)\n- [Gone](/gone.md)\n');
    blz.server.set('/one.md', '# One\n\nText.\n');
    blz.server.set('/two.md', play.status(500));
    const added = await blz.engine.docs.add(blz.call, {
      alias: 'index',
      url: `${blz.server.origin}/llms.txt`,
    });
    assert.match(added.message, /, partly: 1 of its documents could not be read$/);

    const of = async (alias: string) =>
      (await blz.engine.docs.freshness(blz.call)).find((source) => source.alias === alias)!;
    assert.equal((await of('handbook')).unindexedSince, undefined);
    assert.deepEqual((await of('index')).pages, { total: 3, failed: 1, pending: 0 });

    const later = new Date(Date.now() + 3_600_000);
    const latest = new Date(Date.now() + 7_200_000);
    for (const [name, at] of [
      ['b.md', latest],
      ['c.md', later],
    ] as const) {
      writeFileSync(join(folder, name), '# New\n\nText.\n');
      utimesSync(join(folder, name), at, at);
    }
    const changed = await of('handbook');
    assert.equal(changed.unindexedSince, later.toISOString());
    assert.equal(changed.partial, undefined);

    const { stats: _stats, ...record } = (await store.collections.get('handbook'))!;
    await store.collections.put({ ...record, run: { startedAt: '2026-01-02T03:04:05.000Z', files: 3 } });
    assert.equal((await of('handbook')).partial, true);
    const health = {
      oldestCheck: record.source!.fetchedAt,
      failedPages: 1,
      pendingPages: 0,
      incompleteSince: '2026-01-02T03:04:05.000Z',
    };
    const unhurried = new AbortController().signal;
    assert.deepEqual(await sourcesHealth(store, blz.deps.files, unhurried), {
      ...health,
      unindexedSince: later.toISOString(),
    });
    // Without the time to look through folders the rest is still there.
    assert.deepEqual(await sourcesHealth(store, blz.deps.files, AbortSignal.abort()), health);
  } finally {
    await blz.close();
  }
});
