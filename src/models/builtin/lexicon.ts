// Numbers for words and for their stems, so that a passage is compared with a query without touching a string again.
// Bounded: once full, words of passages get no new numbers, until it is emptied together with all that holds numbers.

import { stem } from '../../domain/stem.ts';
import { detached } from '../../domain/text.ts';
import { createPlainWords, type PlainWords } from './plain-words.ts';
import { wordsOf } from './terms.ts';

const MAX_WORDS = 50_000;
const MAX_CHARACTERS = 1_000_000;
/** Longer ones are hashes and encoded blobs: their own stem. */
const MAX_WORD = 40;
/** Before so many are known most words are new, and looking them up byte by byte only adds to the work. */
const MANY_WORDS = 4_000;

/**
 * Word by word, from 1. 0 is a word, or a stem, without a number: no query since the last `clear` asked for it.
 */
export interface Numbered {
  word: number;
  stem: number;
}

export interface Lexicon {
  /** Of a query or a name: those are few, and always get numbers. */
  number(word: string): Numbered;
  /** Of a text, for every word two numbers: the stem's and its own. Good until the next text. */
  read(text: string): Int32Array;
  readonly full: boolean;
  /** The highest number of a stem. */
  readonly stems: number;
  clear(): void;
}

export function createLexicon(): Lexicon {
  const words = new Map<string, number>();
  const stems = new Map<string, number>();
  /** By number of the word. */
  const stemOf = [0];
  let characters = 0;
  const full = (): boolean => words.size >= MAX_WORDS || characters >= MAX_CHARACTERS;

  function add(cut: string): number {
    const word = detached(cut);
    const key = stemmed(word);
    let known = stems.get(key);
    if (known === undefined) stems.set(key, (known = stems.size + 1));
    stemOf.push(known);
    words.set(word, words.size + 1);
    characters += word.length;
    return words.size;
  }

  function number(word: string): Numbered {
    const id = words.get(word) ?? add(word);
    return { word: id, stem: stemOf[id]! };
  }

  const numberIfRoom = (word: string): Numbered =>
    full() && !words.has(word) ? { word: 0, stem: stems.get(stemmed(word)) ?? 0 } : number(word);
  let plain: PlainWords | undefined;

  return {
    number,
    read(text) {
      if (words.size >= MANY_WORDS) plain ??= createPlainWords(numberIfRoom);
      const read = plain?.read(text);
      if (read) return read;
      const list = wordsOf(text);
      const numbers = new Int32Array(list.length * 2);
      list.forEach((word, at) => {
        const numbered = numberIfRoom(word);
        numbers[at * 2] = numbered.stem;
        numbers[at * 2 + 1] = numbered.word;
      });
      return numbers;
    },
    get full() {
      return full();
    },
    get stems() {
      return stems.size;
    },
    clear() {
      words.clear();
      stems.clear();
      stemOf.length = 1;
      characters = 0;
      plain?.clear();
    },
  };
}

function stemmed(word: string): string {
  return word.length > MAX_WORD ? word : stem(word);
}
