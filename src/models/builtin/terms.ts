// Words of a text as the reranker compares them: lower-case, without marks, beside their stems. Stems are remembered,
// because candidates of one query share most of their words.

import { stem } from '../../domain/stem.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';

const WORD = /[\p{L}\p{N}]+/gu;
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;
const REMEMBERED = 50_000;
const MAX_WORD = 40;

const stems = new Map<string, string>();

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

export function stemOf(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    known = word.length > MAX_WORD ? word : stem(word);
    if (stems.size >= REMEMBERED) stems.clear();
    stems.set(word, known);
  }
  return known;
}

export interface QueryTerm {
  stem: string;
  /** The spellings the query used for it. */
  words: Set<string>;
}

/** Distinct stems in order; function words only where there is nothing else. */
export function queryTerms(query: string, most: number): QueryTerm[] {
  const all = wordsOf(query);
  const telling = all.filter((word) => !STOPWORDS.has(word));
  const terms = new Map<string, QueryTerm>();
  for (const word of telling.length > 0 ? telling : all) {
    const key = stemOf(word);
    const known = terms.get(key);
    if (known) known.words.add(word);
    else if (terms.size < most) terms.set(key, { stem: key, words: new Set([word]) });
  }
  return [...terms.values()];
}
