// npm run bench -- --large: a million chunks, made by script from the sentences of real documentation: how quickly they
// are ingested, and how long new questions take.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, mixed, VAI } from './lib/fresh.ts';
import { percentile } from './lib/measure.ts';
import { handshake, openPipe, type Pipe } from './lib/mcp-pipe.ts';
import { drawQueries } from './lib/queries.ts';
import { random } from './lib/random.ts';

const CHUNKS = 1_000_000;
const SECTIONS_PER_FILE = 200;
const QUESTIONS = 200;

export interface LargeFigures {
  chunks: number;
  ingestPerSecond: number;
  wordsP95: number;
  firstHybrid: number;
  hybridP95: number;
  rssMb: number;
}

export async function measureLarge(folder: string, texts: readonly string[]): Promise<LargeFigures> {
  const corpus = join(folder, 'large');
  writeCorpus(corpus, texts);
  const env = { VAI_HOME: join(folder, 'large-home') };
  const started = performance.now();
  const ingested = spawnSync(process.execPath, [VAI, 'ingest', corpus, '--collection', 'large', '--json'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (ingested.status !== 0) throw new Error(ingested.stderr);
  const seconds = (performance.now() - started) / 1000;
  const { chunks } = (JSON.parse(ingested.stdout) as { run: { chunks: number } }).run;
  const questions = mixed(drawQueries(texts, QUESTIONS), QUESTIONS * 2);
  const pipe = openPipe([VAI, 'mcp-server'], env);
  await handshake(pipe);
  const [firstHybrid] = await ask(pipe, 'vai_search', ['how is memory given back']);
  const words = await ask(pipe, 'find', questions.slice(0, QUESTIONS));
  const hybrid = await ask(pipe, 'vai_search', questions.slice(QUESTIONS));
  const rssMb = pipe.memory();
  await pipe.end();
  return {
    chunks,
    ingestPerSecond: chunks / seconds,
    wordsP95: percentile(words, 0.95),
    firstHybrid: firstHybrid!,
    hybridP95: percentile(hybrid, 0.95),
    rssMb,
  };
}

async function ask(pipe: Pipe, tool: string, questions: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const query of questions) times.push(await callTool(pipe, tool, { query }));
  return times;
}

/** Sections of two to four sentences drawn from everywhere, so that words are as frequent as they are in real text. */
function writeCorpus(folder: string, texts: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const sentences = texts.flatMap((text) => text.match(/[A-Z][a-z][^.\n|`]{40,200}\./g) ?? []);
  const next = random(11);
  const pick = (): string => sentences[Math.floor(next() * sentences.length)]!;
  for (let file = 0; file < CHUNKS / SECTIONS_PER_FILE; file += 1) {
    const sections = Array.from({ length: SECTIONS_PER_FILE }, (_, at) => {
      const body = Array.from({ length: 2 + Math.floor(next() * 3) }, pick).join(' ');
      return `## ${pick().split(' ').slice(0, 5).join(' ')} ${file}-${at}\n\n${body}\n`;
    });
    writeFileSync(join(folder, `${file}.md`), sections.join('\n'));
  }
}
