// npm run bench: indexing and word search on real documentation beside a bare FTS5 floor, all in one run.

import { join } from 'node:path';
import { localCall } from '../src/engine/call.ts';
import type { Engine } from '../src/engine/engine.ts';
import { cost, percentile, round, table } from './lib/measure.ts';
import { markdownFiles, unpackDocs, workspace, writeNodeLlms } from './lib/docs.ts';
import { openEngine } from './lib/engine.ts';
import { buildFloor, type Floor } from './lib/floor.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';
import { drawQueries } from './lib/queries.ts';

const ROUNDS = 5;

const options = benchOptions();
requireData(join(options.data, 'docs', 'kubernetes.tar.gz'));
const space = workspace('bench');
const call = localCall();
const rows: (string | number)[][] = [['what', 'vai', 'floor', 'ratio', 'target']];
const figures: Record<string, unknown> = {};

try {
  const folder = unpackDocs(options.data, ['kubernetes', 'node', 'react'], join(space.folder, 'docs'));
  const texts = markdownFiles(folder);
  const megabytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;
  const floor = await cost(() => buildFloor(join(space.folder, 'floor.db'), texts));
  const engine = await openEngine(join(space.folder, 'home'));
  await measureIngest(engine, folder, { megabytes, floorCpu: floor.cpuMs });
  await measureSearch(
    engine,
    floor.value,
    texts.map(({ text }) => text),
  );
  floor.value.close();
  await engine.close();
  await measureNode();
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

async function measureIngest(
  engine: Engine,
  folder: string,
  base: { megabytes: number; floorCpu: number },
): Promise<void> {
  const request = { paths: [folder], collection: 'docs' };
  const words = await cost(() =>
    engine.ingest.files(call, { ...request, collection: 'words-only', model: 'none' }),
  );
  report('index words, whole corpus', {
    ours: words.cpuMs,
    floor: base.floorCpu,
    limit: 2,
    unit: 'ms CPU',
    against: 'ratio',
  });
  const first = await cost(() => engine.ingest.files(call, request));
  report('index words + vectors against words', {
    ours: first.cpuMs,
    floor: words.cpuMs,
    limit: 1.5,
    unit: 'ms CPU',
    against: 'ratio',
  });
  const again = await cost(() => engine.ingest.files(call, request));
  report('re-ingest unchanged against first', {
    ours: again.cpuMs,
    floor: first.cpuMs,
    limit: 0.1,
    unit: 'ms CPU',
    against: 'ratio',
  });
  figures['megabytes per CPU second'] = {
    words: base.megabytes / (words.cpuMs / 1000),
    vectors: base.megabytes / (first.cpuMs / 1000),
    floor: base.megabytes / (base.floorCpu / 1000),
  };
  await engine.collections.remove(call, { collection: 'words-only' });
}

/** Every query in several rounds: the first is what a new question costs, the others what a running server gives. */
async function measureSearch(engine: Engine, floor: Floor, texts: string[]): Promise<void> {
  const queries = drawQueries(texts, 60).flatMap((set) => set.queries);
  const ours = (query: string) =>
    engine.search.run(call, { query, mode: 'words', limit: 10, collections: ['docs'] });
  const sides: Record<'ours' | 'and' | 'or', (query: string) => unknown> = { ours, ...floor };
  const measured = { first: samples(), warm: samples() };
  for (let round = 0; round < ROUNDS; round++) {
    const into = round === 0 ? measured.first : measured.warm;
    for (const query of queries)
      for (const side of ['ours', 'and', 'or'] as const)
        into[side].push((await cost(() => sides[side](query))).wallMs);
  }
  for (const [name, times] of Object.entries(measured)) {
    const against = (side: 'and' | 'or', share: number, limit?: number): void =>
      report(`${name} search p${share * 100} against ${side.toUpperCase()}`, {
        ours: percentile(times.ours, share),
        floor: percentile(times[side], share),
        ...(limit === undefined ? {} : { limit }),
        unit: 'ms',
        against: 'ratio',
      });
    against('and', 0.5, name === 'warm' ? 1.5 : undefined);
    against('or', 0.95, name === 'warm' ? 0.7 : undefined);
  }
}

function samples(): Record<'ours' | 'and' | 'or', number[]> {
  return { ours: [], and: [], or: [] };
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
  const { firstAnswer } = await import('./lib/first-answer.ts');
  const first = await firstAnswer(join(space.folder, 'node-home'), [
    'search',
    'readable stream backpressure',
    '--collection',
    'node',
    '--mode',
    'words',
    '--json',
  ]);
  report('process start to first answer', {
    ours: first.cpuMs,
    limit: 200,
    unit: 'ms CPU',
    against: 'value',
  });
}
