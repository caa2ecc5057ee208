// Development collections out of held-out training projects, shaped as people's folders are: bare sections, sections with
// their place, whole pages, questions with answers. Each comes with several kinds of query whose answer is known.

import { join } from 'node:path';
import { shuffled } from '../bench/lib/random.ts';
import { readXz, type Section } from '../bench/lib/sections.ts';

export interface Query {
  kind: string;
  text: string;
  /** Positions of the right documents; none where the question belongs to another collection. */
  right: number[];
  /** Of each right document the lines that answer; the whole of it where they are not given. */
  lines?: { from: number; to: number }[];
}

export interface Shape {
  name: string;
  documents: string[];
  /** How the file of each is called; Markdown where it is not given. */
  extensions?: string[];
  queries: Query[];
}

/** Whole projects that train.py leaves out with --hold-out; the same as in data.py. */
const HELD_OUT = new Set(
  'cargo electron fastapi helm istio laravel prometheus ros2 scikit-learn sqlalchemy typescript vue webpack'.split(
    ' ',
  ),
);
/** Kinds of query that are put to other collections, too. */
const ASKED = new Set(['heading', 'sentence', 'ask', 'short', 'para']);
const PER_KIND = 60;
const STRANGE = 40;
const SENTENCE = /(?<=[.!?])\s+(?=[A-Z`"'-])/;
/** Anchors some projects write behind a heading. */
const ANCHOR = /\s*\{[^}]*\}\s*$/;

/** Questions of other collections that one does not answer: those of other projects, question headings, health. */
export function strange(
  folder: string,
  all: readonly Shape[],
  random: () => number,
): (name: string) => Query[] {
  const records = readXz<{ set: string; question: string }>(join(folder, 'qa.jsonl.xz'));
  const of = (set: string): string[] =>
    records.filter((record) => record.set === set).map(({ question }) => question);
  const [headings, health] = [of('docs_question_headings'), of('medquad')];
  return (name) => {
    const project = name.split('-').slice(1).join('-');
    const others = all
      .filter((shape) => !shape.name.endsWith(`-${project}`))
      .flatMap(({ queries }) => queries);
    const asked = others.filter(({ kind }) => ASKED.has(kind));
    const some = (texts: readonly string[], kind: string): Query[] =>
      shuffled(texts, random)
        .slice(0, STRANGE)
        .map((text) => ({ kind, text, right: [] }));
    return [
      ...some(asked.map(({ text }) => text), 'near'), // prettier-ignore
      ...some(headings, 'heading question'),
      ...(project === 'medquad' ? [] : some(health, 'far')),
    ];
  };
}

export function shapes(folder: string, random: () => number): Shape[] {
  const projects = new Map<string, Section[]>();
  for (const section of readXz<Section>(join(folder, 'sections.jsonl.xz'))) {
    if (!HELD_OUT.has(section.project)) continue;
    const headings = section.headings.map((heading) => heading.replace(ANCHOR, ''));
    const clean = { ...section, title: section.title.replace(ANCHOR, ''), headings };
    projects.set(section.project, [...(projects.get(section.project) ?? []), clean]);
  }
  return [...[...projects].flatMap(([name, sections]) => shapesOf(name, sections, random)), answers(folder)];
}

export function shapesOf(project: string, sections: Section[], random: () => number): Shape[] {
  return [bare, placed, pages].map((shape) => shape(project, sections, random));
}

function bare(project: string, sections: Section[], random: () => number): Shape {
  const order = shuffled([...sections.keys()], random);
  const texts = sections.map(({ text }) => text);
  const heading = (at: number) => `${sections[at]!.title} ${own(sections[at]!)}`;
  const queries: Query[] = order.slice(0, PER_KIND).map((at) => one('heading', heading(at), at));
  for (const [i, at] of order.slice(0, PER_KIND).entries()) {
    const other = order[PER_KIND + i];
    if (other === undefined) break;
    queries.push({
      kind: 'double',
      text: `${own(sections[at]!)} and ${own(sections[other]!)}`,
      right: [at, other],
    });
  }
  queries.push(...takenOut('sentence', texts, order.slice(2 * PER_KIND), random));
  return { name: `bare-${project}`, documents: texts, queries };
}

function placed(project: string, sections: Section[], random: () => number): Shape {
  const order = shuffled([...sections.keys()], random);
  const texts = sections.map(({ text }) => text);
  const some = (text: string, share: number) => text.split(/\s+/).filter(() => random() < share);
  const queries: Query[] = order.slice(0, PER_KIND).map((at) => {
    const { title, headings, text } = sections[at]!;
    const place = some(`${title} ${headings.slice(1).join(' ')}`, 0.5);
    return one('mixed', [...place, ...some(text.slice(0, 120), 0.25)].join(' '), at);
  });
  queries.push(...takenOut('sentence', texts, order.slice(PER_KIND), random));
  for (const at of order.slice(-PER_KIND)) queries.push(one('keywords', keywords(texts[at]!, random), at));
  const documents = sections.map(
    ({ title, headings }, at) =>
      `# ${title}\n\n${headings.slice(1).map((h, i) => `${'#'.repeat(Math.min(i + 2, 6))} ${h}\n\n`).join('')}${texts[at]}\n`, // prettier-ignore
  );
  return { name: `placed-${project}`, documents, queries };
}

/** Neighbouring sections of one title are a page again. */
function pages(project: string, sections: Section[], random: () => number): Shape {
  const texts = sections.map(({ text }) => text);
  const pageOf: number[] = [];
  sections.forEach(({ title }, at) =>
    pageOf.push(at > 0 && sections[at - 1]!.title === title ? pageOf[at - 1]! : (pageOf[at - 1] ?? -1) + 1),
  );
  const order = shuffled([...sections.keys()], random);
  const deep = order.filter((at) => sections[at]!.headings.length > 1);
  const queries: Query[] = deep.slice(0, PER_KIND).map((at) => one('heading', own(sections[at]!), at));
  queries.push(...takenOut('sentence', texts, order, random));
  for (const at of deep.slice(PER_KIND, 2 * PER_KIND))
    queries.push(one('ask', asked(sections[at]!, random), at));
  for (const at of order.slice(-PER_KIND)) queries.push(one('keywords', keywords(texts[at]!, random), at));
  const openings = order.filter((at) => at === 0 || pageOf[at] !== pageOf[at - 1]);
  for (const at of openings.slice(0, PER_KIND))
    queries.push(one('title', titled(sections[at]!.title, random), at));
  const documents: string[] = [];
  const lines: { from: number; to: number }[] = [];
  sections.forEach(({ title, headings }, at) => {
    const page = pageOf[at]!;
    const level = '#'.repeat(Math.min(Math.max(headings.length, 2), 6));
    const head = headings.length > 1 ? `${level} ${headings.at(-1)}\n\n` : '';
    const opens = documents[page] === undefined;
    const before = documents[page] ?? `# ${title}\n\n`;
    documents[page] = `${before}${head}${texts[at]}\n\n`;
    const count = (text: string): number => text.split('\n').length;
    lines.push({ from: opens ? 1 : count(before), to: count(documents[page]) - 2 });
  });
  const inPage = (query: Query): Query => ({
    ...query,
    right: query.right.map((at) => pageOf[at]!),
    lines: query.right.map((at) => lines[at]!),
  });
  return { name: `pages-${project}`, documents, queries: queries.map(inPage) };
}

function answers(folder: string): Shape {
  const records = readXz<{ set: string; question: string; answer: string }>(join(folder, 'qa.jsonl.xz'));
  const held = records.filter(({ set }, at) => set === 'medquad' && at % 100 >= 90);
  const queries = held.flatMap(({ question }, at) => (at % 4 === 0 ? [one('question', question, at)] : []));
  return { name: 'answers-medquad', documents: held.map(({ answer }) => answer), queries };
}

const one = (kind: string, text: string, at: number): Query => ({ kind, text, right: [at] });
const own = (section: Section): string => section.headings.at(-1) ?? section.title;

/** Sentences are removed from their texts and must find what is left of them. */
function takenOut(kind: string, texts: string[], order: readonly number[], random: () => number): Query[] {
  const queries: Query[] = [];
  for (const at of order) {
    if (queries.length === PER_KIND) break;
    const sentences = texts[at]!.split(SENTENCE).filter(({ length }) => length > 40 && length < 300);
    if (sentences.length < 4) continue;
    const sentence = sentences[Math.floor(random() * sentences.length)]!;
    texts[at] = texts[at]!.replace(sentence, ' ');
    queries.push(one(kind, sentence, at));
  }
  return queries;
}

/** Two to four longer words of a text, as somebody types who half remembers it. */
function keywords(text: string, random: () => number): string {
  const words = [...new Set(text.match(/[A-Za-z][A-Za-z-]{4,}/g) ?? [text])];
  const count = 2 + Math.floor(random() * 3);
  return shuffled(words, random).slice(0, count).join(' ');
}

/** A page asked for by its title. */
function titled(title: string, random: () => number): string {
  const ways = ['X', 'what is X', 'explain X', 'X overview', 'how does X work'];
  return ways[Math.floor(random() * ways.length)]!.replace('X', title);
}

const WAYS = [
  'how do I X in Y',
  'what is X',
  'X not working with Y',
  'how does X work',
  'when should I use X',
];

function asked(section: Section, random: () => number): string {
  const way = WAYS[Math.floor(random() * WAYS.length)]!;
  return way.replace('X', own(section).toLowerCase()).replace('Y', section.title);
}
