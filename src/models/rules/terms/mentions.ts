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

/** The names of a sentence, longest first; weak terms only where no name overlaps. */
export function findMentions(tokens: readonly Token[], lexicon: Lexicon): Mention[] {
  const keys = tokens.map(({ mark, text }) => (mark ? undefined : keysOf(text)));
  const look = { tokens, keys, lexicon, beginnings: beginningsOf(lexicon) };
  const found: Mention[] = [];
  for (let at = 0; at < tokens.length;) {
    const { name, weak } = longest(look, at);
    const last = found.at(-1);
    if (name) {
      if (last?.term.weak && last.to > at) found.pop();
      found.push(name);
    } else if (weak && (last?.to ?? 0) <= at) found.push(weak);
    at = name?.to ?? at + 1;
  }
  return found;
}

const made = new WeakMap<Lexicon, ReadonlySet<string>>();

/** All prefixes of the keys of a lexicon. */
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
  /** Of each token that is a word. */
  keys: readonly (Keys | undefined)[];
  lexicon: Lexicon;
  beginnings: ReadonlySet<string>;
}

interface Longest {
  name?: Mention;
  /** A weak term. */
  weak?: Mention;
}

/** The longest name from a token on. Only the last word of a key is reduced to its singular. */
function longest({ tokens, keys, lexicon, beginnings }: Look, from: number): Longest {
  const best: Longest = {};
  let begun = '';
  for (let to = from + 1; to <= tokens.length && to - from <= MAX_TOKENS; to++) {
    const token = tokens[to - 1]!;
    const key = keys[to - 1];
    if (!key) {
      if (to - 1 > from && token.text === '/' && token.joined) continue;
      break;
    }
    const end = begun + key.last;
    const term = beginnings.has(end) ? resolveKey(lexicon, end) : undefined;
    if (term) {
      const text = written(tokens, from, to);
      if (isWritten(term, text) && !isSpread(term, tokens[from]!, to - from))
        best[term.weak ? 'weak' : 'name'] = { term, from, to, text };
    }
    begun += key.whole;
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

/** "not in use" does not name `NotIn`, nor "on click" `onClick`, nor "I am" `IAM`. */
function isSpread({ name }: Term, { lower }: Token, length: number): boolean {
  if (length === 1 || name.includes(' ')) return false;
  return (
    lower === 'i' ||
    PREPOSITION.has(lower) ||
    NEGATION.has(lower) ||
    SUBORDINATOR.has(lower) ||
    lower === 'use'
  );
}

const MAX_KNOWN = 100_000;
const known = new Map<string, Keys>();

interface Keys {
  whole: string;
  last: string;
}

function keysOf(text: string): Keys {
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
