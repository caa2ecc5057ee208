// npm run bench:vectors: recall and time of vector search in the embedded store beside an exact scan in plain
// JavaScript, on the built-in model's vectors of real documentation.

import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Filter } from '../src/domain/filter.ts';
import { createBuiltinEmbedder } from '../src/models/builtin/embedder.ts';
import type { ChunkWrite, Store } from '../src/ports/store.ts';
import { sqliteStores } from '../src/stores/sqlite/stores.ts';
import { markdownFiles, unpackDocs, workspace } from './lib/docs.ts';
import { cost, percentile, table } from './lib/measure.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';

const DIMENSIONS = 256;
const SIZES = [5_000, 20_000, 100_000];
const QUERIES = 100;
const WINDOW = 600;
const STEP = 230;
const PER_DOCUMENT = 200;
const TOP = 10;

const options = benchOptions();
requireData(join(options.data, 'docs', 'kubernetes.tar.gz'));
const space = workspace('bench-vectors');
const rows: (string | number)[][] = [
  ['vectors', 'method', 'recall@10', 'first ms', 'p50 ms', 'p95 ms', 'CPU ms', 'loop p99 ms', '10 % filter'],
];
const figures: Record<string, unknown>[] = [];

try {
  const folder = unpackDocs(options.data, ['kubernetes', 'node', 'react'], join(space.folder, 'docs'));
  const { vectors, queries } = await embed(markdownFiles(folder).map(({ text }) => text));
  for (const size of SIZES) await measure(vectors.slice(0, size), queries);
} finally {
  space.remove();
}
console.log(table(rows));
writeJson(options.json, figures);

async function embed(texts: string[]): Promise<{ vectors: Float32Array[]; queries: Float32Array[] }> {
  const windows: string[] = [];
  const headings: string[] = [];
  for (const text of texts) {
    for (let at = 0; at < text.length; at += STEP) windows.push(text.slice(at, at + WINDOW));
    headings.push(...[...text.matchAll(/^#{1,4} +(.{12,80})$/gm)].map((match) => match[1]!));
  }
  // Spread over all texts, the same each time.
  const every = <T>(all: T[], count: number): T[] =>
    Array.from({ length: Math.min(count, all.length) }, (_, n) => all[Math.floor((n * all.length) / count)]!);
  const embedder = createBuiltinEmbedder(DIMENSIONS);
  const stored = await embedder.embed(every(windows, SIZES.at(-1)!), { role: 'document' });
  const asked = await embedder.embed(every(headings, QUERIES), { role: 'query' });
  return { vectors: stored.vectors, queries: asked.vectors };
}

async function measure(vectors: Float32Array[], queries: Float32Array[]): Promise<void> {
  const stores = sqliteStores({ home: join(space.folder, `home-${vectors.length}`), now: () => new Date() });
  const store = await stores.open('bench');
  await fill(store, vectors);
  const floor = queries.map((query) => exact(vectors, query));
  const floorTimes: number[] = [];
  for (const query of queries.slice(0, 20)) floorTimes.push((await cost(() => exact(vectors, query))).wallMs);
  const first = await cost(() => ask(store, queries[0]!));
  const found: number[][] = [];
  const times: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const all = await cost(async () => {
    for (const query of queries) {
      const one = await cost(() => ask(store, query));
      times.push(one.wallMs);
      found.push(one.value);
    }
  });
  delay.disable();
  const filter: Filter = { op: 'eq', path: 'metadata.tenth', value: 3 };
  const filtered = await Promise.all(
    queries
      .slice(0, 30)
      .map(async (query) => recall(await ask(store, query, filter), exact(vectors, query, 3))),
  );
  const figure = {
    vectors: vectors.length,
    dimensions: DIMENSIONS,
    recall10: mean(queries.map((_, n) => recall(found[n]!, floor[n]!))),
    firstMs: first.wallMs,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    cpuMs: all.cpuMs / queries.length,
    loopHeldMs: delay.percentile(99) / 1e6,
    recall10Filtered: mean(filtered),
    floorMs: percentile(floorTimes, 0.5),
  };
  figures.push(figure);
  const { recall10, firstMs, p50, p95, cpuMs, loopHeldMs, recall10Filtered } = figure;
  rows.push([
    String(vectors.length),
    'exact in JavaScript (floor)',
    1,
    '–',
    figure.floorMs,
    '–',
    figure.floorMs,
    '–',
    '–',
  ]);
  rows.push([
    String(vectors.length),
    'vai',
    recall10.toFixed(3),
    firstMs,
    p50,
    p95,
    cpuMs,
    loopHeldMs,
    recall10Filtered.toFixed(3),
  ]);
  await stores.close();
}

async function fill(store: Store, vectors: Float32Array[]): Promise<void> {
  const stamp = '2026-01-01T00:00:00.000Z';
  await store.collections.put({
    name: 'bench',
    chunking: { strategy: 'blocks', size: 1500, overlap: 0 },
    embedding: { model: 'bench', dimensions: DIMENSIONS },
    createdAt: stamp,
    updatedAt: stamp,
  });
  for (let at = 0; at < vectors.length; at += PER_DOCUMENT) {
    const chunks = vectors.slice(at, at + PER_DOCUMENT).map((vector, ordinal): ChunkWrite => ({
      ...{
        ordinal,
        startLine: 1,
        endLine: 1,
        start: 0,
        end: 1,
        text: 'x',
        extraWords: '',
        vector,
      },
      headingPath: [],
      block: { start: 1, end: 1 },
    }));
    const number = at / PER_DOCUMENT;
    await store.documents.replace({
      info: {
        ...{
          collection: 'bench',
          path: String(number),
          title: '',
          sha256: '',
          fetchedAt: stamp,
          bytes: 1,
          lines: 1,
        },
        ...{ headings: 0, chunks: chunks.length, metadata: { tenth: number % 10 } },
      },
      text: 'x',
      headings: [],
      chunks,
    });
  }
}

/** Positions in the order of `vectors`, best first. */
async function ask(store: Store, vector: Float32Array, filter?: Filter): Promise<number[]> {
  const scope = filter ? { filter } : {};
  const { hits } = await store.search.vectors({ vector, model: 'bench', scope, limit: TOP });
  const chunks = await store.search.chunks(hits.map((hit) => hit.id));
  return chunks.map((chunk) => Number(chunk.path) * PER_DOCUMENT + chunk.ordinal);
}

function exact(vectors: Float32Array[], query: Float32Array, tenth?: number): number[] {
  const best: { n: number; score: number }[] = [];
  vectors.forEach((vector, n) => {
    if (tenth !== undefined && Math.floor(n / PER_DOCUMENT) % 10 !== tenth) return;
    let score = 0;
    for (let at = 0; at < DIMENSIONS; at += 1) score += vector[at]! * query[at]!;
    if (best.length === TOP && score <= best[TOP - 1]!.score) return;
    best.push({ n, score });
    best.sort((a, b) => b.score - a.score);
    best.length = Math.min(best.length, TOP);
  });
  return best.map(({ n }) => n);
}

function recall(found: number[], wanted: number[]): number {
  return wanted.filter((n) => found.includes(n)).length / wanted.length;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
