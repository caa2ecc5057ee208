// Which parts of a text the words of a query touch, and which lines of a passage are worth showing first.

const WORD = /[\p{L}\p{N}_]+/gu;
const NEGATED = /(^|\s)-("[^"]*"|\S+)/g;

/** Words too common to be worth a mark; they still count for the server. */
const COMMON = new Set(
  'a an and are as at be by can do does for from has have how i if in is it its my not of on or so that the their then there they this to was we what when where which who why will with you your'.split(
    ' ',
  ),
);

/** Folded words of a query, longest first; what the query excludes is left out. */
export function queryWords(query: string): string[] {
  const words = fold(query.replace(NEGATED, ' ')).match(WORD) ?? [];
  const rare = words.filter((word) => word.length > 1 && !COMMON.has(word));
  return [...new Set(rare.length > 0 ? rare : words)].sort((a, b) => b.length - a.length);
}

export interface Piece {
  text: string;
  hit: boolean;
}

/** The text in pieces, hits apart. A word counts when it starts with a word of the query or, if long, is its stem. */
export function pieces(text: string, words: readonly string[]): Piece[] {
  if (words.length === 0) return [{ text, hit: false }];
  const found: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    const word = fold(match[0]);
    if (!words.some((wanted) => touches(word, wanted))) continue;
    if (match.index > at) found.push({ text: text.slice(at, match.index), hit: false });
    found.push({ text: match[0], hit: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ text: text.slice(at), hit: false });
  return found;
}

/** How many different words of a query a text holds. */
export function hitsIn(text: string, words: readonly string[]): number {
  const hits = pieces(text, words).filter((piece) => piece.hit);
  return new Set(hits.map((piece) => fold(piece.text))).size;
}

function touches(word: string, wanted: string): boolean {
  if (word === wanted) return true;
  if (wanted.length < 4 || word.length < 4) return wanted.length > 2 && word.startsWith(wanted);
  return word.startsWith(wanted) || (wanted.startsWith(word) && wanted.length - word.length <= 3);
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

export interface ShownLine {
  number: number;
  text: string;
  hit: boolean;
}

/** A few lines around the densest match; blank lines at the edges are left out. */
export function bestLines(
  content: string,
  { start, words, count }: { start: number; words: readonly string[]; count: number },
): ShownLine[] {
  const lines = content.split('\n').map((text, at) => ({
    number: start + at,
    text,
    hits: hitsIn(text, words),
  }));
  let best = 0;
  let most = -1;
  for (let at = 0; at < Math.max(1, lines.length - count + 1); at++) {
    const window = lines.slice(at, at + count);
    const sum = window.reduce((total, line) => total + line.hits, 0);
    if (sum > most) [best, most] = [at, sum];
  }
  const window = lines.slice(best, best + count);
  while (window.length > 1 && window[0]!.text.trim() === '') window.shift();
  while (window.length > 1 && window.at(-1)!.text.trim() === '') window.pop();
  return window.map(({ number, text, hits }) => ({ number, text, hit: hits > 0 }));
}
