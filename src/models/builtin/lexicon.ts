// Numbers for words and for their stems, so that a passage is compared with a query without touching a string again.
// Bounded: once full, words of passages get no new numbers, until it is emptied together with all that holds numbers.

import { stem } from '../../domain/stem.ts';

const MAX_WORDS = 50_000;
const MAX_CHARACTERS = 1_000_000;
/** Longer ones are hashes and encoded blobs: their own stem. */
const MAX_WORD = 40;
/** From here on the platform cuts a word out of a text by pointing at it. */
const MIN_CUT = 13;

/** From 1; 0 is a word, or a stem, without a number: one that no query since the last `clear` asked for. */
export interface Numbered {
  words: Int32Array;
  stems: Int32Array;
}

export interface Lexicon {
  /** Those of a query and of names, which are few, `always` get numbers. */
  number(words: readonly string[], always: boolean): Numbered;
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

  return {
    number(list, always) {
      const found = { words: new Int32Array(list.length), stems: new Int32Array(list.length) };
      for (let at = 0; at < list.length; at++) {
        const word = list[at]!;
        let id = words.get(word);
        if (id === undefined) {
          if (!always && full()) {
            found.stems[at] = stems.get(stemmed(word)) ?? 0;
            continue;
          }
          id = add(word);
        }
        found.words[at] = id;
        found.stems[at] = stemOf[id]!;
      }
      return found;
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
    },
  };
}

function stemmed(word: string): string {
  return word.length > MAX_WORD ? word : stem(word);
}

/** A word that keeps nothing in memory but itself. */
function detached(word: string): string {
  return word.length < MIN_CUT ? word : ` ${word}`.slice(1);
}
