// Where a run writes and with which model: a store and models that only remember what they were asked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChunkProfile } from '../../../src/domain/chunk.ts';
import type { Collection } from '../../../src/domain/collection.ts';
import { LOCAL } from '../../../src/engine/call.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import {
  describeProfile,
  isStale,
  modelStamp,
  openTarget,
  sameProfile,
  undoTarget,
  type Target,
  type TargetRequest,
} from '../../../src/engine/index/target.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { Store } from '../../../src/ports/store.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const FALLBACK: ChunkProfile = { strategy: 'markdown', size: 1_000, overlap: 0 };
const STATED: ChunkProfile = { strategy: 'markdown', size: 700, overlap: 70 };

interface Place {
  existing?: Partial<Collection> & { documents?: number; vectors?: number };
  settings?: object;
  revision?: number;
  hosted?: boolean;
  fails?: boolean;
}

function place({ existing, settings = {}, revision, hosted = false, fails = false }: Place = {}) {
  const put: Collection[] = [];
  const removed: string[] = [];
  const asked: [string | undefined, number | undefined][] = [];
  const probed: string[] = [];
  const { documents = 1, vectors = 1, ...record } = existing ?? {};
  const stats = { documents, vectors, chunks: documents, bytes: documents };
  let known: Collection | undefined = existing && {
    name: 'docs',
    createdAt: 'before',
    updatedAt: 'before',
    ...record,
  };
  const store = {
    cache: { get: () => Promise.resolve(new Map()), put: () => Promise.resolve() },
    collections: {
      get: () => Promise.resolve(known && { ...known, stats }),
      list: () => Promise.resolve(known ? [{ ...known, stats }] : []),
      change: (_name: string, edit: (before: Collection | undefined) => Collection | undefined) => {
        const changed = edit(known);
        if (changed) put.push((known = changed));
        return Promise.resolve(changed);
      },
      remove: (name: string) => Promise.resolve(void removed.push(name)),
    },
  } as unknown as Store;
  const deps = {
    now: () => new Date(NOW),
    settings,
    models: {
      traits: () => ({ revision }),
      space: (model: string) => model.split('/')[0],
      embedder: (model: string | undefined, dimensions: number | undefined) => {
        asked.push([model, dimensions]);
        const embedder = {
          model: model ?? 'auto',
          dimensions: dimensions ?? 8,
          hosted,
          embed: (texts: string[]) => {
            probed.push(...texts);
            if (fails) return Promise.reject(new Error('away'));
            return Promise.resolve({ vectors: [], tokens: 0, requests: 1 });
          },
        };
        return Promise.resolve(embedder as unknown as Embedder);
      },
    },
  } as unknown as EngineDeps;
  const open = (request: Partial<TargetRequest> = {}): Promise<Target> =>
    openTarget(deps, store, { name: 'docs', caller: LOCAL, fallback: FALLBACK, ...request });
  return { store, put, removed, asked, probed, open };
}

const stamp = (model: string, dimensions = 8, revision?: number) => ({
  embedding: { model, dimensions, ...(revision === undefined ? {} : { revision }) },
});

describe('a collection', () => {
  it('is made with the model that answered', async () => {
    const at = place();
    const target = await at.open();
    assert.equal(target.created, true);
    assert.deepEqual(at.put, [
      { name: 'docs', createdAt: NOW, updatedAt: NOW, embedding: { model: 'auto', dimensions: 8 } },
    ]);
    assert.deepEqual(target.notices, []);
    assert.deepEqual(target.chunking(undefined), FALLBACK);
    assert.equal(target.asked, undefined);
  });

  it('keeps its record, and notes what the run says', async () => {
    const at = place({ existing: { title: 'Docs', ...stamp('a') } });
    const run = { startedAt: NOW } as unknown as Collection['run'];
    const target = await at.open({ onlyNamed: true, run });
    assert.equal(target.created, false);
    assert.deepEqual(at.put, [
      {
        name: 'docs',
        title: 'Docs',
        createdAt: 'before',
        updatedAt: NOW,
        ...stamp('a'),
        onlyNamed: true,
        run,
      },
    ]);
  });

  it('that is full takes nothing from the network, and no model is asked for', async () => {
    const at = place({
      existing: stamp('a'),
      settings: { limits: { chunks: 1, bytes: 99, collections: 9 } },
    });
    const caller = { ...LOCAL, id: 'key' };
    await assert.rejects(at.open({ caller }), { code: 'STORE_FULL' });
    assert.deepEqual([at.put, at.asked], [[], []]);
    await at.open();
  });

  it('of words alone asks for no model', async () => {
    const at = place();
    const target = await at.open({ model: 'none' });
    assert.deepEqual([target.embedder, at.asked, at.put[0]!.embedding], [undefined, [], undefined]);
    const configured = place({ settings: { model: 'none' } });
    assert.equal((await configured.open()).embedder, undefined);
  });

  it('that was made for nothing is removed again', async () => {
    const empty = place({ existing: { documents: 0 } });
    await undoTarget(empty.store, { ...(await empty.open()), created: true });
    assert.deepEqual(empty.removed, ['docs']);
    const filled = place({ existing: { documents: 1 } });
    await undoTarget(filled.store, { ...(await filled.open()), created: true });
    const older = place({ existing: { documents: 0 } });
    await undoTarget(older.store, await older.open());
    assert.deepEqual([...filled.removed, ...older.removed], []);
  });
});

describe('a model', () => {
  it('is the one named, else the collection’s own, else the configured one', async () => {
    const settings = { model: 'configured', dimensions: 4 };
    const asked = async (request: Partial<TargetRequest>) => {
      const fresh = place({ settings });
      await fresh.open(request);
      return fresh.asked[0];
    };
    assert.deepEqual(await asked({}), ['configured', 4]);
    assert.deepEqual(await asked({ model: 'named' }), ['named', undefined]);
    assert.deepEqual(await asked({ model: 'named', dimensions: 2 }), ['named', 2]);
    const stamped = place({ settings, existing: stamp('own', 16) });
    await stamped.open();
    assert.deepEqual(stamped.asked, [['own', 16]]);
  });

  it('of another space or length is refused', async () => {
    const at = place({ existing: stamp('voyage/a') });
    await assert.rejects(at.open({ model: 'other/a' }), { code: 'MODEL_MISMATCH' });
    assert.equal(at.asked.length, 0, 'before anything is loaded');
    await assert.rejects(at.open({ model: `other/${'x'.repeat(100)}` }), {
      message: `\`docs\` was embedded with voyage/a; other/${'x'.repeat(74)} does not fit it.`,
    });
    await assert.rejects(at.open({ dimensions: 4 }), { code: 'DIMENSION_MISMATCH' });
    const twin = await at.open({ model: 'voyage/b' });
    assert.equal(twin.collection.embedding!.model, 'voyage/a', 'the collection keeps its stamp');
    assert.equal(at.probed.length, 0);
  });

  it('takes the place of another when that is wanted and it answers', async () => {
    const at = place({ existing: stamp('a', 16), revision: 3 });
    const target = await at.open({ model: 'b', remodel: true });
    assert.deepEqual(target.collection.embedding, { model: 'b', dimensions: 8, revision: 3 });
    assert.deepEqual([at.asked, at.probed], [[['b', undefined]], ['vai']]);
    const away = place({ existing: stamp('a', 16), fails: true });
    await assert.rejects(away.open({ model: 'b', remodel: true }), /away/);
    assert.equal(away.put.length, 0);
    const same = place({ existing: stamp('a', 8) });
    await same.open({ model: 'a', remodel: true });
    assert.deepEqual(same.probed, []);
  });

  it('of an earlier revision gives up its vectors first', async () => {
    const at = place({ existing: stamp('a', 8, 1), revision: 2 });
    const target = await at.open();
    assert.equal(at.put.length, 2);
    assert.equal(at.put[0]!.embedding, undefined);
    assert.deepEqual(at.put[1]!.embedding, { model: 'a', dimensions: 8, revision: 2 });
    assert.match(target.notices[0]!, /^The vectors in `docs` come from an earlier a and are being replaced/);
    const without = place({ existing: { ...stamp('a', 8, 1), vectors: 0 }, revision: 2 });
    assert.deepEqual((await without.open()).notices, []);
    const current = place({ existing: stamp('a', 8, 2), revision: 2 });
    await current.open();
    assert.equal(current.put.length, 1);
  });

  it('that another call has chosen in the meantime is the collection’s', async () => {
    const at = place();
    const change = at.store.collections.change.bind(at.store.collections);
    at.store.collections.change = async (name, edit) => {
      at.store.collections.change = change;
      await change(name, () => ({ name, createdAt: 'now', updatedAt: 'now', ...stamp('other', 4) }));
      return change(name, edit);
    };
    await assert.rejects(at.open({ model: 'mine' }), { code: 'MODEL_MISMATCH' });
    assert.deepEqual(at.put.at(-1)!.embedding, { model: 'other', dimensions: 4 });
  });

  it('that is hosted is metered behind the cache', async () => {
    let metered = 0;
    const meter = (embedder: Embedder): Embedder => {
      metered += 1;
      return embedder;
    };
    await place({ hosted: true }).open({ meter });
    assert.equal(metered, 1);
    await place().open({ meter });
    assert.equal(metered, 1);
    assert.equal((await place({ hosted: true }).open()).embedder!.model, 'auto', 'without a meter too');
  });
});

describe('chunking', () => {
  it('is said by the call, the document, the collection, the default', async () => {
    const before = { version: 1, chunking: { strategy: 'fixed', size: 5, overlap: 0 } as const };
    const stated = place({ existing: { ...stamp('a'), chunking: STATED } });
    const quiet = await stated.open();
    assert.deepEqual(quiet.chunking(undefined), STATED);
    assert.deepEqual(quiet.chunking(before as never), before.chunking);
    const asked = await stated.open({ chunk: { size: 200 } });
    assert.equal(asked.chunking(before as never).size, 200);
    assert.equal(asked.asked!.strategy, 'markdown');
    assert.match(asked.notices[0]!, /^Chunked by markdown, 200 characters, for this text only; `docs` is/);
    assert.deepEqual(stated.put.at(-1)!.chunking, STATED, 'one call does not change the collection');
  });

  it('becomes the collection’s own where the call states it', async () => {
    const at = place({ existing: { ...stamp('a'), chunking: STATED } });
    const target = await at.open({ chunk: { size: 200, overlap: 10 }, states: true });
    assert.deepEqual(at.put[0]!.chunking, { strategy: 'markdown', size: 200, overlap: 10 });
    assert.match(target.notices[0]!, /^From now on files of `docs` are chunked by markdown, 200 characters/);
    const again = await at.open({ chunk: { size: 200, overlap: 10 }, states: true });
    assert.deepEqual(again.notices, []);
    const first = await place().open({ chunk: { size: 200 } });
    assert.deepEqual(first.notices, [], 'nothing was stated before');
    assert.equal((await place().open({ chunk: {} })).asked, undefined);
  });

  it('is completed: another strategy does not take over the size', async () => {
    const other = await place().open({ chunk: { strategy: 'sentence' } });
    assert.deepEqual([other.asked!.size, other.asked!.overlap], [512, 50]);
    const blocks = await place().open({ chunk: { strategy: 'blocks' } });
    assert.equal(blocks.asked!.overlap, 0);
    await assert.rejects(place().open({ chunk: { size: 1 } }), { code: 'INVALID_INPUT' });
  });
});

it('stamps and profiles are told apart by every part', () => {
  assert.equal(modelStamp({ model: 'm', dimensions: 8 }), 'm 8');
  assert.equal(modelStamp({ model: 'm', dimensions: 8, revision: 0 }), 'm 8 revision 0');
  assert.equal(
    describeProfile({ strategy: 'markdown', size: 1_500, overlap: 0 }),
    'markdown, 1,500 characters',
  );
  assert.equal(sameProfile(STATED, { ...STATED }), true);
  for (const other of [{ strategy: 'fixed' }, { size: 1 }, { overlap: 1 }])
    assert.equal(sameProfile(STATED, { ...STATED, ...other } as ChunkProfile), false);
  const models = { traits: () => ({ revision: 2 }) } as never;
  assert.equal(isStale(models, undefined), false);
  assert.equal(isStale(models, { model: 'm', dimensions: 8 }), true);
  assert.equal(isStale(models, { model: 'm', dimensions: 8, revision: 2 }), false);
  const gone = { traits: () => ({}) } as never;
  assert.equal(isStale(gone, { model: 'm', dimensions: 8, revision: 2 }), false, 'nothing to compare with');
});
