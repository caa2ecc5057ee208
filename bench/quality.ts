// npm run bench:quality: every judged set through the engine as a user would use it (ingest, then search), in every
// mode, with paired significance against words; what a reader gets of the right documents within so many tokens; and how
// well relevance tells a set's own questions from those of others. No key, no network. `--model` embeds with a model that
// `vai models add` put into the home of whoever runs this.

import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { localCall } from '../src/engine/call.ts';
import type { Engine } from '../src/engine/engine.ts';
import { EVALUATED_MODES, searchOptions, type EvaluatedMode } from '../src/engine/evaluate/evaluate.ts';
import { average, measure, pairedP, type Measures } from '../src/engine/evaluate/metrics.ts';
import { workspace } from './lib/docs.ts';
import { openEngine } from './lib/engine.ts';
import { table } from './lib/measure.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';
import { spearman } from './lib/rank-correlation.ts';
import { auc, bestRelevance, BUDGETS, READERS, recallWithin } from './lib/reading.ts';

const options = benchOptions(['sets', 'modes', 'run', 'queries', 'check', 'model']);
const evalFolder = existsSync(join(options.data, 'eval')) ? join(options.data, 'eval') : options.data;
requireData(evalFolder);
const call = localCall();
const modes = (options.values.modes?.split(',') ?? EVALUATED_MODES) as EvaluatedMode[];
const rows: (string | number)[][] = [
  ['set', 'mode', 'nDCG@10', 'R@5', 'R@10', 'R@100', 'MRR', 'ms/query', 'p'],
];
const stored: Record<string, unknown>[] = [];
const reading: (string | number)[][] = [['recall within', 'tool', ...BUDGETS.map((b) => `${b} tokens`)]];
const verdicts: (string | number)[][] = [['relevance', 'AUC', 'own refused', 'others refused']];
/** Questions of a set that the tables beside the first ask. */
const ASKED = 100;
/** Made from the same pages, so one answers questions of the other. */
const SAME_PAGES = ['docs_headings_react', 'react_docs_arabold'];

const space = workspace('quality');
try {
  for (const set of setNames()) await runSet(set);
  for (const one of [rows, reading, verdicts]) console.log(`${table(one)}\n`);
  const correlations = await stsb();
  if (correlations.length)
    console.log(
      table([
        ['stsb', 'pairs', 'Spearman'],
        ...correlations.map((c) => [c.split, c.pairs, c.spearman.toFixed(4)]),
      ]),
    );
  writeJson(options.json, stored);
  if (options.values.check) compare(options.values.check);
  // No mode of search: stored in a file beside the others.
  if (correlations.length) writeJson(options.json?.replace(/(\.json)?$/, '.stsb.json'), correlations);
} finally {
  space.remove();
}

/** Fails when a figure of the stored run is missed by more than a point: what CI holds us to. */
function compare(file: string): void {
  const before = JSON.parse(readFileSync(file, 'utf8')) as { set: string; mode: string; ndcg10: number }[];
  const dropped = before.filter(({ set, mode, ndcg10 }) => {
    const now = stored.find((one) => one['set'] === set && one['mode'] === mode) as
      { ndcg10: number } | undefined;
    return now !== undefined && now.ndcg10 < ndcg10 - 0.01;
  });
  for (const { set, mode, ndcg10 } of dropped)
    console.error(`quality dropped: ${set} ${mode} was ${ndcg10.toFixed(4)}`);
  if (dropped.length > 0) process.exitCode = 1;
  else console.log('Quality is where it was, within a point.');
}

function allSets(): string[] {
  return readdirSync(evalFolder).filter((name) => existsSync(join(evalFolder, name, 'qrels.tsv'))).sort(); // prettier-ignore
}

function setNames(): string[] {
  const wanted = options.values.sets?.split(',');
  return allSets().filter((name) => !wanted || wanted.includes(name));
}

function records(file: string): Record<string, string>[] {
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>);
}

/** A home of its own, which knows the models of the user's. */
function homeOf(set: string): string {
  const home = join(space.folder, `home-${set}`);
  if (options.values.model) {
    mkdirSync(home, { recursive: true });
    symlinkSync(join(process.env['VAI_HOME'] ?? join(homedir(), '.vai'), 'models'), join(home, 'models'));
  }
  return home;
}

async function runSet(set: string): Promise<void> {
  const folder = join(evalFolder, set);
  const corpus = records(join(folder, 'corpus.jsonl.gz'));
  const relevant = judgements(join(folder, 'qrels.tsv'));
  const limit = Number(options.values.queries ?? Infinity);
  const queries = records(join(folder, 'queries.jsonl.gz'))
    .filter((query) => relevant.has(query['_id']!))
    .slice(0, limit);
  const engine = await openEngine(homeOf(set));
  let words: number[] = [];
  const runAndAdd = async (mode: EvaluatedMode, ids: Map<string, string>) => {
    const found = await runMode(engine, { set, mode, queries, ids });
    const all = queries.map((query) =>
      measure(found.rankings.get(query['_id']!)!, relevant.get(query['_id']!)!),
    );
    const ndcgs = all.map((one) => one.ndcg10);
    if (mode === 'words') words = ndcgs;
    add(set, mode, {
      ...average(all),
      msPerQuery: found.msPerQuery,
      queries: queries.length,
      p: words.length ? pairedP(ndcgs, words) : NaN,
    });
  };
  try {
    const ids = await ingest(engine, set, corpus);
    for (const mode of modes) await runAndAdd(mode, ids);
    const asked = queries.slice(0, ASKED);
    await addReading(engine, { set, asked, relevant, ids });
    await addVerdicts(engine, set, asked);
  } finally {
    await engine.close();
  }
}

interface Asked {
  set: string;
  asked: Record<string, string>[];
  relevant: Map<string, Map<string, number>>;
  ids: Map<string, string>;
}

async function addReading(engine: Engine, { set, asked, relevant, ids }: Asked): Promise<void> {
  for (const [tool, ask] of Object.entries(READERS)) {
    const sums = BUDGETS.map(() => 0);
    for (const query of asked) {
      const right = relevant.get(query['_id']!)!;
      const shown = await ask(engine, set, plain(query['text']!));
      recallWithin(shown, (path) => right.has(ids.get(path)!), right.size).forEach(
        (share, at) => (sums[at]! += share / asked.length),
      );
    }
    reading.push([set, tool, ...sums.map((sum) => sum.toFixed(3))]);
    stored.push({ set, tool, recallWithin: Object.fromEntries(BUDGETS.map((b, at) => [b, sums[at]])) });
  }
}

async function addVerdicts(engine: Engine, set: string, asked: Record<string, string>[]): Promise<void> {
  const others = allSets().filter(
    (other) => other !== set && !(SAME_PAGES.includes(set) && SAME_PAGES.includes(other)),
  );
  const strange = others.flatMap((other) =>
    records(join(evalFolder, other, 'queries.jsonl.gz')).slice(0, Math.ceil(ASKED / others.length)),
  );
  const rate = (queries: Record<string, string>[]) =>
    Promise.all(queries.map((query) => bestRelevance(engine, set, plain(query['text']!))));
  const [own, other] = [await rate(asked), await rate(strange)];
  const share = (rated: typeof own) => rated.filter(({ refused }) => refused).length / rated.length;
  const figures = {
    auc: auc(own.map(({ best }) => best), other.map(({ best }) => best)), // prettier-ignore
    ownRefused: share(own),
    othersRefused: share(other),
  };
  verdicts.push([set, ...Object.values(figures).map((value) => value.toFixed(3))]);
  stored.push({ set, ...figures });
}

/** Without what a search by words would take for operators. */
function plain(text: string): string {
  return text.replaceAll(/["+*()#:]/g, ' ').replaceAll(/(^|\s)-+/g, ' ');
}

function judgements(file: string): Map<string, Map<string, number>> {
  const all = new Map<string, Map<string, number>>();
  for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
    const [query, document, score] = line.split('\t');
    if (!query || !document || Number(score) <= 0) continue;
    const one = all.get(query) ?? new Map<string, number>();
    all.set(query, one.set(document, Number(score)));
  }
  return all;
}

/** Documents become Markdown files of a folder, as a user's would be; the file name is the position in the corpus. */
async function ingest(
  engine: Engine,
  set: string,
  corpus: Record<string, string>[],
): Promise<Map<string, string>> {
  const folder = join(space.folder, set);
  mkdirSync(folder, { recursive: true });
  const ids = new Map<string, string>();
  corpus.forEach((document, at) => {
    const path = `${at}.md`;
    ids.set(path, document['_id']!);
    writeFileSync(
      join(folder, path),
      document['title'] ? `# ${document['title']}\n\n${document['text']}\n` : `${document['text']}\n`,
    );
  });
  const { model } = options.values;
  const result = await engine.ingest.files(call, {
    ...{ paths: [folder], collection: set },
    ...(model ? { model } : {}),
  });
  if (result.failuresTotal > 2) throw new Error(`${set}: ${JSON.stringify(result.failures)}`);
  return ids;
}

interface Run {
  set: string;
  mode: EvaluatedMode;
  queries: Record<string, string>[];
  ids: Map<string, string>;
}

async function runMode(
  engine: Engine,
  { set, mode, queries, ids }: Run,
): Promise<{ rankings: Map<string, string[]>; msPerQuery: number }> {
  const rankings = new Map<string, string[]>();
  const lines: string[] = [];
  let spent = 0;
  for (const query of queries) {
    const result = await engine.search.run(call, {
      query: plain(query['text']!),
      collections: [set],
      limit: 100,
      perDocument: 1,
      ...searchOptions(mode),
    });
    spent += result.timeMs;
    const ranking = result.hits.map((hit) => ids.get(hit.path)!);
    rankings.set(query['_id']!, ranking);
    result.hits.forEach((hit, at) =>
      lines.push([query['_id'], ids.get(hit.path), at + 1, hit.score].join('\t')),
    );
  }
  if (options.values.run) {
    mkdirSync(options.values.run, { recursive: true });
    writeFileSync(
      join(options.values.run, `${set}.${mode.replace(', ', '-')}.tsv`),
      `query-id\tdoc-id\trank\tscore\n${lines.join('\n')}\n`,
    );
  }
  return { rankings, msPerQuery: spent / queries.length };
}

function add(
  set: string,
  mode: string,
  result: Measures & { msPerQuery: number; queries: number; p: number },
): void {
  const f = (value: number) => value.toFixed(4);
  rows.push([
    set,
    mode,
    f(result.ndcg10),
    f(result.recall5),
    f(result.recall10),
    f(result.recall100),
    f(result.mrr),
    result.msPerQuery,
    mode === 'words' ? '' : result.p.toFixed(4),
  ]);
  stored.push({ set, mode, ...result });
  console.error(`${set} ${mode} ${f(result.ndcg10)}`);
}

async function stsb(): Promise<{ split: string; pairs: number; spearman: number }[]> {
  const folder = join(evalFolder, 'stsb');
  if (!existsSync(folder) || (options.values.sets && !options.values.sets.includes('stsb'))) return [];
  const engine = await openEngine(join(space.folder, 'home-stsb'));
  const out = [];
  for (const split of ['dev', 'test']) {
    const pairs = gunzipSync(readFileSync(join(folder, `${split}.jsonl.gz`)))
      .toString('utf8')
      .split('\n')
      .filter(Boolean);
    const parsed = pairs.map(
      (line) => JSON.parse(line) as { sentence1: string; sentence2: string; score: number },
    );
    const scores: number[] = [];
    for (const pair of parsed)
      scores.push(
        (await engine.models.similarity(call, { text1: pair.sentence1, text2: pair.sentence2 })).similarity,
      );
    out.push({
      split,
      pairs: parsed.length,
      spearman: spearman(
        scores,
        parsed.map((pair) => pair.score),
      ),
    });
  }
  await engine.close();
  return out;
}
