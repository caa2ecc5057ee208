// Whether a passage holds every telling word of a question, by stem, as the index of words sees it. Where the best hit of
// words does, words know the answer; where none does, meaning has more to add.

import { stem } from '../../domain/stem.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';

const WORD = /[\p{L}\p{N}]+/gu;
/** As much of a passage as is read, and as many words of a question as are looked for. */
const MAX_TEXT = 16_000;
const MAX_WORDS = 64;

export interface Passage {
  title?: string;
  headingPath: readonly string[];
  text: string;
}

export function holdsEveryWord(question: string, { title = '', headingPath, text }: Passage): boolean {
  const missing = stemsOf(question);
  if (missing.size === 0) return true;
  const beginnings = new Set([...missing].map((one) => one.slice(0, 2)));
  const seen = new Set<string>();
  for (const part of [title, ...headingPath, text.slice(0, MAX_TEXT)]) {
    for (const word of wordsOf(part)) {
      if (seen.has(word) || !beginnings.has(word.slice(0, 2))) continue;
      seen.add(word);
      missing.delete(stem(word));
      if (missing.size === 0) return true;
    }
  }
  return false;
}

/** Function words count only where there is nothing else. */
function stemsOf(question: string): Set<string> {
  const words = wordsOf(question);
  const telling = words.filter((word) => !STOPWORDS.has(word));
  return new Set((telling.length > 0 ? telling : words).slice(0, MAX_WORDS).map(stem));
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(WORD) ?? []
  );
}
