// npm run bench:graph: a real folder indexed cold, again, and after one edit, with what it called; then a large made
// graph for relations and paths. No key, no network. Upstream's figures for 500 files stand beside ours. With --truth <folder>
// instead: how much of what annotated documentation states is found (--min: only relations that are so sure).

import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { localCall } from '../src/engine/call.ts';
import { composeEngine } from '../src/compose.ts';
import { resolveSettings } from '../src/config/index.ts';
import type { Engine } from '../src/engine/engine.ts';
import { DEFAULT_GRAPH } from '../src/config/graph-defaults.ts';
import type { IndexReport } from '../src/engine/index/types.ts';
import { sqliteStores } from '../src/stores/sqlite/stores.ts';
import { createGraph } from '../src/engine/graph/graph.ts';
import type { EngineDeps } from '../src/engine/deps.ts';
import { markdownFiles, unpackDocs, workspace } from './lib/docs.ts';
import { scoreGroup, TRUTH_SCHEMA, truthGroups, type Score } from './lib/graph-truth.ts';
import { cost, percentile, round, table } from './lib/measure.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';

const options = benchOptions(['files', 'entities', 'relations', 'only', 'truth', 'min']);
const FILES = Number(options.values.files ?? 500);
const only = options.values.only;
const call = localCall();
const space = workspace('graph');
const stored: Record<string, unknown> = {};

try {
  const { truth } = options.values;
  if (truth !== undefined) await found(truth);
  else if (only !== 'scale') {
    requireData(join(options.data, 'docs'));
    await indexing();
  }
  if (truth === undefined && only !== 'index') await scale();
  writeJson(options.json, stored);
} finally {
  space.remove();
}

/** About 500 files of 5 to 6 MB, as upstream was measured with: the largest of the kubernetes documentation. */
function makeFolder(): { docs: string; bytes: number; one: string } {
  const unpacked = unpackDocs(options.data, ['kubernetes'], join(space.folder, 'all'));
  const sized = markdownFiles(unpacked).map((file) => ({ ...file, size: statSync(file.path).size }));
  const ordered = sized.sort((a, b) => b.size - a.size);
  let from = 0;
  const sum = (start: number) =>
    ordered.slice(start, start + FILES).reduce((total, file) => total + file.size, 0);
  while (from + FILES < ordered.length && sum(from) > 5_600_000) from += 1;
  const docs = join(space.folder, 'docs');
  let bytes = 0;
  const chosen = ordered.slice(from, from + FILES);
  for (const file of chosen) {
    const target = join(docs, relative(unpacked, file.path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, file.text);
    bytes += file.size;
  }
  return { docs, bytes, one: join(docs, relative(unpacked, chosen[FILES >> 1]!.path)) };
}

async function openGraph(docs: string, place = space.folder, schema = DEFAULT_GRAPH.schema): Promise<Engine> {
  const home = join(place, 'home');
  const settings = resolveSettings({ env: { VAI_HOME: home }, cwd: space.folder, home });
  return composeEngine({
    settings,
    env: { VAI_HOME: home },
    cwd: space.folder,
    graph: { ...DEFAULT_GRAPH, docs, collection: 'docs', data: join(place, 'data'), schema },
  });
}

async function found(truth: string): Promise<void> {
  requireData(truth);
  const scores: Record<string, Score> = {};
  for (const group of truthGroups(truth)) {
    const schema = { ...DEFAULT_GRAPH.schema, ...TRUTH_SCHEMA };
    const engine = await openGraph(join(truth, group, 'docs'), join(space.folder, group), schema);
    await engine.graph.index(call, {});
    scores[group] = await scoreGroup(engine, join(truth, group), Number(options.values.min ?? 0));
    await engine.close();
  }
  stored['truth'] = scores;
  const rows: (string | number)[][] = [
    ['group', 'entities', 'relations', 'type right', 'listed', 'hybrid', 'local', 'global', 'naive'],
  ];
  for (const [group, { entities, relations, modes }] of Object.entries(scores))
    rows.push([
      group,
      `${entities.recalled}/${entities.truth}`,
      `${relations.recalled}/${relations.truth}`,
      `${relations.typed}/${relations.recalled}`,
      `${relations.listed}/${relations.knownEnds}`,
      ...Object.values(modes).map((one) => `${one.first}/${one.inThree}/${one.empty}`),
    ]);
  console.log(table(rows));
  const forms: Score['forms'] = {};
  for (const score of Object.values(scores))
    for (const [form, [recalled, all]] of Object.entries(score.forms)) {
      const sum = (forms[form] ??= [0, 0]);
      sum[0] += recalled;
      sum[1] += all;
    }
  console.log(
    `by form: ${Object.entries(forms)
      .map(([form, sum]) => `${form} ${sum.join('/')}`)
      .join(', ')}`,
  );
  console.log('questions: right passage first / among three / nothing found');
}

async function indexing(): Promise<void> {
  const { docs, bytes, one } = makeFolder();
  const engine = await openGraph(docs);
  const rows: (string | number)[][] = [
    ['run', 's', 'CPU s', 'embed calls', 'embedded texts', 'LLM calls', 'upstream s', 'upstream embed calls'],
  ];
  const run = async (name: string, upstream: [string, string]) => {
    const measured = await cost(() => engine.graph.index(call, {}));
    const { calls } = measured.value;
    rows.push([
      name,
      measured.wallMs / 1000,
      measured.cpuMs / 1000,
      calls.embedRequests,
      calls.embeddedTexts,
      calls.extractRequests,
      ...upstream,
    ]);
    stored[name] = {
      wallMs: measured.wallMs,
      cpuMs: measured.cpuMs,
      run: measured.value.run,
      calls,
      totals: measured.value.totals,
    };
    return measured.value;
  };
  const first: IndexReport = await run('cold', ['235 (687, then a crash)', '4,670']);
  await run('no-op', ['4.1', '3,327']);
  appendFileSync(
    one,
    '\n## A new section\n\nThe Billing Service uses PostgreSQL and is owned by the Payments team.\n',
  );
  await run('one edit', ['6.6', '3,331 + 3 LLM']);
  await run('no-op again', ['', '']);
  console.log(`\n${FILES} files, ${round(bytes / 1e6)} MB: ${JSON.stringify(first.totals)}`);
  console.log(table(rows));
  const memory = process.memoryUsage().rss / 1e6;
  console.log(`memory ${round(memory)} MB (upstream 399 to 709 MB)`);
  await searches(engine);
  await engine.close();
}

async function searches(engine: Engine): Promise<void> {
  const queries = [
    'How does a Deployment roll out a new ReplicaSet?',
    'Which database does the API server use?',
    'pod security admission',
    'kubelet TLS bootstrap',
    'network policy for a namespace',
  ];
  const rows: (string | number)[][] = [['mode', 'p50 ms', 'p95 ms', 'upstream p50/p95']];
  const upstream = { naive: '15/22', global: '32/88', local: '61/104', hybrid: '61/104' };
  for (const mode of ['naive', 'global', 'local', 'hybrid'] as const) {
    const times: number[] = [];
    for (let round = 0; round < 8; round++)
      for (const query of queries)
        times.push((await cost(() => engine.graph.search(call, { query, mode, limit: 5 }))).wallMs);
    rows.push([mode, percentile(times, 0.5), percentile(times, 0.95), upstream[mode]]);
  }
  console.log(table(rows));
}

/** Many entities and relations, written through the store port with some hubs, as real graphs have. */
async function scale(): Promise<void> {
  const entities = Number(options.values.entities ?? 100_000);
  const relations = Number(options.values.relations ?? 500_000);
  const stores = sqliteStores({ home: join(space.folder, 'scale'), now: () => new Date() });
  const store = await stores.open('scale');
  const now = new Date().toISOString();
  await store.collections.put({
    name: 'big',
    chunking: { strategy: 'blocks', size: 1500, overlap: 0 },
    createdAt: now,
    updatedAt: now,
  });
  let seed = 7;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const pick = () => Math.floor(random() < 0.1 ? random() ** 3 * 200 : random() * entities);
  const types = ['USES', 'DEPENDS_ON', 'OWNS', 'PRODUCES', 'CONSUMES'];
  const perDocument = 5000;
  const building = await cost(async () => {
    for (let at = 0; at < relations; at += perDocument) {
      const path = `part-${at / perDocument}.md`;
      const first = Math.floor((at / relations) * entities);
      const last = Math.floor(((at + perDocument) / relations) * entities);
      await store.documents.replace({
        info: {
          collection: 'big',
          path,
          title: path,
          sha256: path,
          bytes: 1,
          lines: 1,
          headings: 0,
          chunks: 1,
          metadata: {},
          fetchedAt: now,
        },
        text: 'x',
        headings: [],
        chunks: [
          {
            ordinal: 0,
            startLine: 1,
            endLine: 1,
            start: 0,
            end: 1,
            headingPath: [],
            block: { start: 1, end: 1 },
            text: 'x',
            extraWords: '',
            entities: Array.from({ length: last - first }, (_, i) => ({
              key: `entity${first + i}`,
              name: `Entity ${first + i}`,
              type: 'SERVICE',
              startLine: 1,
              endLine: 1,
            })),
            relations: Array.from({ length: perDocument }, () => {
              const [a, b] = [pick(), pick()];
              const source = a;
              const target = a === b ? (b + 1) % entities : b;
              return {
                source: `Entity ${source}`,
                target: `Entity ${target}`,
                sourceKey: `entity${source}`,
                targetKey: `entity${target}`,
                type: types[Math.floor(random() * 5)]!,
                startLine: 1,
                endLine: 1,
              };
            }),
          },
        ],
      });
    }
  });
  const counts = await store.graph.counts(['big']);
  const graph = createGraph(
    {
      stores,
      settings: { defaultDb: 'scale', resultBudget: 40_000, graph: DEFAULT_GRAPH },
      now: () => new Date(),
    } as unknown as EngineDeps,
    { search: { rank: () => Promise.reject(new Error('unused')) } },
  );
  const rows: (string | number)[][] = [['question', 'p50 ms', 'p95 ms', 'target p95']];
  const measure = async (name: string, target: string, work: (i: number) => Promise<unknown>, n = 200) => {
    const times: number[] = [];
    for (let i = 0; i < 20; i++) await work(i);
    for (let i = 0; i < n; i++) times.push((await cost(() => work(i))).wallMs);
    rows.push([name, percentile(times, 0.5), percentile(times, 0.95), target]);
    stored[name] = { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
  };
  const name = () => `Entity ${Math.floor(random() * entities)}`;
  await measure('relations, both directions', '5', () =>
    graph.relations(call, { entity: name(), direction: 'both' }),
  );
  await measure(
    'relations of a hub',
    '',
    (i) => graph.relations(call, { entity: `Entity ${i % 20}`, direction: 'both' }),
    50,
  );
  await measure('path, depth 5', '50', () => graph.path(call, { from: name(), to: name(), maxDepth: 5 }));
  await measure(
    'trace downstream',
    '',
    () => graph.trace(call, { entity: name(), direction: 'downstream' }),
    50,
  );
  await measure(
    'entities by substring',
    '',
    () => graph.entities(call, { query: `y 4${Math.floor(random() * 900)}`, limit: 20 }),
    20,
  );
  console.log(
    `\n${counts.entities.toLocaleString('en')} entities, ${counts.relations.toLocaleString('en')} relations, written in ${round(building.wallMs / 1000)} s`,
  );
  console.log(table(rows));
  await stores.close();
}
