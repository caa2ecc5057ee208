// Collections of documentation that the shipped embedding has not seen: as it stands in its repositories, with the questions
// of `questions.jsonl`, and its sections in the shapes of `shapes.ts`. A question asks for some lines in three ways, as a
// person would who has not seen them.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Section } from '../bench/lib/sections.ts';
import { collapseSpace } from '../src/domain/text.ts';
import { outline } from '../src/engine/text/headings.ts';
import { readMarkdown } from '../src/sources/files/readers/markdown.ts';
import { readRst } from '../src/sources/files/readers/rst.ts';
import { shapesOf, type Query, type Shape } from './shapes.ts';

/** A line of `questions.jsonl`: the lines that answer, a whole question, a few words, and the same need in other words. */
interface Asked {
  project: string;
  path: string;
  start: number;
  end: number;
  ask: string;
  short: string;
  para: string;
}

const KINDS = ['ask', 'short', 'para'] as const;
/** As the training sections were made. */
const SHORTEST = 120;
const LONGEST = 1_400;

/** `folder` has one folder of documentation for each project of the questions. */
export async function natural(folder: string, random: () => number): Promise<Shape[]> {
  const lines = readFileSync(join(import.meta.dirname, 'questions.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const byProject = Map.groupBy(
    lines.map((line) => JSON.parse(line) as Asked),
    ({ project }) => project,
  );
  const all: Shape[] = [];
  for (const [project, asked] of byProject) {
    const files = filesOf(join(folder, project));
    const sections = await Promise.all(files.map((file) => sectionsOf(project, file)));
    all.push(...shapesOf(project, sections.flat(), random), whole(project, files, asked));
  }
  return all;
}

interface File {
  path: string;
  bytes: Buffer;
}

function filesOf(folder: string): File[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|mdx|rst)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(folder, file), bytes: readFileSync(file) }));
}

function whole(project: string, files: readonly File[], asked: readonly Asked[]): Shape {
  const placeOf = new Map(files.map(({ path }, at) => [path, at]));
  const queries = asked.flatMap(({ path, start, end, ...texts }) =>
    KINDS.map((kind): Query => ({
      kind,
      text: texts[kind],
      right: [placeOf.get(path)!],
      lines: [{ from: start, to: end }],
    })),
  );
  return {
    name: `whole-${project}`,
    documents: files.map(({ bytes }) => bytes.toString('utf8')),
    extensions: files.map(({ path }) => path.split('.').at(-1)!),
    queries,
  };
}

async function sectionsOf(project: string, { path, bytes }: File): Promise<Section[]> {
  const read = path.endsWith('.rst') ? readRst : readMarkdown;
  const { text, syntax, headings } = await read(path, bytes);
  const marks = outline(text, syntax, headings).headings;
  const lines = text.split('\n');
  return marks.flatMap(({ line, path: headings }, at) => {
    const end = (marks[at + 1]?.line ?? lines.length + 1) - 1;
    const body = collapseSpace(lines.slice(line, end).join('\n')).trim();
    return body.length < SHORTEST
      ? []
      : [{ title: headings[0]!, headings, text: body.slice(0, LONGEST), project }];
  });
}
