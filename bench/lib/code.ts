// Judged questions over real repositories: where their sources come from, and what an answer to them is worth. The sources
// are other people's code: they are read from git copies into a temporary folder and never kept.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Target {
  path: string;
  start?: number;
  end?: number;
}

export interface CodeQuestion {
  id: string;
  query: string;
  category: string;
  relevant: Target[];
  secondary: Target[];
}

export interface Repository {
  name: string;
  language: string;
  /** What is ingested: a folder of the copied sources. */
  folder: string;
  /** Paths of the labels begin with this; those of documents do not. */
  root: string;
  questions: CodeQuestion[];
}

interface Meta {
  name: string;
  repo: string;
  language: string;
  commit: string;
  benchmark_root?: string;
}

/** Copies the sources of every judged repository that is at hand; says which are not. */
export function repositories(data: string, sources: string, into: string): Repository[] {
  const found: Repository[] = [];
  for (const name of readdirSync(data).sort()) {
    if (!existsSync(join(data, name, 'meta.json'))) continue;
    const meta = JSON.parse(readFileSync(join(data, name, 'meta.json'), 'utf8')) as Meta;
    const place = new URL(meta.repo).pathname.slice(1).replace(/\.git$/, '');
    const git = join(sources, place.replace('/', '+'), 'repo');
    if (!existsSync(git)) {
      console.error(`left out: ${name}, because there is no git copy of ${place} in the folder of sources`);
      continue;
    }
    for (const file of readFileSync(join(data, name, 'files.txt'), 'utf8')
      .trim()
      .split('\n')) {
      const to = join(into, name, file);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, show(git, meta.commit, file));
    }
    const root = meta.benchmark_root ?? '';
    const lines = readFileSync(join(data, name, 'queries.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const questions = lines.map((line) => JSON.parse(line) as CodeQuestion);
    found.push({ name, language: meta.language, folder: join(into, name, root), root, questions });
  }
  return found;
}

function show(git: string, commit: string, file: string): Buffer {
  const done = spawnSync('git', [`--git-dir=${git}`, 'show', `${commit}:${file}`], { maxBuffer: 64e6 });
  if (done.status !== 0) throw new Error(`${file} is not in ${commit}: ${String(done.stderr)}`);
  return done.stdout;
}

/** A passage of an answer. */
export interface Passage {
  path: string;
  start: number;
  end: number;
  /** Characters of its lines, as they stand in the file. */
  characters: number;
}

const dcg = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);

export function samePath(path: string, target: string): boolean {
  return path === target || path.endsWith(`/${target}`) || target.endsWith(`/${path}`);
}

export function covers({ path, start, end }: Passage, target: Target): boolean {
  if (!samePath(path, target.path)) return false;
  return target.start === undefined || (end >= target.start && start <= (target.end ?? target.start));
}

/** As the public benchmark counts: each target at the first of ten passages that covers it. */
export function ndcg10(passages: readonly Passage[], targets: readonly Target[]): number {
  const gains = new Array<number>(10).fill(0);
  for (const target of targets) {
    const at = passages.findIndex((passage) => covers(passage, target));
    if (at >= 0 && at < 10) gains[at] = 1;
  }
  return dcg(gains) / dcg(new Array<number>(Math.min(10, targets.length)).fill(1));
}

/** The share of the right files that the first so many tokens show. */
export function recallWithin(
  passages: readonly Passage[],
  targets: readonly Target[],
  tokens: number,
): number {
  const wanted = [...new Set(targets.map(({ path }) => path))];
  const seen = new Set<string>();
  let used = 0;
  for (const { path, characters } of passages) {
    used += characters / 4;
    if (used > tokens) break;
    for (const one of wanted) if (samePath(path, one)) seen.add(one);
  }
  return seen.size / wanted.length;
}
