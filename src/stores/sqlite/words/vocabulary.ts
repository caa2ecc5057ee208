// The words a process met, each with the number of its term: a word that repeats is neither cut out of its text nor
// hashed as a string. Words are looked up by their units in a table of open addressing; what is looked at together
// stands together.

import { eachWord, termOf } from '../../../domain/words/tokens.ts';
import { bytesOf } from './pages.ts';

/** Words that are remembered, and their letters. */
const MAX_WORDS = 160_000;
const MAX_UNITS = 2_000_000;
/** More than the words, so that places stay free. */
const PLACES = 2 ** 18;
/** Numbers of a place: the hash, where the letters begin, how many there are, and the term plus one. */
const WIDTH = 4;
const START = 1;
const LENGTH = 2;
const TERM = 3;

export const MAX_TERMS = 2 ** 18;

export interface Term {
  text: string;
  bytes: Uint8Array;
}

export class Vocabulary {
  readonly terms: Term[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly table = new Int32Array(PLACES * WIDTH);
  private readonly letters = new Uint16Array(MAX_UNITS);
  private words = 0;
  private units = 0;

  /** Calls back with the number of the term of each word. */
  read(text: string, visit: (term: number) => void): void {
    eachWord(text, (units, start, end, hash) => {
      const found = this.find(units, start, end, hash);
      visit(found === 0 ? this.learn(text.slice(start, end), hash) : found - 1);
    });
  }

  /** Whether it should give way to an empty one before much more is read. */
  get full(): boolean {
    return this.words >= MAX_WORDS || this.terms.length >= MAX_TERMS / 2;
  }

  /** The term plus one; zero for a word that was not met before. */
  private find(units: Uint16Array, start: number, end: number, hash: number): number {
    const { table, letters } = this;
    for (let at = placeOf(hash); table[at + TERM] !== 0; at = (at + WIDTH) & (PLACES * WIDTH - 1)) {
      if (table[at] !== hash || table[at + LENGTH] !== end - start) continue;
      const from = table[at + START]! - start;
      let unit = start;
      while (unit < end && letters[from + unit] === units[unit]) unit += 1;
      if (unit === end) return table[at + TERM]!;
    }
    return 0;
  }

  private learn(written: string, hash: number): number {
    const text = termOf(written);
    let term = this.numbers.get(text);
    if (term === undefined) {
      term = this.terms.length;
      this.terms.push({ text, bytes: bytesOf(text) });
      this.numbers.set(text, term);
    }
    if (this.words === MAX_WORDS || this.units + written.length > MAX_UNITS) return term;
    let place = placeOf(hash);
    while (this.table[place + TERM] !== 0) place = (place + WIDTH) & (PLACES * WIDTH - 1);
    this.table.set([hash, this.units, written.length, term + 1], place);
    for (let at = 0; at < written.length; at += 1) this.letters[this.units++] = written.charCodeAt(at);
    this.words += 1;
    return term;
  }
}

function placeOf(hash: number): number {
  return ((hash ^ (hash >>> 15)) & (PLACES - 1)) * WIDTH;
}
