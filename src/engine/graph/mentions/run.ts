// Runs of capitalised words in prose: where a name of several words begins and ends, and which lone capital is only the
// start of a sentence. Words are places in the text, and cut out of it only where they name something.

import type { Span } from '../../text/chunk/boundaries.ts';
import { add } from './keys.ts';
import { endsSentence, hasApostrophe, isIdentifier, isUpper } from './scan.ts';

const MAX_RUN = 8;
/** Room for the words of a run and its connectors; one run is read at a time. */
const RUN = new Int32Array(2 * (MAX_RUN + 3));
/** Longest connector or number inside a name. */
const MAX_INSIDE = 4;

/** Words that begin a sentence in capitals without being names. */
const OPENERS = new Set(
  `a about above according across additionally after afterwards again all almost along alongside already also although always among an and another any are around as at avoid based be because been before being below between beyond both but by can cannot check choose click consider create currently define depending despite did do does doing done down due during each either else enable ensure especially even eventually every everything except finally find firstly follow following for from further furthermore generally get give given go had has have having he hence her here herself him himself his how however i if in include including indeed initially inside install instead into is it its itself just keep lastly later let like likewise look make many may maybe me meanwhile might mine more moreover most much must my near nearly need neither never nevertheless no none nonetheless nor not note nothing now of off often on once only or originally other others otherwise our ours out outside over overall per perhaps please previously prior provide quite rather read recently remember remove replace run save secondly see select set several shall she should similarly simply since so some someone something sometimes soon specify start still such suppose take than thank thanks that the their theirs them then there thereafter therefore these they this those though through throughout thus till to today together too toward towards under unless unlike until up update upon use used using usually verify very via want was we well were what whatever when whenever where whereas wherever whether which while who whoever whom whose why will with within without would write yes yet you your yours`.split(
    /\s+/,
  ),
);

const MAX_OPENER = Math.max(...[...OPENERS].map((opener) => opener.length));

/** Small words that may stand inside a name: University of the Arts, Vincent van Gogh. */
const INSIDE = new Set('of the de la le du des del di da van von der den al el bin ibn &'.split(' '));

const DIGITS = /^\p{N}+$/u;
const POSSESSIVE = /['’]s?$/;
const SPACE = 32;
const LINE_END = 10;
const FULL_STOP = 46;

/** Where one pass over prose stands. */
export interface Pass {
  text: string;
  units: Uint16Array;
  keys: Set<string>;
  /** The word being read. */
  from: number;
  to: number;
  /** Where the capitalised words read just now begin and end, with the connectors between them, and how many. */
  run: Int32Array;
  count: number;
  /** Whether the first of them is written as an identifier. */
  telling: boolean;
  /** How many connectors end the run; they are given back when it closes. */
  loose: number;
  /** Whether the run, or the next word, opens a sentence. */
  opens: boolean;
  /** Lone capitalised words that opened a sentence. */
  openers: Set<string> | undefined;
}

export function startPass(keys: Set<string>, text: string, units: Uint16Array): Pass {
  const nothing = { telling: false, loose: 0, opens: true, openers: undefined };
  return { text, units, keys, from: 0, to: 0, run: RUN, count: 0, ...nothing };
}

/** What lies between two tokens may end the run, and the sentence. */
export function toGap(pass: Pass, from: number, to: number): void {
  if (pass.count > 0 && !joins(pass, from, to)) close(pass);
  if (pass.count === 0 && !pass.opens && endsSentence(pass.units, from, to)) pass.opens = true;
}

/** Whether a run goes on over this gap: one space or line end, or the full stop after an initial. */
function joins({ units, run, count }: Pass, from: number, to: number): boolean {
  if (to === from + 1) return units[from] === SPACE || units[from] === LINE_END;
  const initial = to === from + 2 && units[from] === FULL_STOP && units[from + 1] === SPACE;
  return initial && run[count * 2 - 1]! - run[count * 2 - 2]! === 1;
}

/** A word of ASCII. */
export function plainWord(pass: Pass): void {
  const { units, from, to } = pass;
  const upper = isUpper(units[from]!);
  const telling = isIdentifier(units, from, to);
  if (upper || (pass.count > 0 && to - from <= MAX_INSIDE)) return word(pass, upper, telling);
  close(pass);
  pass.opens = false;
  if (telling && to - from > 3) add(pass.keys, pass.text.slice(from, to));
}

/** Extends, starts or ends the run of capitalised words with one more word, which may be written as an identifier. */
export function word(pass: Pass, upper: boolean, telling: boolean): void {
  const { text, units, from, to } = pass;
  if (pass.count === 1 && pass.opens && isOpener(pass, 0)) close(pass);
  const inRun = pass.count > 0;
  if (upper || (inRun && to - from <= MAX_INSIDE && isNumber(pass))) {
    if (pass.count >= MAX_RUN) close(pass);
    const owns = hasApostrophe(units, from, to);
    if (!owns && telling) add(pass.keys, text.slice(from, to));
    if (pass.count === 0) pass.telling = telling;
    push(pass);
    pass.loose = 0;
    if (owns && POSSESSIVE.test(text.slice(from, to))) close(pass);
    return;
  }
  if (inRun && pass.loose < 2 && to - from <= MAX_INSIDE && INSIDE.has(text.slice(from, to))) {
    push(pass);
    pass.loose += 1;
    return;
  }
  close(pass);
  pass.opens = false;
  if (telling && to - from > 3) add(pass.keys, text.slice(from, to));
}

function push(pass: Pass): void {
  pass.run[pass.count * 2] = pass.from;
  pass.run[pass.count * 2 + 1] = pass.to;
  pass.count += 1;
}

/** Whether a word of the run is one that begins sentences. */
function isOpener({ text, run }: Pass, index: number): boolean {
  const from = run[index * 2]!;
  const to = run[index * 2 + 1]!;
  return to - from <= MAX_OPENER && OPENERS.has(text.slice(from, to).toLowerCase());
}

function isNumber({ text, units, from, to }: Pass): boolean {
  for (let at = from; at < to; at += 1) {
    const code = units[at]!;
    if (code > 127) return DIGITS.test(text.slice(from, to));
    if (code < 48 || code > 57) return false;
  }
  return true;
}

export function close(pass: Pass): void {
  const { text, units, run, count, opens } = pass;
  if (count === 0) return;
  const end = count - pass.loose;
  let first = 0;
  while (first < end && isOpener(pass, first)) first += 1;
  pass.count = 0;
  pass.loose = 0;
  pass.opens = false;
  if (first >= end) return;
  if (end - first > 1) {
    let name = text.slice(run[first * 2], run[first * 2 + 1]);
    for (let at = first + 1; at < end; at += 1) name += ` ${text.slice(run[at * 2], run[at * 2 + 1])}`;
    add(pass.keys, name);
    return;
  }
  const start = run[first * 2]!;
  const stop = run[first * 2 + 1]!;
  if (stop - start < 2) return;
  if (opens && first === 0 && !pass.telling && hasSmall(text, units, { start, end: stop }))
    (pass.openers ??= new Set()).add(text.slice(start, stop));
  else add(pass.keys, text.slice(start, stop));
}

/** Whether a word is not all capitals. */
function hasSmall(text: string, units: Uint16Array, { start, end }: Span): boolean {
  for (let at = start; at < end; at += 1) {
    const code = units[at]!;
    if (code >= 97 && code <= 122) return true;
    if (code > 127) return text.slice(start, end) !== text.slice(start, end).toUpperCase();
  }
  return false;
}
