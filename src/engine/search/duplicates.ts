// Near-duplicates: a small min-hash sketch of a text's words, so that a page repeated under two paths is shown once.

const SIZE = 16;
const SAME = 15 / 16;
const MAX_TEXT = 8000;
/** Of 31 bits, as all values: V8 allocates for larger numbers. */
const EMPTY = 0x7fffffff;

const encoder = new TextEncoder();
const bytes = new Uint8Array(MAX_TEXT * 3 + 1);

/**
 * Each word falls into one of sixteen slots by its hash; a slot keeps the smallest. Equal texts have equal sketches, texts
 * with nearly the same words nearly so. A loop over bytes, because it runs on every new hit of a search.
 */
export function sketch(text: string): Uint32Array {
  const slots = new Uint32Array(SIZE).fill(EMPTY);
  const { written } = encoder.encodeInto(`${text.slice(0, MAX_TEXT)} `, bytes);
  let hash = 0;
  for (let at = 0; at < written; at++) {
    const byte = bytes[at]!;
    if (byte > 127 || (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57)) {
      hash = Math.imul((hash || 0x811c9dc5) ^ byte, 0x01000193);
    } else if (byte >= 65 && byte <= 90) {
      hash = Math.imul((hash || 0x811c9dc5) ^ (byte + 32), 0x01000193);
    } else if (hash !== 0) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
      const value = (hash ^ (hash >>> 13)) >>> 1;
      const slot = value % SIZE;
      slots[slot] = Math.min(slots[slot]!, value);
      hash = 0;
    }
  }
  return slots;
}

export function nearlySame(a: Uint32Array, b: Uint32Array): boolean {
  return likeness(a, b) >= SAME;
}

/** The share of their words that two texts have in common, about. */
export function likeness(a: Uint32Array, b: Uint32Array): number {
  let equal = 0;
  let used = 0;
  for (let slot = 0; slot < SIZE; slot++) {
    if (a[slot] === EMPTY && b[slot] === EMPTY) continue;
    used += 1;
    if (a[slot] === b[slot]) equal += 1;
  }
  return used === 0 ? 1 : equal / used;
}
