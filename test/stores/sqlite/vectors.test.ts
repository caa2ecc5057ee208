// The vector scan: the SIMD loops against plain arithmetic, codes against exact search, memory and thread.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { connect, type Connection } from '../../../src/stores/sqlite/connection.ts';
import { createStore } from '../../../src/stores/sqlite/store.ts';
import { createArena } from '../../../src/stores/sqlite/vectors/arena.ts';
import { scanningThread } from '../../../src/stores/sqlite/vectors/search.ts';
import {
  byteStride,
  codeBytes,
  queryPlanes,
  signCode,
  toBytes,
  toShorts,
} from '../../../src/stores/sqlite/vectors/code.ts';
import { createScanner, type ScanRequest } from '../../../src/stores/sqlite/vectors/scanner.ts';
import { topScores } from '../../../src/stores/sqlite/vectors/top.ts';
import type { Store } from '../../../src/ports/store.ts';
import { collection, document, MODEL } from '../../contract/fixtures.ts';
import { dot, pseudo } from '../../contract/vectors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DIMENSIONS = 128;

test('the loop over bytes is the inner product, but for their rounding', () => {
  for (const dimensions of [64, 100, 257, 2048]) {
    const arena = createArena();
    const stride = byteStride(dimensions);
    const vectors = Array.from({ length: 7 }, (_, n) => pseudo(n + 1, dimensions));
    const query = pseudo(99, dimensions);
    const { shorts, scale } = toShorts(query);
    const rows = arena.take((stride + 4) * vectors.length);
    const input = arena.take(shorts.byteLength);
    const out = arena.take(4 * vectors.length);
    arena.u8(input).set(new Uint8Array(shorts.buffer));
    vectors.forEach((vector, n) => {
      const row = arena.u8(rows).subarray(n * (stride + 4), (n + 1) * (stride + 4));
      const factor = toBytes(vector, row.subarray(4));
      row.set(new Uint8Array(Float32Array.of(factor).buffer));
    });
    arena.kernel.bytes(input.offset, rows.offset, out.offset, vectors.length, stride, scale);
    vectors.forEach((vector, n) => {
      const expected = dot(vector, query);
      assert.ok(Math.abs(arena.f32(out)[n]! - expected) < 2e-3, `${arena.f32(out)[n]} for ${expected}`);
    });
  }
});

test('the largest products of bytes do not overflow', () => {
  const arena = createArena();
  const vector = new Float32Array(4096).fill(1);
  const { shorts, scale } = toShorts(vector);
  const stride = byteStride(4096);
  const rows = arena.take(4 + stride);
  const input = arena.take(shorts.byteLength);
  const out = arena.take(4);
  arena.u8(input).set(new Uint8Array(shorts.buffer));
  arena.f32(rows)[0] = toBytes(vector, arena.u8(rows).subarray(4, 4 + stride));
  arena.kernel.bytes(input.offset, rows.offset, out.offset, 1, stride, scale);
  assert.ok(Math.abs(arena.f32(out)[0]! - 4096) < 1);
});

test('the loop over codes is the estimate it says', () => {
  for (const dimensions of [64, 128, 300, 2048]) {
    const arena = createArena();
    const stride = codeBytes(dimensions);
    const vectors = Array.from({ length: 9 }, (_, n) => pseudo(n + 1, dimensions));
    const query = pseudo(77, dimensions);
    const planes = queryPlanes(query);
    const rows = arena.take((4 + stride) * vectors.length);
    const input = arena.take(planes.masks.length);
    const out = arena.take(4 * vectors.length);
    arena.u8(input).set(planes.masks);
    vectors.forEach((vector, n) => arena.u8(rows).set(signCode(vector), n * (4 + stride)));
    const { a, b, c } = planes;
    arena.kernel.codes(input.offset, rows.offset, out.offset, vectors.length, stride, a, b, c);
    vectors.forEach((vector, n) => {
      const sum = vector.reduce((total, value) => total + Math.abs(value), 0);
      const signs = vector.map((value) => (value > 0 ? 1 : -1));
      const expected = dot(signs, query) / sum;
      assert.ok(Math.abs(arena.f32(out)[n]! - expected) < 0.05, `${arena.f32(out)[n]} for ${expected}`);
    });
  }
});

test('a code has the bit of every number above zero, and of no other', () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 1, maxLength: 300, noNaN: true }), (vector) => {
      const code = signCode(vector);
      const bits = Array.from(vector, (_, at) => (code[4 + (at >> 3)]! >> (at & 7)) & 1);
      assert.deepEqual(
        bits,
        Array.from(vector, (value) => Number(value > 0)),
      );
      assert.equal(code.length, 4 + codeBytes(vector.length));
    }),
    { examples: [[Float32Array.of(0, -0, 1, -1, 2 ** -149, -(2 ** -149))]] },
  );
});

test('regions keep their bytes while others come and go', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 200_000 })), { maxLength: 40 }),
      (steps) => {
        const arena = createArena();
        const held: { region: ReturnType<typeof arena.take>; mark: number }[] = [];
        steps.forEach(([drop, size], mark) => {
          if (drop && held.length > 0) arena.drop(held.splice(size % held.length, 1)[0]!.region);
          else {
            const region = arena.take(size);
            arena.u8(region).fill(mark);
            held.push({ region, mark });
          }
          for (const one of held) assert.ok(arena.u8(one.region).every((byte) => byte === one.mark));
        });
      },
    ),
    { numRuns: 30 },
  );
});

test('the best scores are those a full sort would give', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 })),
      fc.integer({ min: 0, max: 12 }),
      (values, limit) => {
        const scores = Float32Array.from(values);
        const kept = (index: number): boolean => index % 3 !== 0;
        const expected = values
          .map((score, index) => ({ index, score }))
          .filter(({ index }) => kept(index))
          .sort((a, b) => b.score - a.score || a.index - b.index)
          .slice(0, limit)
          .map(({ index }) => index);
        assert.deepEqual(topScores(scores, scores.length, limit, kept), expected);
      },
    ),
  );
});

interface Filled {
  connection: Connection;
  store: Store;
  file: string;
}

async function filled(context: TestContext, documents: number, perDocument: number): Promise<Filled> {
  const folder = tempFolder('vectors');
  const file = join(folder, 'v.db');
  const connection = connect('v', file);
  const store = createStore(connection, () => new Date());
  context.after(() => store.close());
  await store.collections.put(collection('docs', { embedding: { model: MODEL, dimensions: DIMENSIONS } }));
  const writes = Array.from({ length: documents }, (_, n) => numbered(n, perDocument));
  await Promise.all(writes.map((write) => store.documents.replace(write)));
  return { connection, store, file };
}

function numbered(n: number, chunks: number, seed = 0) {
  const vectors = Array.from({ length: chunks }, (_, at) => pseudo(seed + n * 1000 + at + 1, DIMENSIONS));
  return document({ path: `p${n}`, text: 'x\n\n'.repeat(chunks), vectors, metadata: { odd: n % 2 === 1 } });
}

function request(seed: number, more: Partial<ScanRequest> = {}): ScanRequest {
  const vector = pseudo(seed, DIMENSIONS);
  return { vector, model: MODEL, collections: undefined, filter: undefined, limit: 10, ...more };
}

test('codes and rescoring find what an exact scan finds, through appends, deletes and updates', async (context) => {
  const { connection, store } = await filled(context, 40, 50);
  const exact = createScanner(connection);
  const coded = createScanner(connection, 0);
  const odd = { op: 'eq', path: 'metadata.odd', value: true } as const;
  const compare = (): void => {
    let kept = 0;
    for (let seed = 5000; seed < 5030; seed += 1) {
      for (const filter of [undefined, odd]) {
        const wanted = connection.read(() => exact.search(request(seed, { filter })));
        const found = connection.read(() => coded.search(request(seed, { filter })));
        const ids = new Set(found.map((hit) => hit.id));
        kept += wanted.filter((hit) => ids.has(hit.id)).length / wanted.length;
        for (const hit of found) {
          const same = wanted.find((other) => other.id === hit.id);
          if (same) assert.ok(Math.abs(same.score - hit.score) < 1e-5);
        }
      }
    }
    assert.ok(kept / 60 >= 0.97, `recall ${kept / 60}`);
  };
  compare();
  await store.documents.replace(numbered(41, 30));
  compare();
  for (const path of ['p0', 'p7', 'p41']) await store.documents.remove('docs', path);
  compare();
  await store.documents.replace(numbered(9, 70, 500_000));
  compare();
  const gap = numbered(42, 60, 900_000);
  gap.chunks.forEach((chunk, at) => {
    if (at % 7 === 3) delete chunk.vector;
  });
  await store.documents.replace(gap);
  compare();
  await store.collections.put(collection('docs', { embedding: { model: 'other', dimensions: DIMENSIONS } }));
  assert.deepEqual(
    connection.read(() => coded.search(request(1))),
    [],
  );
});

test('what is loaded in slices is the same, also when something changes in between', async (context) => {
  const { connection, store } = await filled(context, 10, 20);
  const sliced = createScanner(connection);
  const slice = () => connection.read(() => sliced.warm(request(1), 33));
  assert.equal(slice(), false);
  await store.documents.remove('docs', 'p0');
  await store.documents.replace(numbered(11, 25));
  while (!slice());
  const whole = createScanner(connection);
  for (const seed of [1, 2, 3])
    assert.deepEqual(
      connection.read(() => sliced.search(request(seed))),
      connection.read(() => whole.search(request(seed))),
    );
});

test('a search for zeros loads and finds nothing', async (context) => {
  const { connection, file } = await filled(context, 2, 3);
  const zeros = request(1, { vector: new Float32Array(DIMENSIONS), limit: 0 });
  assert.deepEqual(
    connection.read(() => createScanner(connection, 0).search(zeros)),
    [],
  );
  const thread = scanningThread({ database: 'v', file })!;
  context.after(() => thread.close());
  assert.deepEqual(await thread.ask(zeros), []);
  assert.equal((await thread.ask(request(1, { limit: 4 }))).length, 4);
});

test('the thread answers as the caller would, and says what is wrong', async (context) => {
  const { connection, store, file } = await filled(context, 10, 20);
  const thread = scanningThread({ database: 'v', file })!;
  context.after(() => thread.close());
  const here = createScanner(connection);
  const asked = await Promise.all([1, 2, 3].map((seed) => thread.ask(request(7000 + seed))));
  asked.forEach((hits, n) => {
    const wanted = connection.read(() => here.search(request(7001 + n)));
    assert.deepEqual(hits, wanted);
  });
  await store.documents.remove('docs', 'p3');
  const after = await thread.ask(request(7001, { limit: 1000 }));
  assert.equal(after.length, 180);
  const filter = { op: 'eq', path: 'nonsense', value: 1 } as const;
  await assert.rejects(thread.ask(request(1, { filter })), { code: 'FILTER_NOT_INDEXED' });
  await thread.close();
  assert.equal((await thread.ask(request(7001))).length, 10, 'it starts again when asked');
});
