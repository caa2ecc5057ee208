// Passages as numbers: the words and tokens of their headings and of their text, one passage after the other in two
// arrays that every question reuses.

import { STOPWORDS } from '../../domain/stopwords.ts';
import type { RerankCandidate } from '../../ports/reranker.ts';
import { wordNumber, type Read, type Tokenizer } from './tokenizer.ts';

export const MAX_TEXT = 8_000;
export const MAX_PLACE = 400;

/** Where a passage lies in the arrays. */
export interface Passage {
  /** Words of the title come first, then those of the headings, then the text. */
  words: number;
  wordsEnd: number;
  titleEnd: number;
  /** Where the last heading begins; the title itself where there is no other. */
  heading: number;
  placeEnd: number;
  tokens: number;
  /** Where the tokens of the text itself begin. */
  textTokens: number;
  tokensEnd: number;
}

export interface Passages {
  readonly words: Int32Array;
  readonly ids: Int32Array;
  /** Reads all of them; good until the next call. */
  read(candidates: readonly RerankCandidate[]): Passage[];
}

export function createPassages(tokenizer: Tokenizer): Passages {
  const read: Read = { ids: new Int32Array(32_768), tokens: 0, words: new Int32Array(32_768), count: 0 };

  /** A character is at most two tokens. */
  function makeRoom(characters: number): void {
    const needed = Math.max(read.tokens, read.count) + 2 * characters;
    if (needed <= read.ids.length) return;
    const size = 2 ** Math.ceil(Math.log2(needed));
    read.ids = grown(read.ids, size);
    read.words = grown(read.words, size);
  }

  function one({ text, title, headingPath }: RerankCandidate): Passage {
    const parts = [...new Set([title, ...(headingPath ?? [])])].filter((part) => part);
    makeRoom(MAX_TEXT + (parts.length + 1) * MAX_PLACE);
    const [words, tokens] = [read.count, read.tokens];
    let [titleEnd, heading] = [words, words];
    parts.forEach((part, at) => {
      heading = read.count;
      tokenizer.read(part!.slice(0, MAX_PLACE), read);
      if (at === 0 && part === title) titleEnd = read.count;
    });
    const [placeEnd, textTokens] = [read.count, read.tokens];
    tokenizer.read(text.slice(0, MAX_TEXT), read);
    const ends = { wordsEnd: read.count, tokensEnd: read.tokens };
    return { words, titleEnd, heading, placeEnd, tokens, textTokens, ...ends };
  }

  return {
    get words() {
      return read.words;
    },
    get ids() {
      return read.ids;
    },
    read(candidates) {
      read.tokens = read.count = 0;
      return candidates.map(one);
    },
  };
}

function grown(from: Int32Array, size: number): Int32Array {
  const to = new Int32Array(size);
  to.set(from);
  return to;
}

const SMALL = new Set([...STOPWORDS].map(wordNumber));

/** Function words say nothing about what a text is about. */
export function isSmall(word: number): boolean {
  return SMALL.has(word);
}
