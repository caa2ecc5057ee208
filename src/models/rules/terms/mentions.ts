// Where a sentence names a term: the longest match from the left.

import { entityKey } from '../../../domain/graph.ts';
import type { Token } from '../text/tokens.ts';
import { NEGATION, PREPOSITION, SUBORDINATOR } from '../words/closed.ts';
import { normalKey } from './keys.ts';
import { resolveKey, type Lexicon, type Term } from './lexicon.ts';

export interface Mention {
  term: Term;
  from: number;
  /** Behind its last token. */
  to: number;
  /** How it is written here. */
  text: string;
}

const MAX_TOKENS = 5;

/** Names first; what is perhaps one only where nothing else is said. */
export function findMentions(tokens: readonly Token[], lexicon: Lexicon): Mention[] {
  const beginnings = beginningsOf(lexicon);
  const starts = tokens.map(({ mark, text }) => {
    if (mark) return false;
    const { whole, last } = keysOf(text);
    return beginnings.has(whole) || beginnings.has(last);
  });
  const look = { tokens, lexicon, beginnings };
  const found: Mention[] = [];
  for (let at = 0; at < tokens.length;) {
    const mention = starts[at] ? longest(look, at, { weak: false, until: tokens.length }) : undefined;
    if (mention) found.push(mention);
    at = mention?.to ?? at + 1;
  }
  const between: Mention[] = [];
  for (let at = 0, next = 0; at < tokens.length;) {
    const until = found[next]?.from ?? tokens.length;
    if (at >= until) {
      at = found[next++]!.to;
      continue;
    }
    const mention = starts[at] ? longest(look, at, { weak: true, until }) : undefined;
    if (mention) between.push(mention);
    at = mention?.to ?? at + 1;
  }
  return between.length === 0 ? found : [...found, ...between].sort((a, b) => a.from - b.from);
}

const made = new WeakMap<Lexicon, ReadonlySet<string>>();

/** What any key of a lexicon begins with: where a text goes another way there is nothing to find. */
function beginningsOf(lexicon: Lexicon): ReadonlySet<string> {
  const there = made.get(lexicon);
  if (there) return there;
  const beginnings = new Set<string>();
  for (const keys of [lexicon.terms.keys(), lexicon.alias.keys()])
    for (const key of keys) for (let end = 1; end <= key.length; end++) beginnings.add(key.slice(0, end));
  made.set(lexicon, beginnings);
  return beginnings;
}

interface Look {
  tokens: readonly Token[];
  lexicon: Lexicon;
  beginnings: ReadonlySet<string>;
}

/** The key of several tokens is that of each without its plural, and of the last one with it. */
function longest(
  { tokens, lexicon, beginnings }: Look,
  from: number,
  { weak, until }: { weak: boolean; until: number },
): Mention | undefined {
  let begun = '';
  let best: Mention | undefined;
  for (let to = from + 1; to <= until && to - from <= MAX_TOKENS; to++) {
    const token = tokens[to - 1]!;
    if (token.mark) {
      if (token.text === '/' && token.joined) continue;
      break;
    }
    const { whole, last } = keysOf(token.text);
    const term = beginnings.has(begun + last) ? resolveKey(lexicon, begun + last) : undefined;
    if (term?.weak === weak) {
      const text = written(tokens, from, to);
      if (isWritten(term, text) && !isSpread(term, tokens[from]!, to - from)) best = { term, from, to, text };
    }
    begun += whole;
    // "Prometheus' API": what is owned is another thing.
    if (token.owner || !beginnings.has(begun) || tokens[to]?.text === "'" || tokens[to]?.text === '’') break;
  }
  return best;
}

function written(tokens: readonly Token[], from: number, to: number): string {
  let text = tokens[from]!.text;
  for (let at = from + 1; at < to; at++) text += (tokens[at]!.joined ? '' : ' ') + tokens[at]!.text;
  return text;
}

/** "not in use" does not name `NotIn`, nor "on click" `onClick`. */
function isSpread({ name }: Term, { lower }: Token, length: number): boolean {
  if (length === 1 || name.includes(' ')) return false;
  return PREPOSITION.has(lower) || NEGATION.has(lower) || SUBORDINATOR.has(lower) || lower === 'use';
}

const MAX_KNOWN = 100_000;
const known = new Map<string, { whole: string; last: string }>();

function keysOf(text: string): { whole: string; last: string } {
  const there = known.get(text);
  if (there) return there;
  if (known.size > MAX_KNOWN) known.clear();
  const keys = { whole: entityKey(text), last: normalKey(text) };
  known.set(text, keys);
  return keys;
}

/** `Go` is not "go", and `IT` is not "it": a short name counts as it is written. */
function isWritten(term: Term, text: string): boolean {
  if (term.name === term.name.toLowerCase() || text !== text.toLowerCase()) return true;
  return term.name.length > 3 && !term.capitalOnly;
}
