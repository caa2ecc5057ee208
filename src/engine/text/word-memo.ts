// A direct-mapped cache of what was computed for a word, looked up by the characters of a text: a word that repeats is
// neither sliced out of its text nor hashed as a string. A slot holds one word; the next word that hashes to it replaces it.

const PLACES = 16_384;
/** Longer words are not kept. */
const LONGEST = 32;

export interface WordMemo<T> {
  get(units: Uint16Array, from: number, to: number): T | undefined;
  /** For the word last asked for. */
  put(value: T): void;
  clear(): void;
}

export function createWordMemo<T>(): WordMemo<T> {
  const lengths = new Uint8Array(PLACES);
  const letters = new Uint16Array(PLACES * LONGEST);
  const values: (T | undefined)[] = new Array<T | undefined>(PLACES).fill(undefined);
  const asked: { units: Uint16Array; from: number; length: number; place: number } = {
    units: letters,
    from: 0,
    length: 0,
    place: -1,
  };

  return {
    get(units, from, to) {
      const length = to - from;
      asked.place = -1;
      if (length > LONGEST || length === 0) return undefined;
      let hash = length;
      for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ units[at]!, 0x01000193);
      const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
      if (lengths[place] === length) {
        const start = place * LONGEST;
        let at = 0;
        while (at < length && letters[start + at] === units[from + at]) at += 1;
        if (at === length) return values[place];
      }
      asked.units = units;
      asked.from = from;
      asked.length = length;
      asked.place = place;
      return undefined;
    },
    put(value) {
      const { units, from, length, place } = asked;
      if (place === -1) return;
      for (let at = 0; at < length; at += 1) letters[place * LONGEST + at] = units[from + at]!;
      lengths[place] = length;
      values[place] = value;
    },
    clear() {
      lengths.fill(0);
      values.fill(undefined);
    },
  };
}
