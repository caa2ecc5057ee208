// The names of a question that the mention index knows: the longest phrases first, each word used once.

import type { GraphReads, GraphScope } from '../../ports/graph-store.ts';
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

export interface QueryNames {
  /** Key of each name found and the chunks that hold it, capped at `COMMON`. */
  chunks: Map<string, string[]>;
  /** Whether some heading is one of the names: the collection has a place about what is asked. */
  anchored: boolean;
}

export async function queryNames(graph: GraphReads, query: string, scope: GraphScope): Promise<QueryNames> {
  const words = (query.match(WORD) ?? []).slice(0, MAX_WORDS);
  const phrases = candidatePhrases(words);
  const keys = [...new Set(phrases.flatMap((phrase) => [phrase.key, TOPIC + phrase.key]))];
  const found = await graph.chunksWithMentions(keys, { scope, limit: COMMON });
  const used = new Array<boolean>(words.length).fill(false);
  const names: QueryNames = { chunks: new Map(), anchored: false };
  for (const phrase of phrases) {
    const topic = found.get(TOPIC + phrase.key) ?? [];
    const chunks = found.get(phrase.key) ?? [];
    if (phrase.needsTopic ? topic.length === 0 : chunks.length === 0) continue;
    if (used.slice(phrase.from, phrase.to).some(Boolean)) continue;
    used.fill(true, phrase.from, phrase.to);
    names.chunks.set(phrase.key, chunks);
    if (topic.length > 0) names.anchored = true;
  }
  return names;
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
