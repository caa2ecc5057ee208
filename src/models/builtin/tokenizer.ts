// How text becomes token ids for the built-in model. `training/text.py` does exactly the same; golden examples hold the
// two together, so a change here needs a newly trained model.

/** Longer runs are hashes and encoded blobs, not words. */
const MAX_RUN = 80;
const MAX_PART = 40;
/** Runs remembered with their ids; a text rarely has new ones. */
const REMEMBERED = 60_000;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_RUN = /[A-Za-z0-9]+/g;
const IDEOGRAPHS = '\\u2e80-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}';
const UNIT = new RegExp(
  `[A-Za-z0-9]+|(?=[\\p{L}\\p{N}])[${IDEOGRAPHS}]|(?:(?![A-Za-z0-9${IDEOGRAPHS}])[\\p{L}\\p{N}])+`,
  'gu',
);
const CAMEL = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

export interface Tokenizer {
  /** Ids below the number of pieces are pieces; the rest are buckets for runs of other scripts. */
  encode(text: string): number[];
}

export function createTokenizer(pieces: ReadonlyMap<string, number>, buckets: number): Tokenizer {
  const remembered = new Map<string, readonly number[]>();
  const longest = longestPiece(pieces);

  function idsOf(run: string): readonly number[] {
    const code = run.charCodeAt(0);
    if (code > 127) return [pieces.size + (fnv1a(run.toLowerCase()) % buckets)];
    if (run.length > MAX_RUN) return [];
    const whole = pieces.get(run.toLowerCase());
    if (whole !== undefined) return [whole];
    return run
      .split(CAMEL)
      .filter((part) => part.length <= MAX_PART)
      .flatMap((part) => wordPieces(part.toLowerCase()));
  }

  /** Greedy, longest first. Every letter and digit is a piece, so a word always has ids. */
  function wordPieces(word: string): number[] {
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      let end = Math.min(word.length, start + longest);
      let id: number | undefined;
      for (; end > start; end--) {
        const piece = word.slice(start, end);
        id = pieces.get(start === 0 ? piece : `##${piece}`);
        if (id !== undefined) break;
      }
      if (id === undefined) return [];
      ids.push(id);
      start = end;
    }
    return ids;
  }

  return {
    encode(text) {
      const ids: number[] = [];
      for (const run of unitsOf(text)) {
        let known = remembered.get(run);
        if (!known) {
          known = idsOf(run);
          if (remembered.size >= REMEMBERED) remembered.clear();
          if (run.length <= MAX_PART) remembered.set(run, known);
        }
        for (const id of known) ids.push(id);
      }
      return ids;
    },
  };
}

function unitsOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.match(ASCII_RUN) ?? [];
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .match(UNIT) ?? []
  );
}

function longestPiece(pieces: ReadonlyMap<string, number>): number {
  let longest = 0;
  for (const piece of pieces.keys()) if (piece.length > longest) longest = piece.length;
  return longest;
}

function fnv1a(run: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(run)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
