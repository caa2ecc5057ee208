// Near-duplicates: a small min-hash sketch of a text's words, so that a page repeated under two paths is shown once.

const TOKEN = /[\p{L}\p{N}]+/gu;
const SIZE = 16;
const SAME = 15;

/** Sixteen minima of word hashes; equal texts have equal sketches, texts with nearly the same words nearly so. */
export function sketch(text: string): Int32Array {
  const minima = new Int32Array(SIZE).fill(0x7fffffff);
  for (const [word] of text.slice(0, 8000).toLowerCase().matchAll(TOKEN)) {
    let hash = 0x811c9dc5;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    for (let slot = 0; slot < SIZE; slot++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d + slot * 0x9e37) | 0;
      const value = hash & 0x7fffffff;
      if (value < minima[slot]!) minima[slot] = value;
    }
  }
  return minima;
}

export function nearlySame(a: Int32Array, b: Int32Array): boolean {
  let equal = 0;
  for (let slot = 0; slot < SIZE; slot++) if (a[slot] === b[slot]) equal += 1;
  return equal >= SAME;
}
