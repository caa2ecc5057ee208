// Retrieval sets in memory: made from held-out training projects (to learn and choose with), or read from a folder of
// evaluation sets (to report with).

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Doc {
  text: string;
  title?: string;
  headingPath?: string[];
}

export interface RetrievalSet {
  name: string;
  docs: Doc[];
  queries: { text: string; relevant: Map<number, number> }[];
}

interface Section {
  title: string;
  headings: string[];
  text: string;
  project: string;
}

/** The projects train.py leaves out with --hold-out. */
const HELD_OUT = new Set(
  'cargo electron fastapi helm istio laravel prometheus ros2 scikit-learn sqlalchemy typescript vue webpack'.split(
    ' ',
  ),
);

function readXz<T>(file: string): T[] {
  const text = execFileSync('xz', ['-dc', file], { maxBuffer: 2 ** 30 }).toString('utf8');
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as T); // prettier-ignore
}

export function developmentSets(folder: string, random: () => number): RetrievalSet[] {
  const projects = new Map<string, Section[]>();
  for (const section of readXz<Section>(join(folder, 'sections.jsonl.xz'))) {
    if (HELD_OUT.has(section.project))
      projects.set(section.project, [...(projects.get(section.project) ?? []), section]);
  }
  const sets: RetrievalSet[] = [];
  for (const [name, sections] of projects) {
    sets.push(headingSet(name, sections, random), sentenceSet(name, sections, random, false));
    sets.push(sentenceSet(name, sections, random, true));
    sets.push(titledSet(name, sections, random), pathedSet(name, sections, random));
  }
  sets.push(questionSet(folder));
  return sets;
}

function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

/** Page title and own heading, to the section's bare text. */
function headingSet(project: string, sections: Section[], random: () => number): RetrievalSet {
  const queries = shuffled(sections.length, random).slice(0, 240).map((at) => ({
    text: `${sections[at]!.title} ${sections[at]!.headings.at(-1) ?? ''}`,
    relevant: new Map([[at, 1]]),
  })); // prettier-ignore
  return { name: `headings-${project}`, docs: sections.map(({ text }) => ({ text })), queries };
}

/** The same queries to sections that show their page's title, as whole documents do. */
function titledSet(project: string, sections: Section[], random: () => number): RetrievalSet {
  const { queries } = headingSet(project, sections, random);
  const docs = sections.map(({ text, title }) => ({ text, title }));
  return { name: `titled-${project}`, docs, queries: queries.slice(0, 80) };
}

/** Some words of the place and some of the opening, to sections that show their whole place, as chunks do. */
function pathedSet(project: string, sections: Section[], random: () => number): RetrievalSet {
  const docs = sections.map(({ text, title, headings }) => ({ text, title, headingPath: headings }));
  const some = (text: string, share: number) => text.split(/\s+/).filter(() => random() < share);
  const queries = shuffled(sections.length, random).slice(0, 80).map((at) => {
    const { title, headings, text } = sections[at]!;
    const place = some(`${title} ${headings.slice(1).join(' ')}`, 0.5);
    return { text: [...place, ...some(text.slice(0, 120), 0.25)].join(' '), relevant: new Map([[at, 1]]) };
  }); // prettier-ignore
  return { name: `pathed-${project}`, docs, queries };
}

/** A sentence taken out of its section, to the rest of it, with or without the place it stands at. */
function sentenceSet(
  project: string,
  sections: Section[],
  random: () => number,
  placed: boolean,
): RetrievalSet {
  const docs: Doc[] = sections.map(({ text, title, headings }) =>
    placed ? { text, title, headingPath: headings } : { text },
  );
  const queries: RetrievalSet['queries'] = [];
  for (const at of shuffled(sections.length, random)) {
    if (queries.length === 80) break;
    const text = sections[at]!.text;
    const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z`"'-])/).filter((s) => s.length > 40 && s.length < 300);
    if (sentences.length < 4) continue;
    const sentence = sentences[Math.floor(random() * sentences.length)]!;
    docs[at]!.text = text.replace(sentence, ' ');
    queries.push({ text: sentence, relevant: new Map([[at, 1]]) });
  }
  return { name: `${placed ? 'placed' : 'sentence'}-${project}`, docs, queries };
}

function questionSet(folder: string): RetrievalSet {
  const records = readXz<{ set: string; question: string; answer: string }>(join(folder, 'qa.jsonl.xz'));
  const held = records.filter(({ set }, at) => set === 'medquad' && at % 100 >= 90);
  return {
    name: 'question-medquad',
    docs: held.map(({ answer }) => ({ text: answer })),
    queries: held
      .map(({ question }, at) => ({ text: question, relevant: new Map([[at, 1]]) }))
      .filter((_, at) => at % 3 === 0),
  };
}

export function evaluationSets(folder: string): RetrievalSet[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'qrels.tsv')))
    .map((name) => evaluationSet(join(folder, name), name));
}

function evaluationSet(folder: string, name: string): RetrievalSet {
  const read = <T>(file: string): T[] =>
    gunzipSync(readFileSync(join(folder, file)))
      .toString('utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);
  const corpus = read<{ _id: string; title?: string; text: string }>('corpus.jsonl.gz');
  const position = new Map(corpus.map(({ _id }, at) => [_id, at]));
  const relevant = new Map<string, Map<number, number>>();
  for (const row of readFileSync(join(folder, 'qrels.tsv'), 'utf8').trimEnd().split('\n').slice(1)) {
    const [query, document, score] = row.split('\t') as [string, string, string];
    if (Number(score) <= 0) continue;
    const known = relevant.get(query) ?? new Map<number, number>();
    relevant.set(query, known.set(position.get(document)!, Number(score)));
  }
  const queries = read<{ _id: string; text: string }>('queries.jsonl.gz').flatMap(({ _id, text }) =>
    relevant.has(_id) ? [{ text, relevant: relevant.get(_id)! }] : [],
  );
  return { name, docs: corpus.map(({ title, text }) => (title ? { title, text } : { text })), queries };
}
