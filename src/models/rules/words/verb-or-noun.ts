// Whether an ambiguous word such as "stores" or "requests" is a verb or a noun, from the words around it.

import type { Token } from '../text/tokens.ts';
import {
  BE,
  CONJUNCTION,
  DETERMINER,
  DO,
  HAVE,
  MODAL,
  NEGATION,
  PREPOSITION,
  PRONOUN,
  RELATIVE,
  SUBORDINATOR,
} from './closed.ts';
import type { Tag, Tagging } from './tags.ts';
import type { VerbForm } from './verbs.ts';

/** Verbs whose participle looks like the plain form. */
export const UNCHANGED: ReadonlySet<string> = new Set(
  'read run set put cut split spread hit shut cast reset overrun'.split(' '),
);

type Tags = ReadonlySet<Tag | undefined>;
/** A noun follows these, no finite verb. */
const BEFORE_NOUN: Tags = new Set(['det', 'adj', 'prep', 'num', 'be', 'have'] as const);
/** A participle without a helper may follow these. */
const BEFORE_PARTICIPLE: Tags = new Set([
  'noun',
  'pron',
  'rel',
  'mark',
  'conj',
  'adv',
  'past',
  'num',
  undefined,
] as const);

export function isVerb(work: Tagging, at: number, verb: VerbForm): boolean {
  const { tokens } = work;
  const { before, back } = lookBack(work, at);
  const previous = tokens[back];
  const next = tokens[at + 1];
  if (previous?.owner) return false;
  switch (verb.form) {
    case 'ing':
      if (before === 'det') return false;
      if (before === 'adj') return opensNoun(next);
      // "represents tracing data", "supports exporting data"
      if (before === 'verb' && back === at - 1 && followedByNoun(next) && !opensNoun(next))
        return GERUNDS.has(work.verbs[back]?.lemma ?? '');
      // "service account handling rules" names, "a service handling the rules" or "handling SQL" says.
      return (
        !(before === 'noun' && back === at - 1 && next !== undefined && isNominal(next)) ||
        opensNoun(next) ||
        next.text !== next.lower
      );
    case 'past':
      if (before === 'be' || before === 'have') return true;
      if (followedByNoun(next))
        return before === 'pron' || before === 'rel' || (before === 'noun' && opensNoun(next));
      return BEFORE_PARTICIPLE.has(before);
    case 'base':
      return isPlainVerb(work, at, verb, { before, back });
    case 's':
      if (BEFORE_NOUN.has(before) || before === 'to' || before === 'modal') return false;
      if (before === 'pron' || before === 'rel') return verb.verb > 0.08;
      return oddsOfVerb(work, at, verb, { before, back }) > 0;
  }
}

/** Verbs that an -ing form goes with: "allows managing". */
const GERUNDS = new Set(
  'allow avoid begin consider continue delay describe discuss enable finish help imply include involve keep mean need permit postpone prevent propose recommend require resume risk skip start stop suggest support try'.split(
    ' ',
  ),
);

interface Back {
  before: Tag | undefined;
  back: number;
}

/** What stands before, adverbs aside; "doesn't" counts as a helper. */
function lookBack({ tokens, tags }: Tagging, at: number): Back {
  let back = at - 1;
  let helped = false;
  for (; back >= 0; back--) {
    if (tags[back] === 'neg') helped ||= tokens[back]!.text.length > 4;
    else if (tags[back] !== 'adv') break;
  }
  return { before: back < 0 ? undefined : helped ? 'do' : tags[back], back };
}

function isPlainVerb(work: Tagging, at: number, { lemma, verb }: VerbForm, { before, back }: Back): boolean {
  const { tokens, tags } = work;
  const next = tokens[at + 1];
  if ((before === 'be' || before === 'have') && UNCHANGED.has(lemma)) return true;
  if (before === 'to' || before === 'modal' || before === 'do') return true;
  if (before === 'pron' || before === 'rel') return verb > 0.1;
  if (BEFORE_NOUN.has(before)) return false;
  const nounAhead = opensNoun(next);
  if (before === 'noun') {
    const many = isPlural(tokens[back]!) || isJoined(tags, back);
    return many && verb > 0.25 && !followedByVerb(work, at) && (verb > 0.6 || nounAhead);
  }
  if (before === 'conj' || before === 'mark' || before === undefined)
    return verb > 0.4 || (verb > 0.15 && nounAhead && !followedByVerb(work, at));
  return verb > 0.6;
}

/** Log odds that a word is a verb in the third person, from how often it is one and from its context. */
function oddsOfVerb(work: Tagging, at: number, { verb }: VerbForm, { before, back }: Back): number {
  const { tokens, tags } = work;
  const next = tokens[at + 1];
  let odds = Math.log((verb + 0.03) / (1.03 - verb));
  if (opensNoun(next)) odds += 1.5;
  if (followedByVerb(work, at)) odds -= 4;
  if (before === 'noun') {
    const { text, lower, code, link, strong } = tokens[back]!;
    if (text !== lower || code || link || strong) odds += 0.7;
    if (hasVerb(tags, back)) odds -= 2;
  }
  return odds;
}

/** "A and B read": two nouns with a conjunction between them, and no verb before. */
function isJoined(tags: readonly Tag[], from: number): boolean {
  let at = from;
  while (tags[at] === 'noun' || tags[at] === 'adj' || tags[at] === 'det') at -= 1;
  if (tags[at] !== 'conj' || tags[at - 1] !== 'noun') return false;
  for (; at >= 0; at--) {
    const tag = tags[at];
    if (tag === 'verb' || tag === 'be' || tag === 'modal' || tag === 'prep' || tag === 'have') return false;
    if (tag === 'sub' || tag === 'rel') return true;
  }
  return true;
}

/** In "… stores data and logs" the clause has its verb. */
function hasVerb(tags: readonly Tag[], from: number): boolean {
  for (let at = from; at >= 0; at--) {
    const tag = tags[at];
    if (tag === 'verb' || tag === 'be' || tag === 'modal') return true;
    if (tag === 'mark' || tag === 'sub' || tag === 'rel' || tag === 'conj') return false;
  }
  return false;
}

export function isHelper(word: string): boolean {
  return BE.has(word) || MODAL.has(word) || HAVE.has(word) || DO.has(word);
}

/** A determiner, a pronoun or something set apart begins a noun phrase. */
function opensNoun(next: Token | undefined): boolean {
  if (next === undefined) return false;
  const { lower, code, link } = next;
  return DETERMINER.has(lower) || code || link || (PRONOUN.has(lower) && !RELATIVE.has(lower));
}

const NO_NOUN: ReadonlySet<string> = new Set(
  [PREPOSITION, CONJUNCTION, DETERMINER, BE, MODAL, HAVE, RELATIVE, SUBORDINATOR, NEGATION, PRONOUN].flatMap(
    (words) => [...words],
  ),
);

export function followedByNoun(next: Token | undefined): boolean {
  if (!next || next.mark || next.lower === 'to' || next.lower.endsWith('ly')) return false;
  return !NO_NOUN.has(next.lower);
}

function isNominal({ mark, lower }: Token): boolean {
  return !mark && !PREPOSITION.has(lower) && !CONJUNCTION.has(lower) && !BE.has(lower) && !MODAL.has(lower);
}

function followedByVerb({ tokens, verbs }: Tagging, at: number): boolean {
  const next = tokens[at + 1];
  if (!next || next.mark) return false;
  const verb = verbs[at + 1];
  return isHelper(next.lower) || (verb?.form === 's' && verb.verb > 0.85);
}

/** Names that end like a plural; those in capitals are told by that. */
const SINGULAR = new Set(
  'kubernetes jenkins postgres windows redis nodejs keras always sometimes perhaps'.split(' '),
);

export function isPlural({ lower, text }: Token): boolean {
  const ends = lower.length > 3 && /[^s]s$/.test(lower) && !/(?:us|is|os)$/.test(lower);
  return ends && text !== text.toUpperCase() && !SINGULAR.has(lower);
}
