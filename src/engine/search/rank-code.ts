// The order of source code. A question about code asks for a file more often than for a passage, and names it: so passages
// of one file count together, and names of files and definitions count beside the words found. Weights were chosen on one
// half of the repositories of `npm run bench:code` (docs/evaluation.md).

import { isTestPath } from '../../domain/test-path.ts';
import { stem } from '../../domain/stem.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import { definitionKey } from '../../domain/symbols.ts';
import { splitIdentifier } from '../../domain/variants.ts';
import type { Scope, Store, StoredChunk } from '../../ports/store.ts';
import { isDefinedAs, nameAsked, namesIn, type AskedName } from './asked-name.ts';
import type { Candidate } from './rerank.ts';

/** Passages of source code that are ranked together. */
export const CODE_POOL = 50;
/** The rank at which a passage counts half of the first. */
const HALF_RANK = 40;
/** What each further passage of a file counts, in the sum of the file and in its own place. */
const FURTHER_SUM = 0.7;
const FURTHER_PLACE = 0.4;
/** What a passage counts by itself; the rest by its file. */
const OWN_SHARE = 0.6;
/** So many places go to the best files; those after them to the best passages, of whatever file. */
const BY_FILE = 7;
const FILE_NAMED = 1.25;
const FOLDER_NAMED = 0.3;
/** How much it counts that a name says the rare words of the question and not a common one. */
const RARITY = 0.4;
const DEFINES = 1;
const TEST = 0.2;
/** Definitions of one name that are looked at. */
const MOST_DEFINITIONS = 50;
/** Definitions that a question spells out. */
const MOST_SPELLED = 10;
/** Words of a question, and parts of a name, that are compared with others. */
const MAX_WORDS = 64;
const MAX_PARTS = 16;

const ABOUT_TESTS = new Set([
  'test',
  'tests',
  'testing',
  'spec',
  'specs',
  'mock',
  'mocks',
  'fixture',
  'fixtures',
]);
/** Shorter words are the beginning of too many others. */
const SHORTEST_PREFIX = 3;
/** Files that are called by their folder. */
const FOLDER_FILE = /^(?:index|mod|lib|main|__init__)$/;
/** Where a name is written as code writes it. */
const CODE_NAME = /\p{Ll}\p{Lu}|[\p{L}\p{N}]_|_\p{L}/u;

export function isCode({ defines }: Pick<StoredChunk, 'defines'>): boolean {
  return defines !== undefined;
}

/** Chunks that define what the question names and asks nothing else about. */
export async function definitionsAsked(store: Store, question: string, scope: Scope): Promise<string[]> {
  const asked = nameAsked(question);
  if (!asked) return [];
  const ids = await store.search.pages({
    names: asked.names.map(definitionKey),
    scope,
    limit: MOST_DEFINITIONS,
  });
  if (asked.within === undefined || ids.length === 0) return ids;
  return (await store.search.chunks(ids)).filter((chunk) => isDefinedAs(asked, chunk)).map(({ id }) => id);
}

/** Chunks that define what two or three words of the question in a row call: "JSON array" says `JsonArray`. */
export async function definitionsSpelledOut(store: Store, question: string, scope: Scope): Promise<string[]> {
  const words = namesIn(question)
    .slice(0, MAX_WORDS)
    .map((word) => word.toLowerCase());
  const runs = [2, 3].flatMap((count) => words.flatMap((_, at) => runOf(words, at, count)));
  if (runs.length === 0) return [];
  const names = [...new Set(runs.flatMap(spellings))];
  return store.search.pages({ names: names.map(definitionKey), scope, limit: MOST_SPELLED });
}

function runOf(words: readonly string[], at: number, count: number): string[][] {
  const run = words.slice(at, at + count);
  return run.length === count && !run.some((word) => STOPWORDS.has(word)) ? [run] : [];
}

/** As code writes words as one name: `JsonArray`, `jsonArray`, `json_array`. */
function spellings(words: readonly string[]): string[] {
  const capital = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return [capital, words[0]! + capital.slice(words[0]!.length), words.join('_')];
}

interface Question {
  /** Its words and the parts of its names, without those that say nothing: their stems, and how rare they are. */
  words: readonly { word: string; root: string; rarity: number }[];
  /** Stems of its words, and of the parts of its names. */
  stems: ReadonlySet<string>;
  /** Up to three words in a row written as one. */
  joined: ReadonlySet<string>;
  /** Names written as code writes them, where it does not consist of one name. */
  names: ReadonlySet<string>;
  /** The one name it consists of. */
  name?: AskedName;
  aboutTests: boolean;
}

/** Its words that files may be called by: how rare they are counts. */
export function wordsAsked(question: string): string[] {
  const words = telling(namesIn(question).flatMap(splitIdentifier));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

function telling(words: readonly string[]): string[] {
  return words.filter((word) => !STOPWORDS.has(word));
}

function read(question: string, rarity: ReadonlyMap<string, number>): Question {
  const words = namesIn(question).flatMap(splitIdentifier);
  const joined = words.flatMap((_, at) => [1, 2, 3].map((count) => words.slice(at, at + count).join('')));
  const name = nameAsked(question);
  const its = telling(words);
  return {
    // Where it is not known how rare they are, all are the same.
    words: wordsAsked(question).map((word) => ({ word, root: stem(word), rarity: rarity.get(word) ?? 1 })),
    stems: new Set(its.map(stem)),
    joined: new Set(telling(joined).map(stem)),
    names: new Set(name ? [] : namesIn(question).filter((one) => CODE_NAME.test(one))),
    ...(name ? { name } : {}),
    aboutTests: words.some((word) => ABOUT_TESTS.has(word)),
  };
}

/**
 * Source code among the candidates in its own order, at the places that source code had; prose stays where it is.
 * `rarity` is of the words of `wordsAsked`.
 */
export function rankCode(
  candidates: readonly Candidate[],
  question: string,
  rarity: ReadonlyMap<string, number> = new Map(),
): Candidate[] {
  const code = candidates.filter(({ chunk }) => isCode(chunk));
  if (code.length === 0) return [...candidates];
  const ranked = ordered(code, withOwnMark(read(question, rarity), code));
  const scores = code.map(({ score }) => score).sort((a, b) => b - a);
  let next = 0;
  return candidates.map((candidate) =>
    isCode(candidate.chunk) ? { ...ranked[next]!, score: scores[next++]! } : candidate,
  );
}

/** A mark at the end of a name may be the sentence's; where something is called so, it is the name's: `update!`. */
function withOwnMark(question: Question, code: readonly Candidate[]): Question {
  const [whole] = question.name?.names ?? [];
  const isOwn = whole !== undefined && code.some(({ chunk }) => chunk.defines!.includes(whole));
  return isOwn ? { ...question, name: { ...question.name!, names: [whole] } } : question;
}

interface Weighed {
  candidate: Candidate;
  rank: number;
  weight: number;
  defines: boolean;
}

function ordered(code: readonly Candidate[], question: Question): Candidate[] {
  const files = new Map<string, Weighed[]>();
  for (const [rank, candidate] of code.entries()) {
    const { collection, path, defines } = candidate.chunk;
    const isAsked = question.name !== undefined && isDefinedAs(question.name, candidate.chunk);
    const named = isAsked || defines!.some((name) => question.names.has(name));
    const told = named || defines!.some((name) => isSpelledOut(name, question));
    const weight = (1 + (told ? DEFINES : 0)) / (1 + rank / HALF_RANK);
    const file = `${collection}\n${path}`;
    const passage = { candidate, rank, weight, defines: isAsked };
    files.set(file, [...(files.get(file) ?? []), passage]);
  }
  const placed = [...files.values()].flatMap((passages) => {
    passages.sort((a, b) => b.weight - a.weight);
    const { path } = passages[0]!.candidate.chunk;
    const sum = passages.reduce((total, { weight }, at) => total + FURTHER_SUM ** at * weight, 0);
    const named = FILE_NAMED * fileNamed(path, question) + FOLDER_NAMED * folderNamed(path, question);
    const factor = (1 + named) * (isTest(path, question) ? TEST : 1);
    return passages.map((one, at) => ({
      ...one,
      place: factor * FURTHER_PLACE ** at * (OWN_SHARE * one.weight + (1 - OWN_SHARE) * sum),
    }));
  });
  // Who asks for a name alone wants its definition before anything that uses it.
  placed.sort((a, b) => Number(b.defines) - Number(a.defines) || b.place - a.place);
  const byPassage = placed.splice(BY_FILE).sort((a, b) => a.rank - b.rank);
  return [...placed, ...byPassage].map(({ candidate, defines }) =>
    defines ? { ...candidate, asked: true } : candidate,
  );
}

/** Whether the question says all parts of a name of several. */
function isSpelledOut(name: string, { stems }: Question): boolean {
  const parts = splitIdentifier(name);
  return parts.length > 1 && parts.every((part) => stems.has(stem(part)));
}

/** How far the question names the file, 0 to 1. */
function fileNamed(path: string, question: Question): number {
  const [file = '', folder = ''] = path.split('/').reverse();
  const bare = file.split('.')[0]!;
  return named(splitIdentifier(FOLDER_FILE.test(bare) && folder ? folder : bare), question);
}

/** How far it names one of the two folders nearest to the file. */
function folderNamed(path: string, question: Question): number {
  const folders = path.split('/').slice(-3, -1);
  return Math.max(0, ...folders.map((folder) => named(splitIdentifier(folder), question)));
}

/**
 * The share of the name that the question says, and the less the less of the question that is: `command.go` is where half
 * of a command line library is, whatever is asked about commands.
 */
function named(name: readonly string[], { words, joined }: Question): number {
  const parts = name.slice(0, MAX_PARTS).map((part) => ({ part, root: stem(part) }));
  const whole = name.join('');
  const inFull = joined.has(stem(whole));
  const said = new Set<string>();
  let [saying, all] = [0, 0];
  for (const { word, root, rarity } of words) {
    const its = parts.filter((one) => one.root === root || isShortFor(one.part, word));
    for (const { part } of its) said.add(part);
    if (its.length > 0 || (inFull && whole.includes(word))) saying += rarity;
    all += rarity;
  }
  if (saying === 0) return 0;
  const share = inFull ? 1 : parts.filter(({ part }) => said.has(part)).length / parts.length;
  return share * (saying / all) ** RARITY;
}

/** Names of files are often short for a word (`auth`, `config`), or a word is short for them. */
function isShortFor(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= SHORTEST_PREFIX && (a.startsWith(b) || b.startsWith(a));
}

function isTest(path: string, { aboutTests }: Question): boolean {
  return !aboutTests && isTestPath(path);
}
