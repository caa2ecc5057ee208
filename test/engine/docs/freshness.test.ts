import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sourcesHealth } from '../../../src/engine/docs/freshness.ts';
import { openBlz } from '../../support/blz-engine.ts';
import { until } from '../../support/wait.ts';
import * as play from '../../support/docs-server.ts';

test('how current sources are: the last check, pages that failed, a run that did not end, changes nobody indexed', async () => {
  const blz = await openBlz();
  try {
    assert.equal(await sourcesHealth(blz.deps), undefined);
    assert.deepEqual(await blz.deps.stores.list(), [], 'asking makes no database');
    const store = await blz.deps.stores.open('vai');
    assert.equal(await sourcesHealth(blz.deps), undefined);
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
    const farther = new Date(Date.now() + 36_000_000);
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
    // On a busy machine there may be no time to look.
    await until(async () => {
      const { value } = await blz.tool('list-sources', { filter: 'handbook' });
      const { unindexedSince } = value.sources[0];
      if (unindexedSince === undefined) assert.match(value.notices[0], /Not checked.*handbook/);
      else assert.equal(unindexedSince, later.toISOString());
      return unindexedSince !== undefined;
    });
    await blz.engine.docs.update(blz.call, { aliases: ['handbook'] });
    assert.equal((await of('handbook')).unindexedSince, later.toISOString(), 'a time to come stays');
    blz.pass(10_800_000);
    await blz.engine.docs.update(blz.call, { aliases: ['handbook'] });
    assert.equal((await of('handbook')).unindexedSince, undefined);
    utimesSync(join(folder, 'b.md'), farther, farther);

    const run = { startedAt: '2026-01-02T03:04:05.000Z', files: 3 };
    await store.collections.change('handbook', (before) => before && { ...before, run });
    assert.equal((await of('handbook')).partial, true);
    const health = {
      oldestCheck: (await of('index')).checkedAt,
      failedPages: 1,
      pendingPages: 0,
      incompleteSince: '2026-01-02T03:04:05.000Z',
    };
    const unhurried = new AbortController().signal;
    assert.deepEqual(await sourcesHealth(blz.deps, unhurried), {
      ...health,
      unindexedSince: farther.toISOString(),
    });
    // Without the time to look through folders the rest is still there.
    assert.deepEqual(await sourcesHealth(blz.deps, AbortSignal.abort()), {
      ...health,
      notLookedThrough: 1,
    });
  } finally {
    await blz.close();
  }
});

test('a file that was edited and a version that is held are changes that are not indexed', async () => {
  const blz = await openBlz();
  try {
    const since = async (alias: string) => {
      const { value } = await blz.tool('list-sources', { filter: alias });
      return value.sources[0].unindexedSince as string | undefined;
    };
    const file = join(blz.home, 'notes.md');
    writeFileSync(file, '# Notes\n\nText.\n');
    await blz.engine.docs.add(blz.call, { alias: 'notes', path: file });
    const edited = new Date(Date.now() + 3_600_000);
    utimesSync(file, edited, edited);
    assert.equal(await since('notes'), edited.toISOString());
    rmSync(file);
    assert.equal(await since('notes'), undefined, 'what is gone says nothing');

    const long = `# Guide\n${'\nA line.\n'.repeat(20)}`;
    blz.server.set('/guide.md', long);
    await blz.engine.docs.add(blz.call, { alias: 'guide', url: `${blz.server.origin}/guide.md` });
    const update = async (force = false) =>
      (await blz.engine.docs.update(blz.call, { aliases: ['guide'], force }))[0]!.status;
    blz.server.set('/guide.md', '# Guide\n');
    assert.equal(await update(), 'held');
    const first = await since('guide');
    assert.ok(first);
    blz.pass(60_000);
    assert.equal(await update(), 'held');
    assert.equal(await since('guide'), first, 'the oldest one');
    assert.equal(
      (await blz.engine.docs.freshness(blz.call)).find(({ alias }) => alias === 'guide')!.held,
      true,
    );
    blz.server.set('/guide.md', long);
    assert.equal(await update(), 'unchanged');
    assert.equal(await since('guide'), undefined);
    blz.server.set('/guide.md', '# Guide\n');
    assert.equal(await update(), 'held');
    assert.equal(await update(true), 'refreshed');
    assert.equal(await since('guide'), undefined);
  } finally {
    await blz.close();
  }
});
