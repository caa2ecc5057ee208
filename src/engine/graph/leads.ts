// The second hop: the passages that the best ones lead to. A sentence of such a passage passes its share of the
// question on to the other names in it, and each name to the chunks that contain it. "The river that the bridge
// crosses" is named by the page about the bridge, not by the question. No model is called, and the work is bounded.

import type { GraphReads, GraphScope } from '../../ports/graph-store.ts';
import type { ScoredChunk, StoredChunk } from '../../ports/store.ts';
import { coveredShare } from './coverage.ts';
import { mentionKeys, TOPIC } from './mentions/mentions.ts';
import { COMMON, phraseKeys, rarity } from './query-names.ts';

const MAX_TEXT = 8_000;
const MAX_SENTENCES = 40;
const MAX_NAMES = 100;
/** A heading stands for the whole passage: its name counts as one of a sentence that holds a quarter of the question. */
const BY_HEADING = 0.25;
/** A chunk that is about the name answers a little more often than one that mentions it. */
const ABOUT = 1.5;
/** A full stop after a capital is an initial's. */
const SENTENCE_END = /(?<=[^\p{Lu}][.!?])\s+(?=[\p{Lu}\p{N}"“(])|\n{2,}/u;

/** A passage that others may be found from, and how well it was found itself. */
export interface Lead {
  chunk: StoredChunk;
  score: number;
}

interface Activated {
  strength: number;
  from: string;
}

/** Chunks reached from the leads over names that the question does not say, with their strength. */
export async function ledTo(
  graph: GraphReads,
  question: string,
  leads: readonly Lead[],
  scope: GraphScope,
): Promise<ScoredChunk[]> {
  const names = [...activated(question, leads)]
    .sort((a, b) => b[1].strength - a[1].strength || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_NAMES);
  const keys = names.flatMap(([key]) => [key, TOPIC + key]);
  const found = await graph.chunksWithMentions(keys, { scope, limit: COMMON });
  const scores = new Map<string, number>();
  for (const [key, { strength, from }] of names) {
    const chunks = found.get(key) ?? [];
    if (chunks.length >= COMMON) continue;
    const about = new Set(found.get(TOPIC + key));
    for (const id of chunks) {
      if (id === from) continue;
      const score = strength * rarity(chunks.length) * (about.has(id) ? ABOUT : 1);
      if (score > (scores.get(id) ?? 0)) scores.set(id, score);
    }
  }
  return [...scores].map(([id, score]) => ({ id, score }));
}

/** The names beside those of the question, each as strong as the sentence that says most of the question. */
function activated(question: string, leads: readonly Lead[]): Map<string, Activated> {
  const said = phraseKeys(question);
  const names = new Map<string, Activated>();
  for (const { chunk, score } of leads) {
    const activate = (keys: readonly string[], strength: number): void => {
      for (const key of keys) {
        const known = names.get(key)?.strength ?? 0;
        if (!key.startsWith(TOPIC) && !said.has(key) && strength > known)
          names.set(key, { strength, from: chunk.id });
      }
    };
    activate(mentionKeys('', chunk.headingPath.slice(-1)), score * BY_HEADING);
    const sentences = chunk.text.slice(0, MAX_TEXT).split(SENTENCE_END, MAX_SENTENCES);
    for (const sentence of sentences)
      activate(mentionKeys(sentence), score * coveredShare(question, `${chunk.title}\n${sentence}`));
  }
  return names;
}
