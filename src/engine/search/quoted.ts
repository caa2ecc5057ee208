// A pasted error message, a command or a sentence stands in one passage word for word, often beside words that do not: a
// time, a type, values filled in. Those are rare too, and no retriever sees the order of words. So passages that hold a run
// of the question's words which few others hold come first. Most questions share no such run with any text, and nothing
// changes for them. What it gives: docs/decisions/word-search.md.

import { STOPWORDS } from '../../domain/stopwords.ts';
import { eachWord } from '../../domain/words/tokens.ts';
import type { Candidate } from './rerank.ts';

/** A run of more than three words is several of three. */
const RUN = 3;
/** What more than a quarter of the passages hold is no quotation. */
const COMMON = 1 / 4;
/** What the runs of a passage must count together: four words in a row, found once or twice in fifty passages, do. */
const ENOUGH = 2.6;
/** Others that hold nearly as much as the best one are quoted, too. */
const NEARLY = 0.7;
/** Words of a question that are read. */
const MAX_WORDS = 128;

/** The ids of the passages that the question quotes. How rare a run is, is counted among the passages given. */
export function quotedIn(question: string, candidates: readonly Candidate[]): Set<string> {
  const runs = runsOf(question);
  /** What a run counts that so many of the passages hold. */
  const weight = (holding: number): number =>
    Math.max(0, Math.log((COMMON * (candidates.length + 1)) / (holding + 0.5)));
  if (!runs || runs.keys.size * weight(1) < ENOUGH) return new Set();
  const held = candidates.map(({ chunk }) => heldIn(chunk.text, runs));
  const having = new Map<number, number>();
  for (const found of held) for (const run of found) having.set(run, (having.get(run) ?? 0) + 1);
  const evidence = held.map((found) => [...found].reduce((sum, run) => sum + weight(having.get(run)!), 0));
  const enough = Math.max(ENOUGH, NEARLY * Math.max(...evidence));
  return new Set(candidates.flatMap(({ chunk }, at) => (evidence[at]! >= enough ? [chunk.id] : [])));
}

/** What is asked for by its name stays before what is quoted. */
export function quotedFirst(candidates: readonly Candidate[], quoted: ReadonlySet<string>): Candidate[] {
  if (quoted.size === 0 || candidates.some(({ asked }) => asked)) return [...candidates];
  const isQuoted = ({ chunk }: Candidate): boolean => quoted.has(chunk.id);
  return [
    ...candidates.filter(isQuoted).map((one): Candidate => ({ ...one, score: 1, asked: true })),
    ...candidates.filter((one) => !isQuoted(one)),
  ];
}

interface Runs {
  /** The number of each word of the question. */
  words: ReadonlyMap<string, number>;
  /** The runs that say something, by the numbers of their words. */
  keys: ReadonlySet<number>;
}

function runsOf(question: string): Runs | undefined {
  const words = new Map<string, number>();
  const asked: { word: string; start: number; end: number }[] = [];
  eachWord(question, (start, end) => {
    if (asked.length === MAX_WORDS) return;
    const word = question.slice(start, end).toLowerCase();
    if (!words.has(word)) words.set(word, words.size);
    asked.push({ word, start, end });
  });
  const keys = new Set<number>();
  for (let at = 0; at + RUN <= asked.length; at += 1) {
    const run = asked.slice(at, at + RUN);
    // The parts of a name or an address stand in a row wherever it does.
    const isOneName = !/\s/.test(question.slice(run[0]!.start, run.at(-1)!.end));
    if (!isOneName && run.some(({ word }) => says(word)))
      keys.add(run.reduce((key, { word }) => keyWith(key, words.get(word)!), 0));
  }
  return keys.size > 0 ? { words, keys } : undefined;
}

/** Numbers were filled in as often as not. */
function says(word: string): boolean {
  return !STOPWORDS.has(word) && !/^\p{N}+$/u.test(word);
}

function heldIn(text: string, { words, keys }: Runs): Set<number> {
  const found = new Set<number>();
  const NONE = -1;
  let [first, second] = [NONE, NONE];
  eachWord(text, (start, end) => {
    const third = words.get(text.slice(start, end).toLowerCase()) ?? NONE;
    if (first !== NONE && second !== NONE && third !== NONE) {
      const key = keyWith(keyWith(keyWith(0, first), second), third);
      if (keys.has(key)) found.add(key);
    }
    [first, second] = [second, third];
  });
  return found;
}

function keyWith(key: number, word: number): number {
  return key * MAX_WORDS + word;
}
