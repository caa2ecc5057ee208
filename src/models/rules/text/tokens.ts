// Words and marks of a text, and its sentences.

import type { Inline, MarkKind } from './inline.ts';

export interface Token {
  text: string;
  lower: string;
  /** A mark, not a word. */
  mark: boolean;
  line: number;
  /** How it was set apart. */
  code: boolean;
  link: boolean;
  strong: boolean;
  em: boolean;
  /** `'s` followed. */
  owner: boolean;
  /** Nothing stood between this and the token before. */
  joined: boolean;
  /** The first word of its sentence. */
  first: boolean;
}

const WORD =
  /\.?[\p{L}\p{N}](?:[\p{L}\p{N}_]|[-'’.+@&](?=[\p{L}\p{N}]))*(?:\+\+|#(?![\p{L}\p{N}]))?|[^\s\p{L}\p{N}]/gu;
const MAX_TOKENS = 4000;
/** A longer run of words without an end is not a sentence; it is split, so that reading stays fast. */
const MAX_SENTENCE = 250;
const ABBREVIATED = new Set('e.g i.e etc vs cf approx incl resp mr ms dr st no'.split(' '));

/** "it's" is "it is". */
const CONTRACTED = new Set('it that there what who which he she here where'.split(' '));

/** Sentences of a text, each a list of tokens; `line` is the line of the text's first character. */
export function sentencesOf(inline: Inline, line: number): Token[][] {
  const tokens = withoutInserted(tokensOf(inline, line));
  const sentences: Token[][] = [];
  let sentence: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    sentence.push(token);
    const ends = token.mark && '.!?'.includes(token.text) && endsHere(tokens, at);
    if (!ends && sentence.length < MAX_SENTENCE) continue;
    sentences.push(sentence);
    sentence = [];
  }
  if (sentence.length > 0) sentences.push(sentence);
  for (const one of sentences) {
    const first = one.find((token) => !token.mark);
    if (first) first.first = true;
  }
  return sentences;
}

/** "High Availability (HA) Tracker": an abbreviation in the middle of a name is no part of it. */
function withoutInserted(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const short = tokens[at + 1];
    const next = tokens[at + 3];
    if (
      tokens[at]!.text === '(' &&
      tokens[at + 2]?.text === ')' &&
      short &&
      next &&
      !next.mark &&
      /^\p{Lu}[\p{Lu}\p{N}]{1,6}$/u.test(short.text) &&
      abbreviates(kept, short.lower) &&
      /^\p{L}/u.test(next.text) &&
      (next.text !== next.lower || isNounLike(next.lower))
    ) {
      at += 2;
      continue;
    }
    kept.push(tokens[at]!);
  }
  return kept;
}

function abbreviates(before: readonly Token[], letters: string): boolean {
  let initials = '';
  for (let at = before.length - 1; at >= 0 && !before[at]!.mark && initials.length < letters.length; at--)
    initials =
      before[at]!.lower.split('-')
        .map((word) => word[0] ?? '')
        .join('') + initials;
  return initials.endsWith(letters) || initials === letters;
}

const isNounLike = (word: string): boolean =>
  /^(?:store|storage|server|service|tracker|database|cluster|controller|layer|api|protocol|token|agent|plugin|module|manager|driver|system|network|account|record|key|pool|group|model|node|volume|interface)s?$/.test(
    word,
  );

function endsHere(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.text !== '.') return true;
  if (ABBREVIATED.has(tokens[at - 1]?.lower ?? '')) return false;
  const next = tokens[at + 1];
  if (!next) return true;
  if (next.joined && !next.mark) return false;
  return next.mark || next.code || next.text !== next.lower || /^\d/.test(next.text);
}

function tokensOf({ text, marks, breaks }: Inline, line: number): Token[] {
  const tokens: Token[] = [];
  const codes = marks.filter((mark) => mark.kind === 'code').sort((a, b) => a.start - b.start);
  const around = marks.filter((mark) => mark.kind !== 'code').sort((a, b) => a.start - b.start);
  let nextCode = 0;
  let nextBreak = 0;
  let firstMark = 0;
  let number = line;
  let end = -1;
  const add = (word: string, from: number, to: number, code: boolean) => {
    while (nextBreak < breaks.length && breaks[nextBreak]! <= from) {
      nextBreak += 1;
      number += 1;
    }
    while (firstMark < around.length && around[firstMark]!.end <= from) firstMark += 1;
    const marked: Record<MarkKind, boolean> = { link: false, strong: false, em: false, code };
    for (let index = firstMark; index < around.length && around[index]!.start <= from; index++)
      if (around[index]!.end > from) marked[around[index]!.kind] = true;
    const owner = !code && word.endsWith('s') && /['’]s$/.test(word);
    const bare = owner ? word.slice(0, -2) : word;
    const isVerb = owner && CONTRACTED.has(bare.toLowerCase());
    tokens.push({
      text: bare,
      lower: bare.toLowerCase(),
      // A mark is one character, which takes two units at most; everything longer is a word.
      mark: !code && bare.length < 3 && !/[\p{L}\p{N}]/u.test(bare),
      line: number,
      ...marked,
      owner: owner && !isVerb,
      joined: from === end,
      first: false,
    });
    if (isVerb) tokens.push({ ...tokens.at(-1)!, text: 'is', lower: 'is', joined: false });
    end = to;
  };
  WORD.lastIndex = 0;
  for (let found = WORD.exec(text); found && tokens.length < MAX_TOKENS; found = WORD.exec(text)) {
    const span = codes[nextCode];
    if (span && found.index >= span.start) {
      add(text.slice(span.start, span.end).trim(), span.start, span.end, true);
      WORD.lastIndex = span.end;
      nextCode += 1;
      continue;
    }
    add(found[0], found.index, found.index + found[0].length, false);
  }
  return tokens;
}
