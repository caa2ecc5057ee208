// npm run bench:code: judged questions over real repositories, and a check that passages are still found. For the second,
// the first sentences of doc comments ask for the lines of what they describe, with those comments taken out.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { localCall } from '../src/engine/call.ts';
import type { Engine } from '../src/engine/engine.ts';
import { searchOptions, type EvaluatedMode } from '../src/engine/evaluate/evaluate.ts';
import { symbolsOf } from '../src/sources/code/symbols.ts';
import {
  covers,
  ndcg10,
  recallWithin,
  repositories,
  samePath,
  type CodeQuestion,
  type Passage,
  type Repository,
} from './lib/code.ts';
import { filesOf, takeComments } from './lib/comments.ts';
import { workspace } from './lib/docs.ts';
import { openEngine } from './lib/engine.ts';
import { table } from './lib/measure.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';

const options = benchOptions(['sources', 'repos', 'modes', 'comments']);
const data = join(options.data, 'code');
requireData(data);
const sources = resolve(options.values.sources ?? join(options.data, '../../.mirror'));
requireData(sources);
const modes = (options.values.modes?.split(',') ?? [
  'words',
  'meaning',
  'hybrid',
  'rerank',
]) as EvaluatedMode[];
const BUDGETS = [500, 1000, 2000, 4000];
/** Of each repository at most so many, spread over it. */
const COMMENTS = 30;
const call = localCall();

interface Row {
  repository: string;
  mode: string;
  id: string;
  category: string;
  ndcg10: number;
  /** By the budgets. */
  recall: number[];
  /** Of a symbol that the right file defines: whether the first passage has the line it is defined on. */
  ownLine?: boolean;
}

const rows: Row[] = [];
const found: { repository: string; mode: string; at: number }[] = [];
const space = workspace('code');
try {
  const only = options.values.repos?.split(',');
  for (const repository of repositories(data, sources, join(space.folder, 'sources')))
    if (!only || only.includes(repository.name)) await runRepository(repository);
  report();
} finally {
  space.remove();
}

async function runRepository(repository: Repository): Promise<void> {
  const { name, folder, questions } = repository;
  const engine = await openEngine(join(space.folder, `home-${name}`));
  await engine.ingest.files(call, { paths: [folder], collection: name });
  for (const mode of modes)
    for (const question of questions) {
      const passages = await ask(engine, repository, { query: question.query, mode });
      rows.push(await judge(repository, { question, mode, passages }));
    }
  await engine.close();
  if (options.values.comments !== 'no') await runComments(repository);
}

interface Asked {
  query: string;
  mode: EvaluatedMode;
}

async function ask(engine: Engine, { name, folder }: Repository, { query, mode }: Asked): Promise<Passage[]> {
  const { hits } = await engine.search.run(call, {
    query,
    collections: [name],
    limit: 10,
    ...searchOptions(mode),
  });
  return hits.map(({ path, lines }) => {
    const text = readFileSync(join(folder, path), 'utf8')
      .split('\n')
      .slice(lines.start - 1, lines.end);
    return { path, ...lines, characters: text.join('\n').length };
  });
}

async function judge(
  { name, folder }: Repository,
  { question, mode, passages }: { question: CodeQuestion; mode: string; passages: Passage[] },
): Promise<Row> {
  const { id, category, relevant, secondary, query } = question;
  const symbol =
    category === 'symbol' && relevant[0] ? await definitionIn(folder, relevant[0].path, query) : undefined;
  const first = passages[0];
  return {
    repository: name,
    mode,
    id,
    category,
    ndcg10: ndcg10(passages, [...relevant, ...secondary]),
    recall: BUDGETS.map((tokens) => recallWithin(passages, relevant, tokens)),
    ...(symbol
      ? {
          ownLine:
            first !== undefined && covers(first, { path: symbol.path, start: symbol.line, end: symbol.line }),
        }
      : {}),
  };
}

/** Where the file that is right defines what the question names. */
async function definitionIn(
  folder: string,
  target: string,
  query: string,
): Promise<{ path: string; line: number } | undefined> {
  const path = filesOf(folder).find((file) => samePath(file, target));
  if (path === undefined) return undefined;
  const symbols = await symbolsOf(path, readFileSync(join(folder, path), 'utf8'));
  const found = symbols?.definitions.find(({ name, kind }) => name === query.trim() && kind !== 'prototype');
  return found && { path, line: found.line };
}

async function runComments(repository: Repository): Promise<void> {
  const { name, folder } = repository;
  const bare = { ...repository, folder: join(space.folder, 'bare', name) };
  const asked = await takeComments(folder, bare.folder);
  const step = Math.max(1, asked.length / COMMENTS);
  const chosen = Array.from(
    { length: Math.min(COMMENTS, asked.length) },
    (_, at) => asked[Math.floor(at * step)]!,
  );
  const engine = await openEngine(join(space.folder, `bare-${name}`));
  await engine.ingest.files(call, { paths: [bare.folder], collection: name });
  for (const mode of modes)
    for (const { query, path, lines } of chosen) {
      const passages = await ask(engine, bare, { query, mode });
      found.push({
        repository: name,
        mode,
        at: passages.findIndex((passage) => covers(passage, { path, ...lines })),
      });
    }
  await engine.close();
}

function report(): void {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const show = (values: readonly number[]): string => (values.length ? mean(values).toFixed(3) : '–');
  const names = [...new Set(rows.map(({ repository }) => repository))];
  const of = (mode: string, keep: (row: Row) => boolean): Row[] =>
    rows.filter((row) => row.mode === mode && keep(row));
  /** Every repository weighs the same. */
  const perRepository = (mode: string, value: (row: Row) => number): string =>
    show(names.map((name) => mean(of(mode, (row) => row.repository === name).map(value))));
  const line = (title: string, cell: (mode: string) => string): string[] => [title, ...modes.map(cell)];
  const ndcgOf = (mode: string, keep: (row: Row) => boolean): string =>
    show(of(mode, keep).map((row) => row.ndcg10));
  console.log(
    table([
      ['nDCG@10', ...modes],
      ...names.map((name) => line(name, (mode) => ndcgOf(mode, (row) => row.repository === name))),
      line('mean', (mode) => perRepository(mode, (row) => row.ndcg10)),
      ...['architecture', 'semantic', 'symbol'].map((category) =>
        line(category, (mode) => ndcgOf(mode, (row) => row.category === category)),
      ),
      line('symbols: first passage has the line', (mode) =>
        show(of(mode, (row) => row.ownLine !== undefined).map((row) => Number(row.ownLine))),
      ),
      ...BUDGETS.map((tokens, at) =>
        line(`right files in ${tokens} tokens`, (mode) => perRepository(mode, (row) => row.recall[at]!)),
      ),
      ...[1, 10].map((depth) =>
        line(`doc comment finds its lines in ${depth}`, (mode) =>
          show(found.filter((one) => one.mode === mode).map(({ at }) => Number(at >= 0 && at < depth))),
        ),
      ),
    ]),
  );
  writeJson(options.json, { rows, comments: found });
}
