// Splits a sentence into chunks: noun phrases with the names in them, verb groups, and the words between.

import type { Token } from '../text/tokens.ts';
import type { Mention } from '../terms/mentions.ts';
import { WISH } from '../words/closed.ts';
import { tagSentence, type Tag } from '../words/tags.ts';
import { COMMON, type VerbForm } from '../words/verbs.ts';

export interface NounPhrase {
  kind: 'np';
  from: number;
  to: number;
  /** Names in it. The last one is what is meant if it ends the phrase. */
  mentions: Mention[];
  head: Mention | undefined;
  /** The last noun, lower case. */
  noun: string;
  determiner: string | undefined;
  pronoun: string | undefined;
}

export interface VerbGroup {
  kind: 'vg';
  from: number;
  to: number;
  lemma: string;
  form: 'finite' | 'infinitive' | 'ing' | 'participle';
  passive: boolean;
  negated: boolean;
  modal: string | undefined;
  past: boolean;
  /** The base form without an auxiliary; without a subject it is an imperative. */
  plain: boolean;
}

export interface Joint {
  kind: 'prep' | 'conj' | 'sub' | 'rel' | 'mark' | 'adj' | 'neg';
  from: number;
  to: number;
  word: string;
}

export type Chunk = NounPhrase | VerbGroup | Joint;

export interface Chunked {
  tokens: readonly Token[];
  tags: readonly Tag[];
  chunks: Chunk[];
}

/** Words after a name that only say what kind of thing it is. */
const TAIL = new Set(
  'service component process instance instances pod pods server servers daemon daemons application cluster clusters node nodes replica replicas container database topic topics queue queues broker brokers deployment installation system layer library plugin module object objects resource resources'.split(
    ' ',
  ),
);

export function chunkSentence(tokens: readonly Token[], mentions: readonly Mention[]): Chunked {
  const named = new Uint8Array(tokens.length);
  for (const mention of mentions)
    named.fill(Math.min(9, mention.to - mention.from), mention.from, mention.to);
  const { tags, verbs } = tagSentence(tokens, (at) => named[at]!);
  const chunks: Chunk[] = [];
  const work = {
    tokens,
    tags,
    verbs,
    mentions: mentions.filter(
      (one) => tags[one.to - 1] === 'noun' || tags[one.to - 1] === 'adj' || one.to - one.from > 1,
    ),
    chunks,
  };
  for (let at = 0; at < tokens.length;) at = take(work, at);
  return { tokens, tags, chunks };
}

interface Work {
  tokens: readonly Token[];
  tags: readonly Tag[];
  verbs: readonly (VerbForm | undefined)[];
  mentions: readonly Mention[];
  chunks: Chunk[];
}

function take(work: Work, at: number): number {
  const { tags, tokens, chunks } = work;
  const tag = tags[at]!;
  switch (tag) {
    case 'det':
      if (tokens[at]!.lower === 'such' && tokens[at + 1]?.lower === 'as') return at + 1;
      return nounPhrase(work, at);
    case 'noun':
    case 'num':
    case 'pron':
      return nounPhrase(work, at);
    case 'adj':
      return adjectives(work, at);
    case 'verb':
    case 'be':
    case 'have':
    case 'do':
    case 'modal':
    case 'past':
    case 'ing':
      return verbGroup(work, at);
    case 'to':
      if (isVerbAhead(work, at + 1)) return verbGroup(work, at);
      chunks.push({ kind: 'prep', from: at, to: at + 1, word: 'to' });
      return at + 1;
    case 'adv':
      if (
        EXAMPLE.has(tokens[at]!.lower) &&
        (tags[at + 1] === 'noun' || tags[at + 1] === 'det' || tags[at + 1] === 'adj') &&
        tags[at - 1] === 'mark'
      ) {
        chunks.push({ kind: 'prep', from: at, to: at + 1, word: 'like' });
        return at + 1;
      }
      // An adverb before a verb belongs to its group; any other is ignored.
      if (isVerbAhead(work, at)) return verbGroup(work, at);
      return at + 1;
    case 'neg':
      chunks.push({ kind: 'neg', from: at, to: at + 1, word: tokens[at]!.lower });
      return at + 1;
    case 'prep':
      if (isAsWellAs(tokens, at)) {
        chunks.push({ kind: 'conj', from: at, to: at + 3, word: 'and' });
        return at + 3;
      }
      // "such as", "like" and "including" introduce examples.
      if (
        (tokens[at]!.lower === 'as' && tokens[at - 1]?.lower === 'such') ||
        tokens[at]!.lower === 'like' ||
        tokens[at]!.lower === 'including'
      ) {
        chunks.push({ kind: 'prep', from: at, to: at + 1, word: 'like' });
        return at + 1;
      }
      chunks.push({ kind: 'prep', from: at, to: at + 1, word: tokens[at]!.lower });
      return at + 1;
    default:
      chunks.push({ kind: tag, from: at, to: at + 1, word: tokens[at]!.lower });
      return at + 1;
  }
}

function isAsWellAs(tokens: readonly Token[], at: number): boolean {
  return tokens[at]!.lower === 'as' && tokens[at + 1]?.lower === 'well' && tokens[at + 2]?.lower === 'as';
}

/** Adverbs that introduce an example: "a database, usually PostgreSQL". */
const EXAMPLE = new Set('usually typically currently e.g namely mostly often'.split(' '));

type Tags = ReadonlySet<Tag | undefined>;
const VERBAL: Tags = new Set(['verb', 'be', 'have', 'do'] as const);

function isVerbAhead({ tags }: Work, from: number): boolean {
  let at = from;
  while (tags[at] === 'adv' || tags[at] === 'neg') at += 1;
  const tag = tags[at];
  return VERBAL.has(tag) || ((tag === 'past' || tag === 'ing') && at > from);
}

/** Adjectives before a noun are part of its phrase; others are predicates. */
function adjectives(work: Work, at: number): number {
  let end = at;
  while (work.tags[end] === 'adj' || work.tags[end] === 'adv') end += 1;
  if (work.tags[end] === 'noun' || work.tags[end] === 'num') return nounPhrase(work, at);
  work.chunks.push({ kind: 'adj', from: at, to: end, word: work.tokens[at]!.lower });
  return end;
}

function nounPhrase(work: Work, at: number): number {
  const { tags, tokens, mentions, chunks } = work;
  if (tags[at] === 'pron') {
    chunks.push({
      kind: 'np',
      from: at,
      to: at + 1,
      mentions: [],
      head: undefined,
      noun: tokens[at]!.lower,
      determiner: undefined,
      pronoun: tokens[at]!.lower,
    });
    return at + 1;
  }
  let end = at;
  while (end < tokens.length) {
    const tag = tags[end];
    if (tag === 'det' && end > at && tags[end - 1] !== 'det') break;
    if (
      tag !== 'det' &&
      tag !== 'adj' &&
      tag !== 'noun' &&
      tag !== 'num' &&
      !(tag === 'adv' && (tags[end + 1] === 'adj' || (tags[end - 1] === 'det' && tags[end + 1] === 'noun')))
    )
      break;
    end += 1;
  }
  // "a service responsible for …": an adjective behind the noun is a predicate.
  if (tags[end - 1] === 'adj' && tags[end - 2] === 'noun' && tags[end] === 'prep') end -= 1;
  if (end === at) end = at + 1;
  const inside = mentions.filter(
    (one) =>
      one.from >= at &&
      one.to <= end &&
      !(one.to < end && isPlainWord(one) && !TAIL.has(tokens[end - 1]!.lower)),
  );
  const last = inside.at(-1);
  const rest = last === undefined ? [] : tokens.slice(last.to, end);
  const meant =
    last && rest.every((token) => TAIL.has(token.lower)) && !(rest.length > 0 && tokens[last.to - 1]!.owner)
      ? last
      : undefined;
  chunks.push({
    kind: 'np',
    from: at,
    to: end,
    mentions: inside,
    head: meant,
    noun: tokens[end - 1]!.lower,
    determiner: tags[at] === 'det' ? tokens[at]!.lower : undefined,
    pronoun: undefined,
  });
  return end;
}

/** Whether a name is also an everyday word: before a noun it is only a modifier. */
function isPlainWord({ text, to, from }: Mention): boolean {
  return to - from === 1 && COMMON.has(text.toLowerCase()) && text === text.toLowerCase();
}

function verbGroup(work: Work, from: number): number {
  const { tags, tokens, verbs, chunks } = work;
  let at = from;
  const infinitive = tags[at] === 'to';
  if (infinitive) at += 1;
  let negated = false;
  let modal: string | undefined;
  let be = false;
  let have = false;
  let past = false;
  let does = false;
  let main: number | undefined;
  for (; at < tokens.length; at++) {
    const tag = tags[at];
    const { lower } = tokens[at]!;
    if (tag === 'adv') {
      if (lower === 'hardly' || lower === 'rarely') negated = true;
      continue;
    }
    if (tag === 'neg') {
      negated = true;
      if (/n['’]t$/.test(lower)) past ||= /^(?:did|was|were)/.test(lower);
    } else if (tag === 'modal') {
      if (main !== undefined) break;
      modal = lower;
      if (lower === 'cannot') negated = true;
    } else if (tag === 'do') {
      does = true;
      past ||= lower === 'did';
    } else if (tag === 'have') {
      if (main !== undefined || have || be) break;
      have = true;
      past ||= lower === 'had';
      if (!participleAhead(work, at + 1)) main = at;
    } else if (tag === 'be') {
      if (main !== undefined) break;
      be = true;
      past ||= lower === 'was' || lower === 'were';
    } else if (tag === 'past') {
      if (main !== undefined) break;
      main = at;
    } else if (tag === 'ing' || tag === 'verb') {
      if (main !== undefined) break;
      main = at;
    } else break;
  }
  while (
    at > from + 1 &&
    (tags[at - 1] === 'adv' || tags[at - 1] === 'neg') &&
    (main === undefined || at - 1 > main)
  )
    at -= 1;
  if (at === from) at = from + 1;
  const verb = main === undefined ? undefined : verbs[main];
  const tag = main === undefined ? undefined : tags[main];
  const passive =
    tag === 'past' && (be || (!have && !infinitive && modal === undefined && isReduced(work, main!)));
  if (tag === 'past' && !passive) past = true;
  const lemma = tag === 'have' ? 'have' : (verb?.lemma ?? (does && !be ? 'do' : 'be'));
  const form = infinitive
    ? 'infinitive'
    : be || have || modal !== undefined
      ? 'finite'
      : tag === 'ing'
        ? 'ing'
        : tag === 'past' && passive
          ? 'participle'
          : 'finite';
  chunks.push({
    kind: 'vg',
    from,
    to: at,
    lemma,
    form,
    passive,
    negated,
    modal,
    past: past && !(have && tag === 'past' && be),
    plain:
      form === 'finite' && tag === 'verb' && verb?.form === 'base' && modal === undefined && !be && !have,
  });
  return at;
}

function participleAhead({ tags }: Work, from: number): boolean {
  let at = from;
  while (tags[at] === 'adv' || tags[at] === 'neg') at += 1;
  return tags[at] === 'past' || tags[at] === 'be';
}

const AFTER_PARTICIPLE: Tags = new Set([
  ...(['prep', 'to', 'mark', 'conj', 'adv', 'ing', 'sub'] as const),
  undefined,
]);

/** "samples received by X": a passive participle without an auxiliary. */
function isReduced({ tags }: Work, main: number): boolean {
  return AFTER_PARTICIPLE.has(tags[main + 1]);
}

export function isDoubtful(vg: VerbGroup): boolean {
  return vg.negated || (vg.modal !== undefined && WISH.has(vg.modal));
}
