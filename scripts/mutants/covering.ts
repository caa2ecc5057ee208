// Which test files run which places of the sources, found out by running each test file once with the coverage of V8. That
// takes minutes, so it is remembered; only test files that changed, or all of them when the sources did, are run again.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Place } from './places.ts';

/** One test file: what it runs of each source file, as ranges in the order V8 gives them, the inner ones last. */
interface TestFile {
  key: string;
  passes: boolean;
  ms: number;
  ranges: Record<string, [start: number, end: number, runs: 0 | 1][]>;
}

export interface Covering {
  /** Test files that run the place, those that are about its file first, then the quickest. */
  of(place: Place): string[];
  msOf(test: string): number;
}

/** Those that could be about what is changed. */
const TESTS = 'test/{config,engine,server,tools}/**/*.test.ts';
const MEMORY = 'node_modules/.cache/vai-mutants.json';
/** What hangs. */
const LONGEST_MS = 300_000;

/** `copy` is where they run: what fails there as it is must not count as having noticed something. */
export async function covering(root: string, copy: string, areas: readonly string[]): Promise<Covering> {
  const sources = hashOf(globSync('src/**/*.ts', { cwd: root }).map((file) => join(root, file)));
  const known = readMemory(root);
  const files: Record<string, TestFile> = {};
  for (const test of globSync(TESTS, { cwd: root }).sort()) {
    const key = `${sources}.${hashOf([join(root, test)])}`;
    files[test] = known[test]?.key === key ? known[test] : await tryOut(copy, { test, key }, areas);
    if (!files[test].passes) console.log(`left out, because it fails as it is: ${test}`);
    writeMemory(root, { ...known, ...files });
  }
  return {
    of: (place) =>
      Object.entries(files)
        .filter(([, { passes, ranges }]) => passes && isRun(ranges[place.file] ?? [], place.start))
        .map(([test, { ms }]) => ({ test, cost: ms * distance(place.file, test) }))
        .toSorted((a, b) => a.cost - b.cost)
        .map(({ test }) => test),
    msOf: (test) => files[test]!.ms,
  };
}

/** A test file in the folder of the same name is likely to notice, and is worth its time sooner. */
function distance(file: string, test: string): number {
  if (test === file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts')) return 0;
  return dirname(test) === dirname(file).replace(/^src/, 'test') ? 0.1 : 1;
}

/** The innermost range decides. */
function isRun(ranges: TestFile['ranges'][string], at: number): boolean {
  let runs = false;
  let length = Infinity;
  for (const [start, end, ran] of ranges)
    if (start <= at && at < end && end - start <= length) {
      length = end - start;
      runs = ran === 1;
    }
  return runs;
}

async function tryOut(
  copy: string,
  { test, key }: { test: string; key: string },
  areas: readonly string[],
): Promise<TestFile> {
  const folder = mkdtempSync(join(tmpdir(), 'vai-coverage-'));
  try {
    const began = performance.now();
    const passes = await passesIn(copy, test, { limitMs: LONGEST_MS, env: { NODE_V8_COVERAGE: folder } });
    return { key, passes, ms: Math.round(performance.now() - began), ranges: rangesIn(folder, copy, areas) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a test file passes, run by itself in this folder. */
export function passesIn(
  folder: string,
  test: string,
  { limitMs, env = {} }: { limitMs: number; env?: Record<string, string> },
): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [test], {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, ...env },
    });
    const late = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.once('exit', (status) => {
      clearTimeout(late);
      done(status === 0);
    });
  });
}

interface Report {
  result: {
    url: string;
    functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
  }[];
}

/** From every process that the test file started. */
function rangesIn(folder: string, copy: string, areas: readonly string[]): TestFile['ranges'] {
  const wanted = new Map(areas.map((file) => [pathToFileURL(join(copy, file)).href, file]));
  const ranges: TestFile['ranges'] = {};
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report;
    const seen: TestFile['ranges'] = {};
    for (const { url, functions } of result) {
      const file = wanted.get(url);
      if (!file) continue;
      seen[file] = functions.flatMap((one) =>
        one.ranges.map(({ startOffset, endOffset, count }): [number, number, 0 | 1] => [
          startOffset,
          endOffset,
          count > 0 ? 1 : 0,
        ]),
      );
    }
    for (const [file, found] of Object.entries(seen)) ranges[file] = [...(ranges[file] ?? []), ...found];
  }
  return ranges;
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

function readMemory(root: string): Record<string, TestFile> {
  try {
    return JSON.parse(readFileSync(join(root, MEMORY), 'utf8')) as Record<string, TestFile>;
  } catch {
    return {};
  }
}

function writeMemory(root: string, files: Record<string, TestFile>): void {
  mkdirSync(join(root, dirname(MEMORY)), { recursive: true });
  writeFileSync(join(root, MEMORY), JSON.stringify(files));
}
