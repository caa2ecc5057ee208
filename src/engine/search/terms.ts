// The words of a query, found again in a text: by stem, by prefix, inside camelCase. It reads every hit of every search,
// so it looks only at words that begin like one of the query's, and leaves finding these to the string search of V8.

import type { WordNode, WordQuery } from '../../domain/query.ts';
import { stem } from '../../domain/stem.ts';

export interface Terms {
  /** Number of each stem. */
  readonly stems: ReadonlyMap<string, number>;
  /** Their numbers follow those of the stems. */
  readonly prefixes: readonly string[];
  /** Stems of a script without spaces, found inside a run of letters too. */
  readonly unspaced: readonly string[];
  /** What every word that could match begins with. */
  readonly beginnings: readonly string[];
  /** Words already judged: the number of the term, or -1. */
  readonly judged: Map<string, number>;
}

/** Where a word of the query stands in a text, and its number. */
export interface Match {
  at: number;
  term: number;
}

const TOKEN = /[\p{L}\p{N}]+/gu;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** All but the signs that are never part of a word. */
const BEYOND_ASCII = /[\u0080-\u1fff\u2c00-\uffff]/g;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
/** A letter beyond ASCII. */
const WIDE = 3;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return LOWER;
  return code >= 65 && code <= 90 ? UPPER : OTHER;
});

/** The words a reader would expect to see marked. */
export function termsOf(query: WordQuery, stopwords: ReadonlySet<string>): Terms {
  const words: string[] = [];
  const prefixes: string[] = [];
  const visit = (node: WordNode): void => {
    if (node.kind === 'term') {
      if (node.prefix) prefixes.push(fold(node.text));
      else words.push(...tokens(node.text));
    } else if (node.kind === 'phrase') words.push(...node.words.flatMap(tokens));
    else node.nodes.forEach(visit);
  };
  [...query.should, ...query.must].forEach(visit);
  const content = words.filter((word) => !stopwords.has(word));
  const stems = [...new Set((content.length ? content : words).map(stem))];
  return {
    stems: new Map(stems.map((root, number) => [root, number])),
    prefixes,
    unspaced: stems.filter((root) => UNSPACED.test(root)),
    beginnings: beginningsOf(stems, prefixes),
    judged: new Map(),
  };
}

/** Stemming changes at most the last letter it leaves (happy, happi; filing, file; ability, abl), and only those. */
const CHANGED = /(?<=..)[ei]$|(?<=b)l$/;

function beginningsOf(stems: readonly string[], prefixes: readonly string[]): string[] {
  const starts = [...stems.map((root) => root.replace(CHANGED, '')), ...prefixes];
  const shortest = starts.filter(
    (start) => !starts.some((other) => other !== start && start.startsWith(other)),
  );
  return [...new Set(shortest)].filter((start) => isAscii(start) && start !== '');
}

/** In the order of the text. */
export function findMatches(text: string, terms: Terms): Match[] {
  const found: Match[] = [];
  const ascii = isAscii(text);
  // The one letter that is longer in lower case would shift all places after it.
  const lower = (ascii ? text : text.replaceAll('\u0130', 'I')).toLowerCase();
  for (const start of terms.beginnings) {
    const pass: Pass = { text, terms, found, wordEnd: 0, wide: false };
    for (let at = lower.indexOf(start); at !== -1; at = lower.indexOf(start, at + 1)) matchAt(pass, at);
  }
  if (!ascii) matchWide(text, terms, found);
  return found.sort((a, b) => a.at - b.at);
}

/** How many different terms each line holds. */
export function countPerLine(text: string, matches: readonly Match[]): number[] {
  const counts = [0];
  const counted = new Set<number>();
  let lineEnd = text.indexOf('\n');
  const nextLine = (): void => {
    counts.push(0);
    counted.clear();
    lineEnd = text.indexOf('\n', lineEnd + 1);
  };
  for (const { at, term } of matches) {
    while (lineEnd !== -1 && at > lineEnd) nextLine();
    if (!counted.has(term)) counts[counts.length - 1]! += 1;
    counted.add(term);
  }
  while (lineEnd !== -1) nextLine();
  return counts;
}

/** One way through a text, forward. */
interface Pass {
  text: string;
  terms: Terms;
  found: Match[];
  /** Where the word met last ends, and whether it has letters beyond ASCII: each part of camelCase asks again. */
  wordEnd: number;
  wide: boolean;
}

/** The word that begins here and the part of camelCase that does. */
function matchAt(pass: Pass, at: number): void {
  const { text } = pass;
  const before = at > 0 ? kindAt(text, at - 1) : OTHER;
  const first = kindAt(text, at);
  if (before !== OTHER && !(before === LOWER && first === UPPER)) return;
  if (at >= pass.wordEnd) readWord(pass, at);
  if (pass.wide) return;
  const partEnd = humpEnd(pass, at, first);
  if (before === OTHER && partEnd < pass.wordEnd) matchWord(pass, at, pass.wordEnd);
  matchWord(pass, at, partEnd);
}

function matchWord({ text, terms, found }: Pass, at: number, end: number): void {
  const term = judge(text.slice(at, end).toLowerCase(), terms);
  if (term !== -1) found.push({ at, term });
}

function readWord(pass: Pass, at: number): void {
  const { text } = pass;
  pass.wide = false;
  pass.wordEnd = at + 1;
  for (; pass.wordEnd < text.length; pass.wordEnd++) {
    const kind = kindAt(text, pass.wordEnd);
    if (kind === OTHER) return;
    pass.wide ||= kind === WIDE;
  }
}

/** Where the next part of camelCase begins, or the word ends. */
function humpEnd({ text, wordEnd }: Pass, at: number, first: number): number {
  for (let end = at + 1, last = first; end < wordEnd; end++) {
    const kind = kindAt(text, end);
    if (kind === UPPER && last === LOWER) return end;
    last = kind;
  }
  return wordEnd;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return KINDS[code]!;
  // Dashes, quotes, arrows and signs: by far the most frequent beyond ASCII.
  if (code >= 0x2000 && code < 0x2c00) return OTHER;
  // Half of a pair is taken as a letter; what it is, is seen when the word is read.
  return (code >= 0xd800 && code <= 0xdfff) || LETTER.test(text[at]!) ? WIDE : OTHER;
}

/** Words with letters beyond ASCII, each taken apart. */
function matchWide(text: string, terms: Terms, found: Match[]): void {
  let done = 0;
  BEYOND_ASCII.lastIndex = 0;
  for (let match = BEYOND_ASCII.exec(text); match; match = BEYOND_ASCII.exec(text)) {
    if (kindAt(text, match.index) === OTHER) continue;
    let at = match.index;
    while (at > done && kindAt(text, at - 1) !== OTHER) at -= 1;
    done = match.index + 1;
    while (done < text.length && kindAt(text, done) !== OTHER) done += 1;
    BEYOND_ASCII.lastIndex = done;
    for (const term of termsIn(text.slice(at, done), terms)) found.push({ at, term });
  }
}

function termsIn(word: string, terms: Terms): number[] {
  const parts = tokens(word.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2'));
  const inside = terms.unspaced.filter((root) => word.includes(root)).map((root) => terms.stems.get(root)!);
  return [...new Set([...tokens(word), ...parts])]
    .map((token) => judge(token, terms))
    .filter((term) => term !== -1)
    .concat(inside);
}

function judge(token: string, terms: Terms): number {
  let term = terms.judged.get(token);
  if (term === undefined) {
    const prefix = terms.prefixes.findIndex((start) => token.startsWith(start));
    term = terms.stems.get(stem(token)) ?? (prefix === -1 ? -1 : terms.stems.size + prefix);
    terms.judged.set(token, term);
  }
  return term;
}

/** Counting bytes is the quickest way to see. */
function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function tokens(text: string): string[] {
  return fold(text).match(TOKEN) ?? [];
}
