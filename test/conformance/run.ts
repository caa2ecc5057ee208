// `npm run conformance`: the official suite against the fixtures behind the real server, for both revisions. Prints the
// suite's own summary and ends with its verdict; with `--write` the verdict becomes docs/conformance.md.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BASELINE, conformancePage, PAGE } from './page.ts';
import { serveFixtures } from './serve.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SUITE_FOLDER = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
);
const SUITE = join(SUITE_FOLDER, 'dist/index.js');

export interface Verdict {
  revision: string;
  status: number;
  summary: string;
  scenarios: Scenario[];
}

export interface Scenario {
  name: string;
  /** Part of what the revision demands; else an extension, or new in the suite. */
  required: boolean;
  outcome: 'passes' | 'fails' | 'not checked';
}

/** Runs the suite's own program; its result files are thrown away. */
async function suite(args: string[]): Promise<{ status: number; output: string }> {
  const folder = tempFolder('conformance');
  const child = spawn(process.execPath, [SUITE, 'server', ...args, '-o', folder], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const status = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  return { status, output };
}

export function runScenario(url: string, revision: string, name: string): ReturnType<typeof suite> {
  return suite(['--url', url, '--scenario', name, '--spec-version', revision]);
}

export async function runSuite(url: string, revision: string, more: string[] = []): Promise<Verdict> {
  const { status, output } = await suite(['--url', url, '--requirements', revision, ...more]);
  const summary = output.slice(Math.max(0, output.indexOf('=== SUMMARY ===')));
  return { revision, status, summary, scenarios: scenariosOf(summary, revision) };
}

/** A scenario that failed has a cross; one that checked nothing has neither passed nor failed. */
function scenariosOf(summary: string, revision: string): Scenario[] {
  const demanded = readFileSync(join(SUITE_FOLDER, 'requirements', `${revision}.yaml`), 'utf8');
  const optional = new Set([...demanded.matchAll(/^ +- scenario: (\S+)$/gm)].map((match) => match[1]!));
  return [...summary.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(
    ([, mark, name, passed]) => ({
      name: name!,
      required: !optional.has(name!),
      outcome: mark === '✗' ? 'fails' : passed === '0' ? 'not checked' : 'passes',
    }),
  );
}

export async function runBoth(): Promise<Verdict[]> {
  const server = await serveFixtures(0);
  const url = `http://127.0.0.1:${server.port}/mcp`;
  try {
    return [
      await runSuite(url, '2026-07-28'),
      await runSuite(url, '2025-11-25', ['--expected-failures', BASELINE]),
    ];
  } finally {
    await server.close();
  }
}

if (import.meta.main) {
  const verdicts = await runBoth();
  for (const { revision, status, summary } of verdicts) {
    console.log(`\n##### ${revision}: ${status === 0 ? 'conforms' : 'DOES NOT CONFORM'}\n${summary}`);
  }
  process.exitCode = verdicts.some(({ status }) => status !== 0) ? 1 : 0;
  if (process.argv.includes('--write')) {
    await writeFile(PAGE, conformancePage(verdicts));
  }
}
