// Runs of capitalised words in prose: where a name of several words begins and ends, and which lone capital is only the
// start of a sentence.

import { add } from './keys.ts';

const MAX_RUN = 8;
/** Longest connector or number inside a name. */
const MAX_INSIDE = 4;

/** Words that begin a sentence in capitals without being names. */
const OPENERS = new Set(
  `a about above according across additionally after afterwards again all almost along alongside already also although always among an and another any are around as at avoid based be because been before being below between beyond both but by can cannot check choose click consider create currently define depending despite did do does doing done down due during each either else enable ensure especially even eventually every everything except finally find firstly follow following for from further furthermore generally get give given go had has have having he hence her here herself him himself his how however i if in include including indeed initially inside install instead into is it its itself just keep lastly later let like likewise look make many may maybe me meanwhile might mine more moreover most much must my near nearly need neither never nevertheless no none nonetheless nor not note nothing now of off often on once only or originally other others otherwise our ours out outside over overall per perhaps please previously prior provide quite rather read recently remember remove replace run save secondly see select set several shall she should similarly simply since so some someone something sometimes soon specify start still such suppose take than thank thanks that the their theirs them then there thereafter therefore these they this those though through throughout thus till to today together too toward towards under unless unlike until up update upon use used using usually verify very via want was we well were what whatever when whenever where whereas wherever whether which while who whoever whom whose why will with within without would write yes yet you your yours`.split(
    /\s+/,
  ),
);

/** Small words that may stand inside a name: University of the Arts, Vincent van Gogh. */
const INSIDE = new Set('of the de la le du des del di da van von der den al el bin ibn &'.split(' '));

const UPPER = /^\p{Lu}/u;
const DIGITS = /^\p{N}+$/u;
/** A change of case, a letter before a digit, an underscore or full stop between letters. */
const IDENTIFIER = /[\p{Ll}\p{N}]\p{Lu}|\p{L}_\p{L}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{L}\.\p{L}{2}/u;
const PLAIN = /^[A-Za-z][a-z]*$/;
const APOSTROPHE = /['’]/;
const POSSESSIVE = /['’]s?$/;
/** A mark, a blank line, or a line that begins an item. */
const ENDS_SENTENCE = /[.!?:;|•#>*]|\n\s*[\n+-]/;

/** Takes the words of a text one after the other, with what lies between them, and adds the names among them. */
export class Run {
  /** Lone capitalised words that opened a sentence. */
  readonly openers = new Set<string>();
  readonly #keys: Set<string>;
  /** The capitalised words read just now, with the connectors between them. */
  #words: string[] = [];
  /** Whether the first of them is written as an identifier. */
  #telling = false;
  /** How many connectors end the run; they are given back when it ends. */
  #loose = 0;
  /** Whether the run, or the next word, opens a sentence. */
  #opens = true;

  constructor(keys: Set<string>) {
    this.#keys = keys;
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /** A run goes on over one space or line end, or the full stop after an initial; what else lies between two words ends it. */
  gap(text: string): void {
    if (text === ' ' || text === '\n' || (text === '. ' && this.#words.at(-1)?.length === 1)) return;
    this.#end();
    if (!this.#opens && ENDS_SENTENCE.test(text)) this.#opens = true;
  }

  /** Extends, starts or ends the run with one more word. */
  word(word: string): void {
    if (this.#words.length === 1 && this.#opens && isOpener(this.#words[0]!)) this.#end();
    const telling = !PLAIN.test(word) && IDENTIFIER.test(word);
    const mayJoin = !this.isEmpty && word.length <= MAX_INSIDE;
    if (UPPER.test(word) || (mayJoin && DIGITS.test(word))) {
      if (this.#words.length >= MAX_RUN) this.#end();
      const owns = APOSTROPHE.test(word);
      if (!owns && telling) add(this.#keys, word);
      if (this.isEmpty) this.#telling = telling;
      this.#words.push(word);
      this.#loose = 0;
      if (owns && POSSESSIVE.test(word)) this.#end();
    } else if (mayJoin && this.#loose < 2 && INSIDE.has(word)) {
      this.#words.push(word);
      this.#loose += 1;
    } else {
      this.close();
      if (telling && word.length > 3) add(this.#keys, word);
    }
  }

  /** Something that is no part of a name: the next word opens no sentence. */
  close(): void {
    this.#end();
    this.#opens = false;
  }

  #end(): void {
    if (this.isEmpty) return;
    const end = this.#words.length - this.#loose;
    let first = 0;
    while (first < end && isOpener(this.#words[first]!)) first += 1;
    const name = this.#words.slice(first, end);
    const mayBeNone = this.#opens && first === 0 && !this.#telling;
    this.#words = [];
    this.#loose = 0;
    this.#opens = false;
    const [word, second] = name;
    if (word === undefined || (second === undefined && word.length < 2)) return;
    if (second === undefined && mayBeNone && word !== word.toUpperCase()) this.openers.add(word);
    else add(this.#keys, name.join(' '));
  }
}

function isOpener(word: string): boolean {
  return OPENERS.has(word.toLowerCase());
}
