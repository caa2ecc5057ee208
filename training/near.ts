// Where a question counts as near a few passages (`NEAR` in src/models/builtin/relevance.ts): how many questions from
// elsewhere a collection of one to ten passages still refuses, for several bounds. Training text only.
//   node training/near.ts --train <folder with sections.jsonl.xz and qa.jsonl.xz>

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { random } from '../bench/lib/random.ts';
import { readXz, type Section } from '../bench/lib/sections.ts';
import { judge, nearest } from '../src/models/builtin/reranker.ts';
import { RELEVANCE_BOUNDS } from '../src/models/builtin/relevance-weights.ts';

const COLLECTIONS = 2_500;
const MOST_PASSAGES = 10;
const CANDIDATES = [0.15, 0.18, 0.2, 0.22, 0.25];

const { values } = parseArgs({ options: { train: { type: 'string' } } });
const questions = readXz<{ question: string }>(join(values.train!, 'qa.jsonl.xz'));
const byProject = Map.groupBy(
  // One of seven is enough to draw from.
  readXz<Section>(join(values.train!, 'sections.jsonl.xz')).filter(
    ({ text }, at) => at % 7 === 0 && text.length > 150,
  ),
  ({ project }) => project,
);
const projects = [...byProject.values()].filter((sections) => sections.length > 20);
const next = random(7);
const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;

/** The nearest passage of each question that the bounds would refuse; the others are answered either way. */
const asked = { 'people’s questions': 0, 'headings of other projects': 0 };
const refused: Record<keyof typeof asked, number[]> = {
  'people’s questions': [],
  'headings of other projects': [],
};
for (let at = 0; at < COLLECTIONS; at++) {
  const own = pick(projects);
  const passages = Array.from({ length: 1 + Math.floor(next() * MOST_PASSAGES) }, () => pick(own)).map(
    ({ title, headings, text }) => ({ title, headingPath: headings, text: text.slice(0, 1_500) }),
  );
  const ask = (kind: keyof typeof asked, question: string): void => {
    asked[kind]++;
    if (Math.max(...judge(question, passages).relevance) < RELEVANCE_BOUNDS.nothing)
      refused[kind].push(nearest(question, passages));
  };
  ask('people’s questions', pick(questions).question);
  const other = pick(projects);
  if (other !== own) ask('headings of other projects', pick(other).headings.at(-1)!);
}
for (const kind of Object.keys(asked) as (keyof typeof asked)[]) {
  const share = (bound: number) =>
    (refused[kind].filter((value) => value < bound).length / asked[kind]).toFixed(3);
  const by = CANDIDATES.map((bound) => `below ${bound}: ${share(bound)}`);
  console.log(`${kind}: refused without the rule ${share(Infinity)}; ${by.join(', ')}`);
}
