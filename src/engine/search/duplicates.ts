// Near-duplicates: a small min-hash sketch of a text's words, so that a page repeated under two paths is shown once.

const SIZE = 16;
const SAME = 15;
const MAX_TEXT = 8000;

/**
 * Sixteen minima of word hashes; equal texts have equal sketches, texts with nearly the same words nearly so. Words are
 * told apart by a loop over character codes, because it runs on every hit of every search.
 */
export function sketch(text: string): Int32Array {
  const minima = new Int32Array(SIZE).fill(0x7fffffff);
  const end = Math.min(text.length, MAX_TEXT);
  let hash = 0;
  let inside = false;
  for (let at = 0; at <= end; at++) {
    const code = at < end ? lower(text.charCodeAt(at)) : 32;
    if (isWord(code)) {
      hash = Math.imul((inside ? hash : 0x811c9dc5) ^ code, 0x01000193);
      inside = true;
    } else if (inside) {
      inside = false;
      for (let slot = 0; slot < SIZE; slot++) {
        hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d + slot * 0x9e37) | 0;
        const value = hash & 0x7fffffff;
        if (value < minima[slot]!) minima[slot] = value;
      }
    }
  }
  return minima;
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}

export function nearlySame(a: Int32Array, b: Int32Array): boolean {
  let equal = 0;
  for (let slot = 0; slot < SIZE; slot++) if (a[slot] === b[slot]) equal += 1;
  return equal >= SAME;
}
