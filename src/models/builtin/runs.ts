// Runs of letters and digits with the ids they became, kept as bytes and numbers: looked up without making a string, and
// without anything for the garbage collector. When full it forgets everything and begins anew.

/** Longer runs are hardly met twice. */
export const MAX_REMEMBERED = 40;
/** Tried places for a run: texts made to collide are slow to encode, never without end. */
const PLACES = 8;
const SLOTS = 131_072;
const MAX_KEYS = 1_048_576;
const MAX_IDS = 262_144;

export interface Runs {
  /** Where `copy` finds the run's ids, or -1. */
  find(bytes: Uint8Array, start: number, length: number, hash: number): number;
  /** Writes the ids from `count` on, as far as there is room; answers the new count. */
  copy(found: number, ids: Int32Array, count: number): number;
  remember(
    bytes: Uint8Array,
    run: { start: number; length: number; hash: number },
    ids: readonly number[],
  ): void;
  clear(): void;
}

export function createRuns(): Runs {
  // Per slot: the hash, where the bytes begin, their number and that of the ids, where the ids begin.
  const slots = new Int32Array(SLOTS * 4);
  const keys = new Uint8Array(MAX_KEYS);
  const values = new Int32Array(MAX_IDS);
  let keysEnd = 0;
  let valuesEnd = 0;

  function clear(): void {
    slots.fill(0);
    keysEnd = valuesEnd = 0;
  }

  const slotOf = (hash: number, place: number): number =>
    (((hash ^ (hash >>> 15)) + place) & (SLOTS - 1)) << 2;

  return {
    find(bytes, start, length, hash) {
      for (let place = 0; place < PLACES; place++) {
        const slot = slotOf(hash, place);
        const sizes = slots[slot + 2]!;
        if (sizes === 0) return -1;
        if (slots[slot] !== hash || (sizes & 0xff) !== length) continue;
        const key = slots[slot + 1]!;
        let same = 0;
        while (same < length && keys[key + same] === bytes[start + same]) same++;
        if (same === length) return slot;
      }
      return -1;
    },
    copy(found, ids, count) {
      const size = slots[found + 2]! >> 8;
      const from = slots[found + 3]!;
      for (let at = 0; at < size; at++) ids[count + at] = values[from + at]!;
      return count + size;
    },
    remember(bytes, { start, length, hash }, ids) {
      if (keysEnd + length > MAX_KEYS || valuesEnd + ids.length > MAX_IDS) clear();
      for (let place = 0; place < PLACES; place++) {
        const slot = slotOf(hash, place);
        if (slots[slot + 2] !== 0) continue;
        slots[slot] = hash;
        slots[slot + 1] = keysEnd;
        slots[slot + 2] = length | (ids.length << 8);
        slots[slot + 3] = valuesEnd;
        for (let at = 0; at < length; at++) keys[keysEnd++] = bytes[start + at]!;
        for (const id of ids) values[valuesEnd++] = id;
        return;
      }
    },
    clear,
  };
}
