// Runs of letters and digits with what they became, kept as bytes and numbers: looked up without making a string, and
// without anything for the garbage collector. When full it forgets everything and begins anew.

/** Longer runs are hardly met twice. */
export const MAX_REMEMBERED = 40;
/** Tried places for a run: texts made to collide are slow to encode, never without end. */
const PLACES = 8;
const SLOTS = 131_072;
const MAX_KEYS = 1_048_576;
const MAX_IDS = 393_216;

export interface Runs {
  /** Where the run is kept, or -1. Good until the next `remember`. */
  find(bytes: Uint8Array, start: number, length: number, hash: number): number;
  /** Writes the ids from `count` on, as far as there is room; answers the new count. */
  copy(found: number, ids: Int32Array, count: number): number;
  /** The number of the run's word; 0 until somebody sets it. */
  word(found: number): number;
  setWord(found: number, word: number): void;
  /** Where it is kept from now on; -1 where there was no place for it. */
  remember(
    bytes: Uint8Array,
    run: { start: number; length: number; hash: number },
    ids: readonly number[],
  ): number;
}

export function createRuns(): Runs {
  // Per slot: the hash, where the bytes begin, their number and that of the ids, where word and ids begin.
  const slots = new Int32Array(SLOTS * 4);
  const keys = new Uint8Array(MAX_KEYS);
  const values = new Int32Array(MAX_IDS);
  let keysEnd = 0;
  let valuesEnd = 0;

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
      const from = slots[found + 3]! + 1;
      for (let at = 0; at < size; at++) ids[count + at] = values[from + at]!;
      return count + size;
    },
    word: (found) => values[slots[found + 3]!]!,
    setWord(found, word) {
      values[slots[found + 3]!] = word;
    },
    remember(bytes, { start, length, hash }, ids) {
      if (keysEnd + length > MAX_KEYS || valuesEnd + ids.length + 1 > MAX_IDS) {
        slots.fill(0);
        keysEnd = valuesEnd = 0;
      }
      for (let place = 0; place < PLACES; place++) {
        const slot = slotOf(hash, place);
        if (slots[slot + 2] !== 0) continue;
        slots[slot] = hash;
        slots[slot + 1] = keysEnd;
        slots[slot + 2] = length | (ids.length << 8);
        slots[slot + 3] = valuesEnd;
        for (let at = 0; at < length; at++) keys[keysEnd++] = bytes[start + at]!;
        values[valuesEnd++] = 0;
        for (const id of ids) values[valuesEnd++] = id;
        return slot;
      }
      return -1;
    },
  };
}
