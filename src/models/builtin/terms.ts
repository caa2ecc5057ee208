// Words of a text as the reranker compares them: lower-case, without marks; and what a query, or a name, asks for.

import { STOPWORDS } from '../../domain/stopwords.ts';
import type { Lexicon } from './lexicon.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;

export function wordsOf(text: string): readonly string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(WORD) ?? []
  );
}

export interface QueryTerm {
  /** Numbers of the lexicon: its stem, and the spellings the query used for it. */
  stem: number;
  words: Set<number>;
  /** The first of the spellings. */
  word: string;
}

/** Distinct stems in order; function words only where there is nothing else. */
export function queryTerms(lexicon: Lexicon, query: string, most: number): QueryTerm[] {
  const all = wordsOf(query);
  const telling = all.filter((word) => !STOPWORDS.has(word));
  const terms = new Map<number, QueryTerm>();
  for (const word of telling.length > 0 ? telling : all) {
    const numbered = lexicon.number(word);
    const known = terms.get(numbered.stem);
    if (known) known.words.add(numbered.word);
    else if (terms.size < most)
      terms.set(numbered.stem, { stem: numbered.stem, words: new Set([numbered.word]), word });
  }
  return [...terms.values()];
}
