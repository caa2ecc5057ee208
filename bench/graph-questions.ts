// Questions to decide on, so that nothing of the graph is tuned on evaluation sets: made from the training sections,
// whose documents no judged set holds. Writes sets that `npm run bench:quality -- --data <folder>` reads.
//
//   node bench/graph-questions.ts --out <folder>
//
// hop: a few words of a page and of one that its name leads to, and the first one's title; both are right. known: words
// of one sentence that holds names; its section is right, and the pages about those names are not.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { STOPWORDS } from '../src/domain/stopwords.ts';
import { benchOptions, requireData } from './lib/options.ts';
import { shuffled } from './lib/random.ts';
import { readXz, type Section } from './lib/sections.ts';

const PROJECTS: Record<string, string[]> = {
  mesh: ['istio', 'knative', 'helm', 'prometheus'],
  cloud: ['cloudflare'],
  kube: ['kubernetes'],
  python: ['django', 'fastapi', 'sqlalchemy'],
  github: ['github-docs'],
};
const SECTIONS = 3000;
const QUESTIONS = 200;

interface Question {
  text: string;
  relevant: number[];
}

/** A name that is the heading of some section, where a sentence says it. */
interface Said {
  key: string;
  from: number;
  to: number;
}

const options = benchOptions(['out']);
const source = join(options.data, 'train', 'sections.jsonl.xz');
requireData(source);
if (!options.values.out) throw new Error('Name the folder to write to with --out.');

let seed = 11;
const random = (): number => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;

const sections = readXz<Section>(source);
for (const [name, projects] of Object.entries(PROJECTS)) {
  const corpus = wholePages(sections.filter((section) => projects.includes(section.project)));
  const headings = headingIndex(corpus);
  write(
    `${name}_hop`,
    corpus,
    collect(corpus, (at) => hopQuestion(corpus, headings, at)),
  );
  write(
    `${name}_known`,
    corpus,
    collect(corpus, (at) => knownQuestion(corpus, headings, at)),
  );
}

function wholePages(all: readonly Section[]): Section[] {
  const pages = Map.groupBy(all, (section) => section.title);
  const chosen: Section[] = [];
  for (const page of shuffled([...pages.values()], random))
    if (chosen.length < SECTIONS) chosen.push(...page);
  return chosen;
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+(?:['.&/-][\p{L}\p{N}_]+)*/gu) ?? [];
}

function titleOf(section: Section): string {
  return section.headings.at(-1)!;
}

function telling(list: readonly string[]): string[] {
  return list.filter((word) => !STOPWORDS.has(word.toLowerCase()));
}

function sentences(text: string): string[][] {
  const plain = text.split(/(?<=[.!?])\s+/).filter((sentence) => !/[|{}]|^`/.test(sentence));
  const usual = plain.map(words).filter((list) => list.length >= 8 && list.length <= 30);
  return shuffled(usual, random);
}

function headingIndex(corpus: readonly Section[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  corpus.forEach((section, at) => {
    const key = words(titleOf(section)).join(' ').toLowerCase();
    if (key.length > 3 && key.split(' ').length <= 4) index.set(key, [...(index.get(key) ?? []), at]);
  });
  return index;
}

/** The longest first; a single word counts if it is written large and opens no sentence. */
function namesIn(sentence: readonly string[], headings: ReadonlyMap<string, number[]>): Said[] {
  const found: Said[] = [];
  for (let length = 4; length > 0; length--)
    for (let from = length === 1 ? 1 : 0; from + length <= sentence.length; from++) {
      const part = sentence.slice(from, from + length);
      const key = part.join(' ').toLowerCase();
      const free = found.every((one) => one.to <= from || one.from >= from + length);
      if (free && headings.has(key) && (length > 1 || /\p{Lu}/u.test(part[0]!)))
        found.push({ key, from, to: from + length });
    }
  return found;
}

type Headings = ReadonlyMap<string, number[]>;

function hopQuestion(corpus: readonly Section[], headings: Headings, at: number): Question | undefined {
  const title = words(titleOf(corpus[at]!));
  if (title.length === 0 || title.length > 5) return undefined;
  for (const sentence of sentences(corpus[at]!.text)) {
    const leading = namesIn(sentence, headings).filter(({ key }) => {
      const there = headings.get(key)!;
      return there.length === 1 && corpus[there[0]!]!.title !== corpus[at]!.title;
    });
    const name = shuffled(leading, random)[0];
    if (!name) continue;
    const next = headings.get(name.key)![0]!;
    const said = sentences(corpus[next]!.text)[0];
    if (!said) continue;
    const own = new Set(name.key.split(' '));
    const there = shuffled(
      telling(said).filter((word) => !own.has(word.toLowerCase())),
      random,
    ).slice(0, 3);
    const near = [
      ...sentence.slice(Math.max(0, name.from - 6), name.from),
      ...sentence.slice(name.to, name.to + 5),
    ];
    return {
      text: [...there, ...shuffled(telling(near), random).slice(0, 3), ...title].join(' '),
      relevant: [at, next],
    };
  }
  return undefined;
}

function knownQuestion(corpus: readonly Section[], headings: Headings, at: number): Question | undefined {
  for (const sentence of sentences(corpus[at]!.text)) {
    const names = namesIn(sentence, headings);
    if (names.length === 0) continue;
    const kept = new Set(names.flatMap(({ from, to }) => sentence.slice(from, to)));
    const text = telling(sentence).filter((word) => kept.has(word) || random() < 0.6);
    if (text.length >= 5) return { text: text.join(' '), relevant: [at] };
  }
  return undefined;
}

function collect(corpus: readonly Section[], make: (at: number) => Question | undefined): Question[] {
  const questions: Question[] = [];
  for (const at of shuffled([...corpus.keys()], random)) {
    if (questions.length >= QUESTIONS) break;
    const question = make(at);
    if (question) questions.push(question);
  }
  return questions;
}

function write(name: string, corpus: readonly Section[], questions: readonly Question[]): void {
  const folder = join(options.values.out!, name);
  const lines = (rows: readonly object[]) => gzipSync(rows.map((row) => JSON.stringify(row)).join('\n'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'corpus.jsonl.gz'),
    lines(corpus.map((section, at) => ({ _id: `d${at}`, title: titleOf(section), text: section.text }))),
  );
  writeFileSync(
    join(folder, 'queries.jsonl.gz'),
    lines(questions.map(({ text }, at) => ({ _id: `q${at}`, text }))),
  );
  const judged = questions.flatMap(({ relevant }, at) => relevant.map((one) => `q${at}\td${one}\t1`));
  writeFileSync(join(folder, 'qrels.tsv'), `query-id\tcorpus-id\tscore\n${judged.join('\n')}\n`);
  console.log(`${name}: ${corpus.length} sections, ${questions.length} questions`);
}
