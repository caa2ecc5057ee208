// npm run bench:memory: what a server over stdio holds after many questions nobody asked before, on the Kubernetes docs.
// The floor of the same run is a bare server of the SDK that answers nothing but itself.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { percentile, table } from './lib/measure.ts';
import { markdownFiles, unpackDocs, workspace } from './lib/docs.ts';
import { handshake, openPipe, type Pipe } from './lib/mcp-pipe.ts';
import { benchOptions, requireData, writeJson } from './lib/options.ts';
import { drawQueries } from './lib/queries.ts';

const TOOLS = ['find', 'vai_search', 'vai_query', 'flowrag_search'] as const;
type Tool = (typeof TOOLS)[number];

const options = benchOptions(['questions', 'tools']);
const most = Number(options.values.questions ?? 5_000);
const marks = [1, 100, 800, 1_000, 2_000, 3_000, most].filter(
  (mark, at, all) => mark <= most && all.indexOf(mark) === at,
);
requireData(join(options.data, 'docs', 'kubernetes.tar.gz'));
const vai = join(import.meta.dirname, '../dist/vai.js');
const space = workspace('memory');
const rows: (string | number)[][] = [['tools', 'questions', 'RSS MB', 'p50 ms', 'p95 ms', 'CPU ms each']];
const figures: Record<string, unknown>[] = [];

try {
  const docs = unpackDocs(options.data, ['kubernetes'], join(space.folder, 'docs'));
  const env = { VAI_HOME: join(space.folder, 'home') };
  const ingested = spawnSync(process.execPath, [vai, 'ingest', docs, '--collection', 'kubernetes'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (ingested.status !== 0) throw new Error(ingested.stderr);
  const questions = distinct(
    markdownFiles(docs).map(({ text }) => text),
    most,
  );
  const mixes = options.values.tools
    ? [options.values.tools.split(',') as Tool[]]
    : [[...TOOLS], ['find' as const]];
  for (const tools of mixes) await follow(tools, questions, env);
} finally {
  space.remove();
}
console.log(table(rows));
writeJson(options.json, figures);

/** The kinds take turns, so that the first thousand are as mixed as all. */
function distinct(texts: readonly string[], count: number): string[] {
  const drawn = drawQueries(texts, Math.ceil(count / 3)).map((set) => [...new Set(set.queries)]);
  const mixed: string[] = [];
  for (let at = 0; mixed.length < count && drawn.some((set) => at < set.length); at += 1)
    for (const set of drawn) if (at < set.length) mixed.push(set[at]!);
  return [...new Set(mixed)].filter((query) => /[a-z]{2}/i.test(query)).slice(0, count);
}

async function follow(
  tools: readonly Tool[],
  questions: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  const pipe = openPipe([vai, 'mcp-server'], env);
  await handshake(pipe);
  let times: number[] = [];
  let cpu = pipe.cpu();
  for (const [at, question] of questions.entries()) {
    times.push(await ask(pipe, tools[at % tools.length]!, question));
    if (!marks.includes(at + 1)) continue;
    const row = {
      tools: tools.join(' '),
      questions: at + 1,
      rssMb: pipe.memory(),
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      cpuMs: (pipe.cpu() - cpu) / times.length,
    };
    figures.push(row);
    rows.push([
      tools.length > 1 ? 'mixed' : tools[0]!,
      row.questions,
      row.rssMb,
      row.p50,
      row.p95,
      row.cpuMs,
    ]);
    times = [];
    cpu = pipe.cpu();
  }
  await pipe.end();
}

async function ask(pipe: Pipe, tool: Tool, query: string): Promise<number> {
  const { result, ms } = await pipe.request('tools/call', { name: tool, arguments: { query } });
  if (result.isError) throw new Error(JSON.stringify(result.content));
  return ms;
}
