// How much each piece of a text counts in its vector; `training/pooling.py` does the same, so a change here needs a
// newly trained model. A piece that occurs often counts less each time, as in word search; one that stands early counts
// more, because the opening of a text says best what it is about.

/** Beyond this the rest of a text no longer moves its vector. */
export const MAX_TOKENS = 32_000;
const POWER = 0.65;
const NEAR = 48;
const FALL = 0.2;

export interface Pooling {
  /** Distinct ids and what each counts. */
  readonly ids: Int32Array;
  readonly weights: Float32Array;
  /** Fills both from a text's ids, which may lie in `ids` itself; answers how many distinct ones there are. */
  pool(ids: ArrayLike<number>, count: number): number;
}

export function createPooling(rows: number, ids: Int32Array, weights: Float32Array): Pooling {
  const occurrences = new Uint16Array(rows);
  const sums = new Float32Array(rows);
  const early = new Float32Array(ids.length);
  let known = 0;
  const repeated = Float32Array.from({ length: 256 }, (_, times) => Math.max(times, 1) ** (POWER - 1));

  return {
    ids,
    weights,
    pool(all, count) {
      for (; known < count; known++) early[known] = (1 + known / NEAR) ** -FALL;
      let distinct = 0;
      for (let at = 0; at < count; at++) {
        const id = all[at]!;
        if (occurrences[id]! === 0) {
          sums[id] = 0;
          // Never ahead of what is read.
          ids[distinct++] = id;
        }
        occurrences[id]! += 1;
        sums[id]! += early[at]!;
      }
      for (let at = 0; at < distinct; at++) {
        const id = ids[at]!;
        const times = occurrences[id]!;
        weights[at] = sums[id]! * (times < repeated.length ? repeated[times]! : times ** (POWER - 1));
        occurrences[id] = 0;
      }
      return distinct;
    },
  };
}
