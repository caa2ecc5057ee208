// Whom a noun phrase stands for: a name in it, or what a pronoun and words such as "this service" point back to.

import { ADVERB, BE } from '../words/closed.ts';
import { ADJECTIVES } from '../words/verbs.ts';
import type { Mention } from '../terms/mentions.ts';
import type { NounPhrase } from './chunks.ts';
import { actors, type Actor, type Reader } from './clause.ts';

/** Nouns that point back to the topic: "this service". */
const KIND_NOUNS = new Set(
  'service component server process application app system daemon controller agent tool module library plugin operator program package platform engine layer project framework driver feature resource object mechanism'.split(
    ' ',
  ),
);

/** "Data is stored in Y", "requests are sent to Y": the subject is what the section is about. */
const DATA = new Set(
  'data information metrics logs state records sessions metadata everything requests traffic queries messages events'.split(
    ' ',
  ),
);

/** "the X documentation", "X users": a statement about them is not one about X. */
export const WRITINGS =
  /^(?:documentation|docs?|guide|tutorial|page|article|blog|post|section|chapter|example|community|maintainer|contributor|user|developer|administrator|operator|customer|engineer)s?$/;

export function actorsOf(np: NounPhrase, reader: Reader): Actor[] {
  const { context, clause, chunked } = reader;
  if (np.pronoun !== undefined) return meantBy(np.pronoun, reader);
  if (
    context.following &&
    np.head === undefined &&
    np === chunked.chunks.find((chunk) => chunk.kind === 'np')
  )
    return actors(context.following, 'direct');
  if (pointsBack(np) && context.section.length > 0) return actors(context.section, 'pronoun');
  if (np.head) return actors([np.head], 'direct');
  const last = np.mentions.at(-1);
  if (last && WRITINGS.test(np.noun)) return [];
  if (last)
    return [{ mention: last, via: chunked.tokens[last.to - 1]!.owner ? 'owner' : 'direct', head: false }];
  const opens = !clause.verb && reader.joint.preposition === undefined;
  if (np.to - np.from <= 2 && np.determiner !== 'this' && DATA.has(np.noun) && opens)
    return actors(context.section, 'section');
  return pointsBack(np) ? reader.topic : [];
}

/** "this service": what the section is about, also where "service" is a name of its own. */
export function pointsBack({ from, to, determiner, noun, head }: NounPhrase): boolean {
  if (to - from !== 2 || determiner !== 'this' || !KIND_NOUNS.has(noun)) return false;
  // "this controller" after "the Workflow Controller"
  return !head || !head.term.name.includes(' ');
}

function meantBy(pronoun: string, reader: Reader): Actor[] {
  const { topic } = reader;
  const plural = pronoun === 'they' || pronoun === 'themselves' || pronoun === 'both';
  if (!plural && pronoun !== 'it' && pronoun !== 'itself') return [];
  if (pronoun === 'it' && isEmptyIt(reader)) return [];
  const many = topic.length > 1 || (topic[0] !== undefined && isMany(topic[0].mention));
  return many === plural ? topic : [];
}

/** "It is a good idea to …" */
const JUDGEMENTS = new Set('idea practice task way responsibility matter choice'.split(' '));
const JUDGED_WITHIN = 7;

/** "It is possible to …": the pronoun refers to nothing. */
function isEmptyIt({ chunked }: Reader): boolean {
  const at = chunked.tokens.findIndex(({ lower }) => lower === 'it');
  const [be, quality, next] = chunked.tokens.slice(at + 1).filter(({ lower }) => !ADVERB.has(lower));
  if (be === undefined || quality === undefined) return false;
  const judged =
    ADJECTIVES.has(quality.lower === 'be' ? (next?.lower ?? '') : quality.lower) ||
    chunked.tokens.slice(at, at + JUDGED_WITHIN).some(({ lower }) => JUDGEMENTS.has(lower));
  return (
    judged &&
    (BE.has(be.lower) || be.lower === 'may' || be.lower === 'can') &&
    chunked.tokens.slice(at).some(({ lower }) => lower === 'to' || lower === 'that' || lower === 'for')
  );
}

/** Whether a name is written in the plural. */
export function isMany({ text }: Mention): boolean {
  return /[^s]s$/.test(text) && !/(?:us|is|os|as)$/.test(text) && text !== text.toUpperCase();
}
