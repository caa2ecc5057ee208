// The vocabulary, kept as the bytes of the file with a table of numbers: a piece is looked up without a string of its own
// for each of them.

const LINE_FEED = 10;
const SPACE = 32;
const MARK = 35;
/** Pieces that begin a word and those that continue one are hashed apart. */
const [BEGINS, CONTINUES] = [0x2f0b4c47, 0x51ed270b] as const;
const PRIME = 0x01000193;
/** Characters of a word that are looked at from one place on; no piece is longer. */
const MAX_PIECE = 64;

export interface Pieces {
  readonly count: number;
  /** The id of a lower-case word that is one piece, or -1. */
  whole(word: string): number;
  /** The longest piece found in a lower-case word from `start` on, or -1; after the first character one that continues a word. */
  longest(word: string, start: number): number;
  /** Characters of a piece. */
  size(id: number): number;
}

interface Index {
  /** Where each piece begins and ends in the bytes. */
  from: Int32Array;
  to: Int32Array;
  /** By hash: ids, each one more, so that 0 is a free place. */
  table: Int32Array;
  /** Length of the longest piece by its first character; those that continue a word come after the others. */
  longest: Uint8Array;
}

/**
 * Of so many names separated by line feeds, in the order of their ids and padded with spaces; `##` marks those that
 * continue a word. Undefined where there are not so many.
 */
export function createPieces(names: Uint8Array, count: number): Pieces | undefined {
  const index = indexOf(names, count);
  if (!index) return undefined;
  const { from, to, table, longest } = index;
  const hashes = new Int32Array(MAX_PIECE + 1);

  function find(hash: number, word: string, start: number, stop: number): number {
    const continues = start > 0;
    for (let slot = slotOf(hash, table); table[slot] !== 0; slot = (slot + 1) & (table.length - 1)) {
      const id = table[slot]! - 1;
      const begin = from[id]!;
      if (to[id]! - begin !== stop - start || (names[begin - 1] === MARK) !== continues) continue;
      let same = 0;
      while (start + same < stop && names[begin + same] === word.charCodeAt(start + same)) same += 1;
      if (start + same === stop) return id;
    }
    return -1;
  }

  return {
    count,
    size: (id) => to[id]! - from[id]!,
    whole(word) {
      let hash: number = BEGINS;
      for (let place = 0; place < word.length; place++)
        hash = Math.imul(hash ^ word.charCodeAt(place), PRIME);
      return find(hash, word, 0, word.length);
    },
    longest(word, start) {
      const kind = start > 0 ? 128 : 0;
      const most = Math.min(word.length - start, longest[(word.charCodeAt(start) & 127) | kind]!);
      hashes[0] = start > 0 ? CONTINUES : BEGINS;
      for (let size = 0; size < most; size++)
        hashes[size + 1] = Math.imul(hashes[size]! ^ word.charCodeAt(start + size), PRIME);
      for (let size = most; size > 0; size--) {
        const id = find(hashes[size]!, word, start, start + size);
        if (id !== -1) return id;
      }
      return -1;
    },
  };
}

/** One flat loop in a function of its own: it runs once, so that it is compiled early counts more than anything. */
function indexOf(names: Uint8Array, count: number): Index | undefined {
  const [from, to] = [new Int32Array(count), new Int32Array(count)];
  const table = new Int32Array(2 ** Math.ceil(Math.log2(count * 2)));
  const longest = new Uint8Array(256);
  let end = names.length;
  while (end > 0 && names[end - 1] === SPACE) end -= 1;
  let [known, start, kind] = [0, 0, 0];
  let hash: number = BEGINS;
  for (let at = 0; at <= end; at++) {
    const code = at === end ? LINE_FEED : names[at]!;
    if (code === MARK) {
      hash = CONTINUES;
      kind = 128;
      start = at + 1;
    } else if (code !== LINE_FEED) hash = Math.imul(hash ^ code, PRIME);
    else {
      if (known === count || at === start) return undefined;
      const first = (names[start]! & 127) | kind;
      if (at - start > longest[first]!) longest[first] = Math.min(at - start, MAX_PIECE);
      from[known] = start;
      to[known] = at;
      let slot = slotOf(hash, table);
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = ++known;
      hash = BEGINS;
      kind = 0;
      start = at + 1;
    }
  }
  return known === count ? { from, to, table, longest } : undefined;
}

function slotOf(hash: number, table: Int32Array): number {
  return (hash ^ (hash >>> 15)) & (table.length - 1);
}
