// Questions that consist of one name: of a function, a type, a setting, a flag.

import { subjectsOf } from '../../domain/subject.ts';
import { splitIdentifier } from '../../domain/variants.ts';
import type { StoredChunk } from '../../ports/store.ts';
import type { Candidate } from './rerank.ts';

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*[!?]?/gu;
/** What no plain word has: a mark between its characters, or a hump. */
const WRITTEN_AS_NAME = /[\p{L}\p{N}](?:[._-]|::?)[\p{L}\p{N}]|\p{Ll}\p{Lu}/u;
const PART_OF_NAME = /[\p{L}\p{N}_]/u;

/** What may be names among the words of a text. */
export function namesIn(text: string): string[] {
  return text.match(NAME) ?? [];
}

export interface AskedName {
  /** A mark at the end of a name may be the sentence's, so it is looked for without it, too. */
  names: string[];
  /** What stands before its dot or colons: `Sinatra` of `Sinatra::Base`. */
  within?: string;
}

/** The name a question consists of: `Base`, within `Sinatra`, of "what is Sinatra::Base?". */
export function nameAsked(question: string): AskedName | undefined {
  const word = wordAsked(question);
  // Parts with a hyphen or a slash between them are no names.
  const parts = word === undefined || /\/|-(?!>)/.test(word) ? [] : namesIn(word);
  const [within, name] = [parts.at(-2), parts.at(-1)];
  if (name === undefined) return undefined;
  return { names: [...new Set([name, name.replace(/[!?]$/, '')])], ...(within ? { within } : {}) };
}

/**
 * Whether a chunk defines the name in the place that is named with it: `reset` of a consumer is not what the setting
 * `auto.offset.reset` is called. A variable is often called like its type (`gson.toJson()`), or like a part of its name.
 */
export function isDefinedAs(
  { names, within }: AskedName,
  { defines, headingPath, path }: StoredChunk,
): boolean {
  if (!defines?.some((name) => names.includes(name))) return false;
  if (within === undefined) return true;
  const around = [...headingPath, ...defines, ...path.split(/[/.]/)].flatMap(splitIdentifier);
  return splitIdentifier(within).every((part) => around.includes(part));
}

/** The one word that a question is about, as it is written. */
function wordAsked(question: string): string | undefined {
  const core = subjectsOf(question).at(-1)?.text;
  if (core === undefined || /\s/.test(core)) return undefined;
  return question.split(/\s+/).find((one) => one.includes(core));
}

/**
 * Passages that hold the name a question consists of, as it is written, before those that hold its parts: who looks up
 * `max.poll.interval.ms` or `CONN_MAX_AGE` is not helped by other words of polls and ages.
 */
export function holdersFirst(candidates: readonly Candidate[], question: string): Candidate[] {
  const name = withoutMarks(wordAsked(question) ?? '');
  if (!WRITTEN_AS_NAME.test(name)) return [...candidates];
  const [holders, others] = [true, false].map((wanted) =>
    candidates.filter(({ chunk }) => holdsName(chunk, name.toLowerCase()) === wanted),
  ) as [Candidate[], Candidate[]];
  const least = Math.min(...holders.map(({ score }) => score));
  return [...holders, ...others.map((one) => ({ ...one, score: Math.min(one.score, least) }))];
}

/** Without what stands around a word. */
function withoutMarks(word: string): string {
  const characters = [...word];
  const isPart = (character: string): boolean => PART_OF_NAME.test(character);
  return characters.slice(characters.findIndex(isPart), characters.findLastIndex(isPart) + 1).join('');
}

function holdsName({ title, headingPath, text }: StoredChunk, name: string): boolean {
  const all = [title, ...headingPath, text].join('\n').toLowerCase();
  for (let at = all.indexOf(name); at !== -1; at = all.indexOf(name, at + 1)) {
    const [before, after] = [all[at - 1] ?? ' ', all[at + name.length] ?? ' '];
    if (!PART_OF_NAME.test(before) && !PART_OF_NAME.test(after)) return true;
  }
  return false;
}
