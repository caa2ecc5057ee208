// What each word of a sentence is: noun, verb, preposition. No model: the words that never change are listed, verbs are
// known with how often they are one, and the neighbours decide where a word may be two things.

import type { Token } from '../text/tokens.ts';
import {
  ADVERB,
  BE,
  CONJUNCTION,
  DETERMINER,
  DO,
  FUNCTION_WORD,
  HAVE,
  MODAL,
  MODIFIER,
  NEGATION,
  NUMBER,
  PREPOSITION,
  PRONOUN,
  RELATIVE,
  SUBORDINATOR,
} from './closed.ts';
import { followedByNoun, isHelper, isPlural, isVerb, UNCHANGED } from './verb-or-noun.ts';
import { ADJECTIVES, verbForm, type VerbForm } from './verbs.ts';

export type Tag =
  | 'det'
  | 'prep'
  | 'conj'
  | 'sub'
  | 'rel'
  | 'pron'
  | 'modal'
  | 'be'
  | 'have'
  | 'do'
  | 'neg'
  | 'adv'
  | 'to'
  | 'verb'
  | 'ing'
  | 'past'
  | 'noun'
  | 'adj'
  | 'num'
  | 'mark';

export interface Tagged {
  tags: Tag[];
  verbs: (VerbForm | undefined)[];
}

export interface Tagging extends Tagged {
  tokens: readonly Token[];
}

/** `nameLength` tells how many words the known name has that a token is part of: those are nouns, a single one perhaps. */
export function tagSentence(tokens: readonly Token[], nameLength: (at: number) => number = () => 0): Tagged {
  const tags: Tag[] = [];
  const verbs = tokens.map((token) => (token.mark || token.code ? undefined : verbForm(token.lower)));
  const work: Tagging = { tokens, tags, verbs };
  for (let at = 0; at < tokens.length; at++) tags.push(tagOf(work, at, nameLength(at)));
  giveVerb(work);
  return { tags, verbs };
}

const VERBAL: ReadonlySet<Tag> = new Set(['verb', 'be', 'modal', 'have', 'do'] as const);

/** "Router routes requests to …": where a sentence has no verb, the word behind its first name that may be one is it. */
function giveVerb({ tokens, tags, verbs }: Tagging): void {
  if (tokens.length < 4 || tags.some((tag) => VERBAL.has(tag))) return;
  for (let at = 1; at < tokens.length - 1; at++) {
    if (tags[at] === 'mark' || tags[at] === 'prep') return;
    const [before, token, next] = [tokens[at - 1]!, tokens[at]!, tags[at + 1]];
    if (tags[at] !== 'noun' || tags[at - 1] !== 'noun' || token.text !== token.lower) continue;
    // "Router routes", "Endpoints route"
    const agreed = isPlural(before) ? 'base' : 's';
    if (verbs[at]?.form !== agreed) continue;
    const named = before.text !== before.lower || before.link || before.strong || before.code || before.em;
    if (named && (next === 'noun' || next === 'adj' || next === 'det' || next === 'to' || next === 'prep')) {
      tags[at] = 'verb';
      return;
    }
  }
}

function tagOf(work: Tagging, at: number, nameLength: number): Tag {
  const token = work.tokens[at]!;
  if (token.mark) return token.text === '&' || token.text === '/' ? 'conj' : 'mark';
  if (token.code || nameLength > 1) return 'noun';
  const verb = work.verbs[at];
  if (nameLength === 1)
    return verb && mayBeVerb(token) && isVerb(work, at, verb) ? formTag(work, at, verb) : 'noun';
  return closedTag(work, at) ?? openTag(work, at, verb);
}

/** Tags of function words. */
function closedTag(work: Tagging, at: number): Tag | undefined {
  const { tokens, tags, verbs } = work;
  const { lower } = tokens[at]!;
  if (/n['’]t$/.test(lower)) return 'neg';
  if (SHORTENED.test(lower)) return 'pron';
  if (!FUNCTION_WORD.has(lower)) return NUMBER.test(lower) ? 'num' : undefined;
  if (lower === 'to') return 'to';
  if (BE.has(lower)) return 'be';
  if (HAVE.has(lower)) return 'have';
  if (DO.has(lower)) return 'do';
  if (MODAL.has(lower)) return 'modal';
  if (NEGATION.has(lower) && lower !== 'no' && lower !== 'without') return 'neg';
  if (RELATIVE.has(lower)) return relativeTag(work, at);
  if (OPENERS.has(lower))
    return opensClause(work, at) ? 'sub' : lower === 'so' || lower === 'once' ? 'adv' : 'prep';
  if (SUBORDINATOR.has(lower)) return 'sub';
  if (CONJUNCTION.has(lower)) return lower === 'then' ? 'adv' : 'conj';
  const before = tags[at - 1];
  if (PREPOSITION.has(lower)) return 'prep';
  if (PRONOUN.has(lower)) return isDeterminer(work, at) ? 'det' : 'pron';
  // "workers all need", "you either stop or": before a verb these only stress.
  const stresses =
    STRESSING.has(lower) && (before === 'pron' || before === 'modal' || before === 'to' || before === 'noun');
  if (stresses && (verbs[at + 1]?.verb ?? 0) > 0.5) return 'adv';
  if (DETERMINER.has(lower)) return 'det';
  return ADVERB.has(lower) ? 'adv' : undefined;
}

/** "we'll", "you've", "it's" */
const SHORTENED = /^(?:i|it|they|we|you)['’](?:d|ll|m|re|s|ve)$/;
const OPENERS = new Set('as since once so until before after'.split(' '));
const STRESSING = new Set('either both all each'.split(' '));
const DESCRIBING =
  /^\p{Ll}+-(?:based|aware|specific|related|compatible|native|style|driven|level|wide|facing|only|like|free|safe|side|bound|backed|managed)$/u;

function openTag(work: Tagging, at: number, verb: VerbForm | undefined): Tag {
  const { tokens, tags } = work;
  const token = tokens[at]!;
  const { lower } = token;
  const describes = followedByNoun(tokens[at + 1]);
  // "published in", "connected to": a participle describes only what follows it.
  if (verb?.form === 'past' && !describes) return isVerb(work, at, verb) ? 'past' : 'adj';
  if (MODIFIER.has(lower) || ADJECTIVES.has(lower)) return 'adj';
  if (!verb && /^\p{Ll}{3,}ly$/u.test(lower)) return 'adv';
  // "is booked": a participle of a verb that is not known.
  if (!verb && tags[at - 1] === 'be' && /^\p{Ll}{3,}ed$/u.test(lower) && !describes) return 'adj';
  if (DESCRIBING.test(lower)) return 'adj';
  // A capital inside a sentence is a name, unless the sentence begins with it.
  if (!verb || !mayBeVerb(token)) return 'noun';
  if (isVerb(work, at, verb)) return formTag(work, at, verb);
  return verb.form === 'past' && describes && tags[at - 1] !== 'noun' ? 'adj' : 'noun';
}

function mayBeVerb(token: Token): boolean {
  return token.text === token.lower || token.first;
}

function formTag({ tags }: Tagging, at: number, { form, lemma }: VerbForm): Tag {
  if (form === 'ing' || form === 'past') return form;
  let back = at - 1;
  while (tags[back] === 'adv' || tags[back] === 'neg') back -= 1;
  // "is read from": the participle looks like the plain form.
  return form === 'base' && (tags[back] === 'be' || tags[back] === 'have') && UNCHANGED.has(lemma)
    ? 'past'
    : 'verb';
}

const AFTER_VERB: ReadonlySet<Tag | undefined> = new Set(['verb', 'past', 'ing', 'adj', 'adv'] as const);
const AFTER_NOUN: ReadonlySet<Tag | undefined> = new Set(['noun', 'mark', 'pron', 'num'] as const);

/** "that" and "which" after a noun open a relative clause; "that node" is a determiner; "ensures that" opens a clause. */
function relativeTag(work: Tagging, at: number): Tag {
  const { tokens, tags } = work;
  const { lower } = tokens[at]!;
  if (lower !== 'that') return lower === 'whose' ? 'det' : 'rel';
  if (AFTER_VERB.has(tags[at - 1])) return opensClause(work, at) ? 'sub' : 'det';
  return AFTER_NOUN.has(tags[at - 1]) ? 'rel' : 'det';
}

function isDeterminer({ tokens, verbs }: Tagging, at: number): boolean {
  const { lower } = tokens[at]!;
  if (lower !== 'this' && lower !== 'these' && lower !== 'those' && lower !== 'one') return false;
  const next = tokens[at + 1];
  if (!next || next.mark || isHelper(next.lower) || PREPOSITION.has(next.lower) || next.lower === 'to')
    return false;
  const verb = verbs[at + 1];
  return !(verb?.form === 's' && verb.verb > 0.6) && !next.lower.endsWith('ly');
}

const REACH = 9;

/** Whether a word that may be preposition or opener is followed by a subject and a verb. */
function opensClause({ tokens, verbs }: Tagging, at: number): boolean {
  for (let next = at + 1; next < tokens.length && next < at + REACH; next++) {
    const { lower, mark } = tokens[next]!;
    if (mark) return false;
    if (next === at + 1) continue;
    if (isHelper(lower)) return true;
    const verb = verbs[next];
    if (verb?.form === 's' && verb.verb > 0.7) return true;
    if (PREPOSITION.has(lower) || CONJUNCTION.has(lower)) return false;
  }
  return false;
}
