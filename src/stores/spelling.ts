// An index holds stems: how one is written is read from a text that has it.

import { editDistance } from '../domain/nearest.ts';
import { foldAccents } from '../domain/text.ts';
import { eachWord, termOf } from '../domain/words/tokens.ts';

/** Of several spellings the one nearest to what was typed, then the shortest. */
export function spellingIn(text: string, term: string, typed: string): string | undefined {
  const spellings = new Set<string>();
  eachWord(text, (start, end) => {
    const word = text.slice(start, end);
    if (termOf(word) === term) spellings.add(foldAccents(word));
  });
  const [nearest] = [...spellings].sort(
    (a, b) => editDistance(a, typed, 8) - editDistance(b, typed, 8) || a.length - b.length,
  );
  return nearest;
}
