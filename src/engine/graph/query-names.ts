// The names of a question that the mention index knows, the longest phrases first, each word used once; and the chunks
// they lead to.

import { STOPWORDS } from '../../domain/stopwords.ts';
import type { GraphReads, GraphScope } from '../../ports/graph-store.ts';
import type { ScoredChunk } from '../../ports/store.ts';
import { TOPIC } from './mentions/mentions.ts';
import { graphKey } from '../../domain/name-key.ts';

const WORD = /[\p{L}\p{N}_]+(?:['’.&/-][\p{L}\p{N}_]+)*/gu;
const MAX_WORDS = 48;
const LONGEST = 7;
/** A name in more chunks than this says little; counting goes no further. */
export const COMMON = 64;

const SMALL = new Set(
  'a an the of in on at for to from by with and or is are was were be did do does has have had what which who whom whose when where why how that this these those it its as than'.split(
    ' ',
  ),
);

/** Collection size assumed for rarity: only differences between names matter. */
const ASSUMED = 2_000;
/** A chunk whose own heading is the name answers for it more than one that mentions it. */
const TOPIC_WEIGHT = 16;

/** The chunks that hold a name and those that are about it, each capped at `COMMON`. */
export interface NamePlaces {
  chunks: string[];
  about: string[];
}

export type QueryNames = Map<string, NamePlaces>;

export async function queryNames(graph: GraphReads, query: string, scope: GraphScope): Promise<QueryNames> {
  const words = wordsOf(query);
  const phrases = candidatePhrases(words);
  const keys = [...new Set(phrases.flatMap((phrase) => [phrase.key, TOPIC + phrase.key]))];
  const found = await graph.chunksWithMentions(keys, { scope, limit: COMMON });
  const used = new Array<boolean>(words.length).fill(false);
  const names: QueryNames = new Map();
  for (const phrase of phrases) {
    const about = found.get(TOPIC + phrase.key) ?? [];
    const chunks = found.get(phrase.key) ?? [];
    if (phrase.needsTopic ? about.length === 0 : chunks.length === 0) continue;
    if (used.slice(phrase.from, phrase.to).some(Boolean)) continue;
    used.fill(true, phrase.from, phrase.to);
    names.set(phrase.key, { chunks, about });
  }
  return names;
}

/**
 * Each name gives what it is worth to its chunks, most of it to those that are about it; one in many chunks only to
 * these.
 */
export function chunksNamed(names: QueryNames): ScoredChunk[] {
  const scores = new Map<string, number>();
  for (const { chunks, about } of names.values()) {
    const holding = chunks.length < COMMON ? chunks : [];
    const share = rarity(chunks.length) / (holding.length + TOPIC_WEIGHT * about.length);
    for (const id of holding) scores.set(id, (scores.get(id) ?? 0) + share);
    for (const id of about) scores.set(id, (scores.get(id) ?? 0) + TOPIC_WEIGHT * share);
  }
  return [...scores].map(([id, score]) => ({ id, score }));
}

/** What a name is worth that so many chunks hold. */
export function rarity(chunks: number): number {
  return Math.log(1 + ASSUMED / Math.max(chunks, 1));
}

/** The keys of all phrases of a question, whether they name anything or not; a word that says nothing is none. */
export function phraseKeys(query: string): Set<string> {
  const words = wordsOf(query);
  const keys = new Set<string>();
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(from + LONGEST, words.length); to++) {
      const key = graphKey(words.slice(from, to).join(' '));
      if (key.length > 1 && (to > from + 1 || !STOPWORDS.has(words[from]!.toLowerCase()))) keys.add(key);
    }
  return keys;
}

function wordsOf(query: string): string[] {
  return (query.match(WORD) ?? []).slice(0, MAX_WORDS);
}

interface Phrase {
  key: string;
  from: number;
  to: number;
  /** Written small: a name only where some heading says the same. */
  needsTopic: boolean;
}

function candidatePhrases(words: readonly string[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (let length = Math.min(LONGEST, words.length); length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const part = words.slice(from, from + length);
      const first = part[0]!.toLowerCase();
      const last = part.at(-1)!.toLowerCase();
      if (SMALL.has(last) || (SMALL.has(first) && first !== 'the')) continue;
      const text = part.join(' ');
      const named = /\p{Lu}|\p{L}_|[\p{Ll}\p{N}]\.\p{L}/u.test(
        length === 1 || from > 0 ? text : text.slice(1),
      );
      if (length === 1 && !named && !/^\p{Lu}/u.test(text)) continue;
      const key = graphKey(text);
      if (key.length > 1) phrases.push({ key, from, to: from + length, needsTopic: !named });
    }
  }
  return phrases;
}
