// The words this process has seen, each with the number of its term, so that a repeated word is not stemmed again.

import { detached } from '../../../domain/text.ts';
import { eachWord, termOf } from '../../../domain/words/tokens.ts';
import { bytesOf } from './pages.ts';

const MAX_WORDS = 160_000;
/** Longer ones are encoded data, hardly met twice. */
const MAX_LENGTH = 64;

export const MAX_TERMS = 2 ** 18;

export interface Term {
  text: string;
  bytes: Uint8Array;
}

export class Vocabulary {
  readonly terms: Term[] = [];
  private readonly words = new Map<string, number>();
  private readonly numbers = new Map<string, number>();

  /** Calls back with the number of the term of each word. */
  read(text: string, visit: (term: number) => void): void {
    eachWord(text, (start, end) => {
      const word = text.slice(start, end);
      visit(this.words.get(word) ?? this.learn(word));
    });
  }

  /** Whether it should give way to an empty one before much more is read. */
  get full(): boolean {
    return this.words.size >= MAX_WORDS || this.terms.length >= MAX_TERMS / 2;
  }

  private learn(word: string): number {
    const text = detached(termOf(word));
    let term = this.numbers.get(text);
    if (term === undefined) {
      term = this.terms.push({ text, bytes: bytesOf(text) }) - 1;
      this.numbers.set(text, term);
    }
    if (word.length <= MAX_LENGTH && this.words.size < MAX_WORDS) this.words.set(detached(word), term);
    return term;
  }
}
