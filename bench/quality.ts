// npm run bench:quality: every judged set through the engine as a user would use it (ingest, then search), in every
// mode, with paired significance against words. No key, no network.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { localCall } from '../src/engine/call.ts';
import type { Engine } from '../src/engine/engine.ts';
import { EVALUATED_MODES, searchOptions, type EvaluatedMode } from '../src/engine/evaluate/evaluate.ts';
import { average, measure, pairedP, spearman, type Measures } from '../src/engine/evaluate/metrics.ts';
import { workspace } from './lib/docs.ts';
import { openEngine } from './lib/engine.ts';
import { table } from './lib/measure.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';

const options = benchOptions(['sets', 'modes', 'run', 'queries', 'check']);
const evalFolder = existsSync(join(options.data, 'eval')) ? join(options.data, 'eval') : options.data;
requireData(evalFolder);
const call = localCall();
const modes = (options.values.modes?.split(',') ?? EVALUATED_MODES) as EvaluatedMode[];
const rows: (string | number)[][] = [
  ['set', 'mode', 'nDCG@10', 'R@5', 'R@10', 'R@100', 'MRR', 'ms/query', 'p'],
];
const stored: Record<string, unknown>[] = [];

const space = workspace('quality');
try {
  for (const set of setNames()) await runSet(set);
  console.log(table(rows));
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

function setNames(): string[] {
  const all = readdirSync(evalFolder).filter((name) => existsSync(join(evalFolder, name, 'qrels.tsv')));
  const wanted = options.values.sets?.split(',');
  return (wanted ? all.filter((name) => wanted.includes(name)) : all).sort();
}

function records(file: string): Record<string, string>[] {
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>);
}

async function runSet(set: string): Promise<void> {
  const folder = join(evalFolder, set);
  const corpus = records(join(folder, 'corpus.jsonl.gz'));
  const relevant = judgements(join(folder, 'qrels.tsv'));
  const limit = Number(options.values.queries ?? Infinity);
  const queries = records(join(folder, 'queries.jsonl.gz'))
    .filter((query) => relevant.has(query['_id']!))
    .slice(0, limit);
  const engine = await openEngine(join(space.folder, `home-${set}`));
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
  } finally {
    await engine.close();
  }
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
  const result = await engine.ingest.files(call, { paths: [folder], collection: set });
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
    const text = query['text']!.replaceAll(/["+*()#:]/g, ' ').replaceAll(/(^|\s)-+/g, ' ');
    const result = await engine.search.run(call, {
      query: text,
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
