// No text from outside may cost more than its length. Every target reads every hostile text while that doubles; each
// doubling may cost at most two and a half times the processor time.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readerFor } from '../../src/sources/files/formats.ts';
import type { Reader } from '../../src/sources/files/reader.ts';
import { FILES, TARGETS } from './targets.ts';

/** One step takes milliseconds. What is silent for so long does not end. */
const SILENCE_MS = 240_000;

interface Report {
  /** What is being read: target, text, length. */
  step?: [string, string, number];
  slow?: [string, string];
}

/** What costs too much of these targets, one line each. */
async function measure(names: readonly string[]): Promise<string[]> {
  const script = fileURLToPath(new URL('measure.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...names], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const findings: string[] = [];
  let step: Report['step'];
  const stop = (): void => {
    findings.push(`${JSON.stringify(step)} does not end`);
    child.kill('SIGKILL');
  };
  let watch = setTimeout(stop, SILENCE_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(watch);
    watch = setTimeout(stop, SILENCE_MS);
    const report = JSON.parse(line) as Report;
    if (report.step) step = report.step;
    if (report.slow) findings.push(line);
  }
  clearTimeout(watch);
  await ended;
  if (child.exitCode !== 0 && findings.length === 0)
    findings.push(`${JSON.stringify(step)} ended the process`);
  return findings;
}

it('every reader that may run in the main process is among them', async () => {
  const formats = new URL('../../src/sources/files/formats.ts', import.meta.url);
  const measured = new Set(FILES.map((name) => readerFor(name, new Uint8Array())));
  // Those that a library reads are imported when they are needed.
  const imports = [
    ...readFileSync(formats, 'utf8').matchAll(/^import \{ (\w+) \} from '(\.\/readers\/.+)';$/gm),
  ];
  assert.ok(imports.length > 0);
  const missing: string[] = [];
  for (const [, name, file] of imports) {
    const readers = (await import(new URL(file!, formats).href)) as Record<string, Reader>;
    if (!measured.has(readers[name!]!)) missing.push(name!);
  }
  assert.deepEqual(missing, [], 'add a name they read to FILES in targets.ts');
});

describe('hostile text', () => {
  for (const { name, pending } of TARGETS) {
    it(`costs ${name} no more than its length`, { skip: pending ?? false }, async () => {
      const findings = await measure([name]);
      // What is too dear is so in every process; what a busy machine spoiled is not.
      if (findings.length > 0) assert.deepEqual(await measure([name]), [], findings.join('\n'));
    });
  }
});
