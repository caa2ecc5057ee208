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
  values: { ours: number; floor?: number; limit: number; unit: string; against: 'ratio' | 'value' },
): void {
  const ratio = values.floor === undefined ? undefined : values.ours / values.floor;
  const judged = values.against === 'ratio' ? ratio! : values.ours;
  const target = `≤ ${values.limit}${values.against === 'ratio' ? '×' : ` ${values.unit}`} ${judged <= values.limit ? '✓' : '✗'}`;
  rows.push([
    `${what} (${values.unit})`,
    values.ours,
    values.floor ?? '–',
    ratio === undefined ? '–' : `${round(ratio)}×`,
    target,
  ]);
  figures[what] = { ...values, ...(ratio === undefined ? {} : { ratio }), met: judged <= values.limit };
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

async function measureSearch(engine: Engine, floor: Floor, texts: string[]): Promise<void> {
  const queries = drawQueries(texts, 60).flatMap((set) => set.queries);
  const ours = (query: string) =>
    engine.search.run(call, { query, mode: 'words', limit: 10, collections: ['docs'] });
  for (const query of queries.slice(0, 20)) {
    await ours(query);
    floor.and(query);
    floor.or(query);
  }
  const times: Record<'ours' | 'and' | 'or', number[]> = { ours: [], and: [], or: [] };
  for (const query of queries) {
    times.ours.push((await cost(() => ours(query))).wallMs);
    times.and.push((await cost(() => floor.and(query))).wallMs);
    times.or.push((await cost(() => floor.or(query))).wallMs);
  }
  report('warm search p50 against AND', {
    ours: percentile(times.ours, 0.5),
    floor: percentile(times.and, 0.5),
    limit: 1.5,
    unit: 'ms',
    against: 'ratio',
  });
  report('warm search p95 against OR', {
    ours: percentile(times.ours, 0.95),
    floor: percentile(times.or, 0.95),
    limit: 0.7,
    unit: 'ms',
    against: 'ratio',
  });
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
