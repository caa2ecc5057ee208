// npm run bench:memory: what a server over stdio holds after many questions nobody asked before, on the Kubernetes docs.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { callTool, mixed, VAI } from './lib/fresh.ts';
import { percentile, table } from './lib/measure.ts';
import { markdownFiles, unpackDocs, workspace } from './lib/docs.ts';
import { handshake, openPipe } from './lib/mcp-pipe.ts';
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
const space = workspace('memory');
const rows: (string | number)[][] = [['tools', 'questions', 'RSS MB', 'p50 ms', 'p95 ms', 'CPU ms each']];
const figures: Record<string, unknown>[] = [];

try {
  const docs = unpackDocs(options.data, ['kubernetes'], join(space.folder, 'docs'));
  const env = { VAI_HOME: join(space.folder, 'home') };
  const ingested = spawnSync(process.execPath, [VAI, 'ingest', docs, '--collection', 'kubernetes'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (ingested.status !== 0) throw new Error(ingested.stderr);
  const texts = markdownFiles(docs).map(({ text }) => text);
  const questions = mixed(drawQueries(texts, Math.ceil(most / 3)), most);
  const mixes = options.values.tools
    ? [options.values.tools.split(',') as Tool[]]
    : [[...TOOLS], ['find' as const]];
  for (const tools of mixes) await follow(tools, questions, env);
} finally {
  space.remove();
}
console.log(table(rows));
writeJson(options.json, figures);

async function follow(
  tools: readonly Tool[],
  questions: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  const pipe = openPipe([VAI, 'mcp-server'], env);
  await handshake(pipe);
  let times: number[] = [];
  let cpu = pipe.cpu();
  for (const [at, question] of questions.entries()) {
    times.push(await callTool(pipe, tools[at % tools.length]!, { query: question }));
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
