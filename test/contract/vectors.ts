// Contract: search by meaning.

import assert from 'node:assert/strict';
import { prefixFilter } from '../../src/domain/filter.ts';
import type { Scope, Store } from '../../src/ports/store.ts';
import { collection, DIMENSIONS, document, MODEL, vector } from './fixtures.ts';
import { cases, type Subject } from './harness.ts';

async function near(store: Store, wanted: Float32Array, scope: Scope = {}, limit = 10): Promise<string[]> {
  const found = await store.search.vectors({ vector: wanted, model: MODEL, scope, limit });
  const chunks = await store.search.chunks(found.hits.map((hit) => hit.id));
  return chunks.map((chunk) => `${chunk.path}#${chunk.ordinal}`);
}

export function vectorContract(subject: Subject): void {
  const check = cases(subject);

  check('the nearest vectors come first, scored by their cosine', async ({ store, settled }) => {
    await store.documents.replace(
      document({ path: 'a', text: 'x\n\ny\n\nz', vectors: [vector(0.8), vector(0), undefined] }),
    );
    await store.documents.replace(document({ path: 'b', text: 'w', vectors: [vector(0.2)] }));
    await settled();
    assert.deepEqual(await near(store, vector(0.05)), ['a#1', 'b#0', 'a#0']);
    const { hits } = await store.search.vectors({ vector: vector(0.2), model: MODEL, scope: {}, limit: 2 });
    assert.equal(hits.length, 2);
    assert.ok(Math.abs(hits[0]!.score - 1) < 1e-5);
    assert.ok(Math.abs(hits[1]!.score - Math.cos(0.1 * Math.PI)) < 1e-5);
  });

  check('vectors come back as they were written', async ({ store }) => {
    const written = [vector(0.3), vector(0.7)];
    await store.documents.replace(document({ path: 'a', text: 'x\n\ny\n\nz', vectors: written }));
    const ids = (await store.documents.chunks('docs', 'a')).map((chunk) => chunk.id);
    const found = await store.search.vectorsOf([...ids, 'nonsense']);
    assert.equal(found.size, 2);
    written.forEach((value, index) => {
      const back = found.get(ids[index]!)!;
      assert.equal(back.length, DIMENSIONS);
      back.forEach((number, at) => assert.ok(Math.abs(number - value[at]!) < 1e-6));
    });
  });

  check('only vectors of the same model and length are compared', async ({ store, settled }) => {
    await store.collections.put(
      collection('other', { embedding: { model: 'else', dimensions: DIMENSIONS } }),
    );
    await store.collections.put(collection('long', { embedding: { model: MODEL, dimensions: 128 } }));
    await store.documents.replace(document({ path: 'a', text: 'x', vectors: [vector(0)] }));
    await store.documents.replace(
      document({ collection: 'other', path: 'b', text: 'x', vectors: [vector(0)] }),
    );
    await store.documents.replace(
      document({ collection: 'long', path: 'c', text: 'x', vectors: [vector(0, 128)] }),
    );
    await settled();
    assert.deepEqual(await near(store, vector(0)), ['a#0']);
    assert.deepEqual(await near(store, vector(0, 128)), ['c#0']);
    const { hits } = await store.search.vectors({ vector: vector(0), model: 'unknown', scope: {}, limit: 3 });
    assert.deepEqual(hits, []);
  });

  check('scope and filter apply inside the vector search', async ({ store, settled }) => {
    await store.collections.put(collection('other'));
    for (let n = 0; n < 40; n += 1) {
      await store.documents.replace(
        document({
          collection: n % 2 ? 'other' : 'docs',
          path: `n${n}`,
          text: 'x\n\ny',
          vectors: [vector(n / 100), vector(n / 100)],
          metadata: { type: n === 38 ? 'wanted' : 'plain' },
        }),
      );
    }
    await settled();
    const filter = { op: 'eq', path: 'metadata.type', value: 'wanted' } as const;
    assert.deepEqual(await near(store, vector(0), { filter }, 1), ['n38#0']);
    assert.deepEqual(await near(store, vector(0), { collections: ['other'] }, 1), ['n1#0']);
    assert.deepEqual(await near(store, vector(0), { collections: ['other'], filter }), []);
    assert.deepEqual(await near(store, vector(0), { collections: ['nothing'] }), []);
    const within = prefixFilter('source', 'n3');
    assert.deepEqual(await near(store, vector(0), { filter: within }, 3), ['n3#0', 'n3#1', 'n30#0']);
    const second = { op: 'eq', path: 'metadata.chunkIndex', value: 1 } as const;
    assert.deepEqual(await near(store, vector(0), { filter: second }, 2), ['n0#1', 'n1#1']);
  });

  check(
    'deletes and updates are seen at once, also by another process',
    async ({ store, again, settled }) => {
      const others = await again();
      const other = await others.open('contract');
      const both = async (wanted: string[]) => {
        await settled();
        assert.deepEqual(await near(store, vector(0)), wanted);
        assert.deepEqual(await near(other, vector(0)), wanted);
      };
      await both([]);
      await store.documents.replace(document({ path: 'a', text: 'x', vectors: [vector(0.1)] }));
      await both(['a#0']);
      await other.documents.replace(
        document({ path: 'b', text: 'x\n\ny', vectors: [vector(0), vector(0.5)] }),
      );
      await both(['b#0', 'a#0', 'b#1']);
      await store.documents.replace(document({ path: 'b', text: 'x', vectors: [vector(0.9)] }));
      await both(['a#0', 'b#0']);
      await other.documents.remove('docs', 'a');
      await both(['b#0']);
      await store.documents.move('docs', 'b', 'c');
      await both(['c#0']);
      await store.documents.replace(document({ path: 'c', text: 'words only' }));
      await both([]);
      await others.close();
    },
  );

  check(
    'every dimension from 64 to 2048 is searched exactly while a collection is small',
    async ({ store, settled }) => {
      for (const dimensions of [64, 100, 256, 1024, 2048]) {
        const name = `d${dimensions}`;
        await store.collections.put(collection(name, { embedding: { model: MODEL, dimensions } }));
        const vectors = Array.from({ length: 50 }, (_, n) => pseudo(n + 1, dimensions));
        const text = vectors.map((_, n) => `chunk ${n}`).join('\n\n');
        await store.documents.replace(document({ collection: name, path: 'a', text, vectors }));
        await settled();
        const wanted = pseudo(999, dimensions);
        const exact = vectors
          .map((value, n) => ({ n, score: dot(value, wanted) }))
          .sort((a, b) => b.score - a.score)
          .slice(0, 10);
        assert.deepEqual(
          await near(store, wanted, { collections: [name] }),
          exact.map(({ n }) => `a#${n}`),
        );
      }
    },
  );

  check(
    'a query of the wrong length or of zeros finds nothing and does not throw',
    async ({ store, settled }) => {
      await store.documents.replace(document({ path: 'a', text: 'x', vectors: [vector(0)] }));
      await settled();
      const short = await store.search.vectors({ vector: vector(0, 65), model: MODEL, scope: {}, limit: 3 });
      assert.deepEqual(short.hits, []);
      const zero = await store.search.vectors({
        vector: new Float32Array(DIMENSIONS),
        model: MODEL,
        scope: {},
        limit: 3,
      });
      assert.ok(zero.hits.length <= 1);
    },
  );
}

/** A fixed pseudo-random unit vector. */
export function pseudo(seed: number, dimensions: number): Float32Array {
  const made = new Float32Array(dimensions);
  let state = seed * 2654435761;
  let length = 0;
  for (let at = 0; at < dimensions; at += 1) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    made[at] = ((state >>> 8) & 0xffff) / 0xffff - 0.5;
    length += made[at]! ** 2;
  }
  return made.map((value) => value / Math.sqrt(length));
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!;
  return sum;
}
