// npm run bench: indexing and new questions on real documentation, in fresh processes, beside a bare FTS5 floor of the same
// run. `--large` adds a million chunks.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { localCall } from '../src/engine/call.ts';
import type { Engine } from '../src/engine/engine.ts';
import { bundle } from '../scripts/bundle.js';
import { cost, round, table } from './lib/measure.ts';
import { markdownFiles, unpackDocs, workspace, writeNodeLlms } from './lib/docs.ts';
import { openEngine } from './lib/engine.ts';
import { buildFloor } from './lib/floor.ts';
import { callTool, freshFloor, freshQuestions, mixed, VAI } from './lib/fresh.ts';
import type { IndexCost, Kind } from './lib/index-once.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';
import { cpuMsOfRun } from './lib/process.ts';
import { drawQueries } from './lib/queries.ts';

const INDEX_ROUNDS = 3;
/** The best of them counts: a cold file cache does not. */
const START_ROUNDS = 7;

const options = benchOptions([], ['large']);
requireData(join(options.data, 'docs', 'kubernetes.tar.gz'));
const space = workspace('bench');
const call = localCall();
const rows: (string | number)[][] = [['what', 'vai', 'floor', 'ratio', 'target']];
const figures: Record<string, unknown> = {};

try {
  const folder = unpackDocs(options.data, ['kubernetes', 'node', 'react'], join(space.folder, 'docs'));
  const texts = markdownFiles(folder);
  const contents = texts.map(({ text }) => text);
  const megabytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;
  await measureThroughput(folder, megabytes);
  const home = join(space.folder, 'home');
  const engine = await openEngine(home);
  await measureIngest(engine, folder);
  await engine.close();
  const floor = join(space.folder, 'floor.db');
  buildFloor(floor, texts);
  await measureQuestions(home, floor, contents);
  await measureNode();
  if (options.flags.has('large')) await reportLarge(contents);
} finally {
  space.remove();
}

console.log(table(rows));
writeJson(options.json, figures);

function report(
  what: string,
  values: { ours: number; floor?: number; limit?: number; unit: string; against: 'ratio' | 'value' },
): void {
  const { limit } = values;
  const ratio = values.floor === undefined ? undefined : values.ours / values.floor;
  const judged = values.against === 'ratio' ? ratio! : values.ours;
  const met = limit === undefined || judged <= limit;
  const unit = values.against === 'ratio' ? '×' : ` ${values.unit}`;
  rows.push([
    `${what} (${values.unit})`,
    values.ours,
    values.floor ?? '–',
    ratio === undefined ? '–' : `${round(ratio)}×`,
    limit === undefined ? '–' : `≤ ${limit}${unit} ${met ? '✓' : '✗'}`,
  ]);
  figures[what] = { ...values, ...(ratio === undefined ? {} : { ratio }), met };
}

/**
 * All from the files on disk, in fresh processes taking turns; of each the best of three, so that a neighbour on the
 * machine does not decide.
 */
async function measureThroughput(folder: string, megabytes: number): Promise<void> {
  const program = await bundled('bench/lib/index-once.ts');
  const kinds = ['floor', 'words', 'vectors'] as const;
  const runs: Record<Kind, IndexCost[]> = { floor: [], words: [], vectors: [] };
  for (let round = 0; round < INDEX_ROUNDS; round += 1)
    for (const kind of kinds) runs[kind].push(indexOnce(program, [kind, folder], round));
  const best = (kind: Kind, figure: keyof IndexCost): number =>
    Math.min(...runs[kind].map((run) => run[figure]));
  const beside = (what: string, figure: keyof IndexCost, unit: string, limit?: number): void =>
    report(what, {
      ours: best('words', figure),
      floor: best('floor', figure),
      ...(limit ? { limit } : {}),
      unit,
      against: 'ratio',
    });
  beside('index words, whole corpus, by the clock', 'wallMs', 'ms', 2);
  beside('index words, CPU of all threads', 'cpuMs', 'ms CPU');
  beside('index words, most memory', 'peakMb', 'MB');
  report('index words + vectors against words', {
    ours: best('vectors', 'cpuMs'),
    floor: best('words', 'cpuMs'),
    limit: 1.5,
    unit: 'ms CPU',
    against: 'ratio',
  });
  const rate = (kind: Kind) => megabytes / (best(kind, 'wallMs') / 1000);
  figures['index words, megabytes per second'] = { ours: rate('words'), floor: rate('floor') };
}

/** As it ships: sources would be stripped of their types while they are measured. */
async function bundled(entry: string): Promise<string> {
  const out = join(space.folder, basename(entry, '.ts'));
  await bundle({ program: entry }, out);
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(out, 'node_modules'));
  return join(out, 'program.js');
}

function indexOnce(program: string, asked: [kind: Kind, folder: string], round: number): IndexCost {
  const place = join(space.folder, `once-${asked[0]}-${round}`);
  mkdirSync(place);
  const done = spawnSync(process.execPath, [program, ...asked, place], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`indexing failed: ${done.stderr}`);
  rmSync(place, { recursive: true });
  return JSON.parse(done.stdout) as IndexCost;
}

async function measureIngest(engine: Engine, folder: string): Promise<void> {
  const ingest = () => engine.ingest.files(call, { paths: [folder], collection: 'docs' });
  const first = await cost(ingest);
  const again = await cost(ingest);
  report('re-ingest unchanged against first', {
    ours: again.cpuMs,
    floor: first.cpuMs,
    limit: 0.1,
    unit: 'ms CPU',
    against: 'ratio',
  });
}

/** Questions nobody asked before, to processes that were just started. */
async function measureQuestions(home: string, floor: string, texts: string[]): Promise<void> {
  const questions = mixed(drawQueries(texts, 30), 100);
  const env = { VAI_HOME: home };
  const first = { from: 0, to: 20 };
  report('the first 20 word searches of a process, each', {
    ours: await freshQuestions(env, (pipe, query) => callTool(pipe, 'find', { query }), questions, first),
    floor: freshFloor(await bundled('bench/lib/floor-once.ts'), floor, questions.slice(0, 20)),
    limit: 5,
    unit: 'ms CPU',
    against: 'value',
  });
  const later = { from: 20, to: 100 };
  report('vai_query, questions 20 to 100 of a process, each', {
    ours: await freshQuestions(
      env,
      (pipe, query) => callTool(pipe, 'vai_query', { query }),
      questions,
      later,
    ),
    limit: 10,
    unit: 'ms CPU',
    against: 'value',
  });
}

async function reportLarge(texts: string[]): Promise<void> {
  const { measureLarge } = await import('./large.ts');
  const large = await measureLarge(space.folder, texts);
  const value = (what: string, ours: number, unit: string, limit?: number): void =>
    report(`${large.chunks} chunks: ${what}`, { ours, unit, against: 'value', ...(limit ? { limit } : {}) });
  value('ingest, time for a thousand', 1e6 / large.ingestPerSecond, 'ms', 1e6 / 11_000);
  value('words, p95', large.wordsP95, 'ms', 100);
  value('first hybrid answer', large.firstHybrid, 'ms', 300);
  value('hybrid, p95', large.hybridP95, 'ms', 120);
  value('memory after 400 questions', large.rssMb, 'MB');
}

async function measureNode(): Promise<void> {
  const file = writeNodeLlms(options.data, space.folder);
  const engine = await openEngine(join(space.folder, 'node-home'));
  const ingest = await cost(() => engine.ingest.files(call, { paths: [file], collection: 'node' }));
  report('ingest of node-llms-full (146k lines)', {
    ours: ingest.cpuMs,
    limit: 4000,
    unit: 'ms CPU',
    against: 'value',
  });
  await engine.close();
  const env = { ...process.env, VAI_HOME: join(space.folder, 'node-home') };
  const search = [
    'search',
    'readable stream backpressure',
    '--collection',
    'node',
    '--mode',
    'words',
    '--json',
  ];
  const times: number[] = [];
  for (let round = 0; round < START_ROUNDS; round += 1) times.push(await cpuMsOfRun([VAI, ...search], env));
  report('process start to first answer', {
    ours: Math.min(...times),
    limit: 200,
    unit: 'ms CPU',
    against: 'value',
  });
}
