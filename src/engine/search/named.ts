// A question that asks for a page by name ("what is a Pod", "explain pods", a title alone) gets the beginning of that
// page first: a page about it beats a mention of it. If no page has the name, a section whose heading is the name comes
// first, and pages rise whose title shares most of its words with the question ("drain a node", *Safely Drain a Node*),
// or that lie in a folder it names ("span attributes in go", `languages/go`). Most questions name no page and are not
// affected. Why this rule: docs/decisions/names.md.

import { oncePerKey } from '../../domain/once.ts';
import { stem } from '../../domain/stem.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import { pageKey, pageNames, type Subject } from '../../domain/subject.ts';
import type { Scope, Store, StoredChunk } from '../../ports/store.ts';
import { displayHeading } from '../text/markdown/display.ts';
import { isCode } from './rank-code.ts';
import { byMerit, type Candidate } from './rerank.ts';

/** Pages of one name that are put first; there may be hundreds called "Overview". */
const MOST = 10;
/** Looked at, to find those that are called so most exactly. */
const LOOKED_AT = 50;
/** The rank of a page that is called so by a part of its title only: it counts where no whole title is. */
const OTHERWISE = 4;
/** From this likeness to the question on, a title counts. */
const ALIKE = 0.6;
/** How much a title counts beside a passage's own score. */
const TITLE_WEIGHT = 0.6;
/** How much a folder does that the question names. */
const FOLDER_WEIGHT = 0.2;
/** Characters of a title that are read. */
const MAX_TITLE = 1_000;
/** Names of files that stand for their folder. */
const INDEX = /^_?(?:index|readme)$/i;

export interface Named {
  chunk: StoredChunk;
  /** How exactly it is called so, 0 the most; equals are left in the order they rank otherwise. */
  rank: number;
}

/** First chunks of the pages that are called what the question asks about; of several such things the longest. */
export async function pagesNamed(store: Store, subjects: readonly Subject[], scope: Scope): Promise<Named[]> {
  if (subjects.length === 0) return [];
  const names = subjects.map(({ key }) => key);
  const ids = await store.search.pages({ names, scope, limit: LOOKED_AT });
  if (ids.length === 0) return [];
  const chunks = await store.search.chunks(ids);
  return longest(
    subjects,
    chunks.map((chunk) => titled(chunk, [chunk.title, ...chunk.headingPath.slice(0, 1)])),
  );
}

/** The candidates of a question, best first, by what the pages and sections they stand in are called. */
export function byName(
  candidates: readonly Candidate[],
  subjects: readonly Subject[],
  pages: readonly Named[],
): Candidate[] {
  const named = namedFirst(candidates, subjects, pages);
  return pages.length > 0 || subjects.length === 0 ? named : titledHigher(named, subjects.at(-1)!.text);
}

/** Raises the best passage of each page whose title is like the question, and what lies in a folder the question names. */
function titledHigher(candidates: readonly Candidate[], question: string): Candidate[] {
  // Passages of one page share their title and their folders.
  const wordsOf = oncePerKey(contentWords);
  const asked = wordsOf(question);
  const pages = new Set<string>();
  const raised = candidates.map((candidate) => {
    const { collection, path, title } = candidate.chunk;
    if (candidate.asked || isCode(candidate.chunk)) return candidate;
    const words = wordsOf(title);
    const likeness = pages.has(`${collection} ${path}`) ? 0 : alike(asked, words);
    pages.add(`${collection} ${path}`);
    const byTitle = likeness < ALIKE ? 0 : TITLE_WEIGHT * likeness;
    const folders = path.split('/').slice(0, -1);
    const byFolder = folders.some((folder) => isNamed(wordsOf(folder), asked, words)) ? FOLDER_WEIGHT : 0;
    return { ...candidate, score: candidate.score + byTitle + byFolder };
  });
  return raised
    .sort(byMerit)
    .map((candidate) => (candidate.score > 1 ? { ...candidate, score: 1 } : candidate));
}

/** Whether the question says the whole name of a folder, and with it something that the title does not. */
function isNamed(folder: Words, asked: Words, title: Words): boolean {
  const words = [...folder];
  return words.every((word) => asked.has(word)) && words.some((word) => !title.has(word));
}

/** 1 where both have the same words, 0 where they share none. */
function alike(a: Words, b: Words): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared > 0 ? (2 * shared) / (a.size + b.size) : 0;
}

/** Stems of the words that say something. */
type Words = ReadonlySet<string>;

function contentWords(text: string): Words {
  const words =
    text
      .slice(0, MAX_TITLE)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !STOPWORDS.has(word)).map(stem));
}

/**
 * Puts pages, or sections among the candidates, that are called what the question asks about before the others. A name is
 * worth more than any score, so it gets the highest.
 */
function namedFirst(
  candidates: readonly Candidate[],
  subjects: readonly Subject[],
  pages: readonly Named[],
): Candidate[] {
  if (subjects.length === 0 && pages.length === 0) return [...candidates];
  const sections = candidates.filter(({ chunk }) => chunk.startLine === chunk.block.start && !isCode(chunk));
  const named = pages.length
    ? pages
    : longest(
        subjects,
        sections.map(({ chunk }) => titled(chunk, headingsOf(chunk))),
      );
  if (named.length === 0) return [...candidates];
  const ranks = new Map(named.map(({ chunk, rank }) => [chunk.id, rank]));
  const first = candidates
    .filter(({ chunk }) => ranks.has(chunk.id))
    .sort((a, b) => ranks.get(a.chunk.id)! - ranks.get(b.chunk.id)!)
    .slice(0, MOST);
  const kept = new Set(first);
  return [
    ...first.map((candidate): Candidate => {
      const whole = ranks.get(candidate.chunk.id)! < OTHERWISE;
      return { ...candidate, score: 1, ...(whole ? { asked: true } : {}) };
    }),
    ...candidates.filter((candidate) => !kept.has(candidate)),
  ];
}

/** A section's heading, and those that its text begins with: one that has no text of its own leads to the section below it. */
function headingsOf({ headingPath, text }: StoredChunk): string[] {
  const own = pageKey(headingPath.at(-1) ?? '');
  const before = new Set<string>();
  for (const line of text.slice(0, MAX_TITLE).split('\n')) {
    const key = headingKey(line);
    if (key === own) return headingPath.filter((one, at) => at === headingPath.length - 1 || before.has(pageKey(one))); // prettier-ignore
    before.add(key);
  }
  return headingPath.slice(-1);
}

/** The key of a line as a heading: without its marks, as `## Title ##` and `== Title` have, and as it is shown. */
function headingKey(line: string): string {
  const title = line.trim().replace(/\s[#=]+$/, '').replace(/^[#=]+\s/, ''); // prettier-ignore
  return pageKey(displayHeading(title));
}

/** A chunk, and by which keys it may be asked for under each of its titles. */
interface Titled {
  chunk: StoredChunk;
  titles: { title: string; keys: string[] }[];
}

function titled(chunk: StoredChunk, titles: readonly string[]): Titled {
  return { chunk, titles: titles.map((title) => ({ title, keys: pageNames(title) })) };
}

function longest(subjects: readonly Subject[], all: readonly Titled[]): Named[] {
  for (const subject of subjects) {
    const named = all.flatMap((one) => namedBy(one, subject));
    const whole = named.filter(({ rank }) => rank < OTHERWISE);
    const chosen = whole.length > 0 ? whole : named;
    if (chosen.length > 0) return chosen.sort((a, b) => a.rank - b.rank).slice(0, MOST);
  }
  return [];
}

function namedBy({ chunk, titles }: Titled, subject: Subject): Named[] {
  const called = titles.filter(({ keys }) => keys.includes(subject.key));
  if (called.length === 0) return [];
  const literal = called.some(({ title }) => plain(title) === plain(subject.text));
  const whole = called.some(({ title }) => pageKey(title) === subject.key);
  const rank = (literal ? 0 : whole ? 2 : OTHERWISE) + (addressOf(chunk.path) === subject.key ? 0 : 1);
  return [{ chunk, rank }];
}

const plain = (text: string): string => text.trim().toLowerCase();

/** The last part of a path that says something. */
function addressOf(path: string): string {
  const parts = path.split('/');
  const file = (parts.pop() ?? '').replace(/\.[^.]*$/, '');
  return pageKey(INDEX.test(file) ? (parts.pop() ?? '') : file);
}
