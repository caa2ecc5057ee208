import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createPooling } from '../../../src/models/builtin/pooling.ts';

const pooling = () => createPooling(50, new Int32Array(400), new Float32Array(400));
const early = (place: number): number => (1 + place / 48) ** -0.2;

test('early counts more than late, and often less each time', () => {
  const made = pooling();
  assert.equal(made.pool([7, 3, 7, 7], 4), 2);
  assert.deepEqual([...made.ids.subarray(0, 2)], [7, 3]);
  const often = (early(0) + early(2) + early(3)) * 3 ** (0.65 - 1);
  assert.ok(Math.abs(made.weights[0]! - often) < 1e-6);
  assert.ok(Math.abs(made.weights[1]! - early(1)) < 1e-6);
  assert.ok(made.weights[0]! > 1 && made.weights[0]! < 3);
});

test('every text is weighed by itself, also where its ids lie in the buffer that is filled', () => {
  const id = fc.nat(49);
  fc.assert(
    fc.property(fc.array(fc.array(id, { maxLength: 400 }), { maxLength: 5 }), (texts) => {
      const shared = pooling();
      for (const ids of texts) {
        shared.ids.set(ids);
        const count = shared.pool(shared.ids, ids.length);
        const fresh = pooling();
        assert.equal(fresh.pool(ids, ids.length), count);
        assert.equal(count, new Set(ids).size);
        assert.deepEqual(shared.ids.subarray(0, count), fresh.ids.subarray(0, count));
        assert.deepEqual(shared.weights.subarray(0, count), fresh.weights.subarray(0, count));
      }
    }),
  );
});
