// How much of a question one passage covers. If a passage contains every word of it, nothing is left to look for
// elsewhere, and relations would only put pages about its names before it.

import { stem } from '../../domain/stem.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const MAX_TEXT = 20_000;
const MAX_WORDS = 64;

/** Share of the question's own words that the passage holds, by stem; 0 where the question has none. */
export function coveredShare(question: string, passage: string): number {
  const wanted = new Set(
    (question.toLowerCase().match(WORD) ?? []).filter((word) => !STOPWORDS.has(word)).slice(0, MAX_WORDS),
  );
  if (wanted.size === 0) return 0;
  const text = passage.slice(0, MAX_TEXT).toLowerCase();
  const there = [...new Set(text.match(WORD))];
  let held = 0;
  // Scripts without spaces make one word of many: there it is enough that the passage has it somewhere.
  for (const word of wanted)
    if (hasStem(there, stem(word)) || (word.charCodeAt(0) > 0x2e7f && text.includes(word))) held += 1;
  return held / wanted.size;
}

/** Words of one stem begin like it, but for its last letter (`happy`, `happi`): the others need not be stemmed. */
function hasStem(words: readonly string[], wanted: string): boolean {
  const start = wanted.slice(0, -1);
  return words.some((word) => word.startsWith(start) && stem(word) === wanted);
}
