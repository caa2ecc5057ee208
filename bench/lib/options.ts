// What every benchmark takes: --data <dir>, --json <file>, and flags of its own.

import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface BenchOptions {
  data: string;
  json?: string;
  values: Record<string, string | undefined>;
}

export function benchOptions(extra: readonly string[] = []): BenchOptions {
  const names = ['data', 'json', ...extra];
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    allowPositionals: false,
  });
  const data = resolve(values.data ?? resolve(import.meta.dirname, '../../../shared/data'));
  return {
    data,
    ...(values.json ? { json: values.json } : {}),
    values: values,
  };
}

/** Ends a benchmark politely where its data is not at hand. */
export function requireData(path: string): void {
  if (existsSync(path)) return;
  console.log(
    `No data at ${path.split('/').slice(-3).join('/')}: nothing to measure here. Name the folder with --data.`,
  );
  process.exit(0);
}

export function writeJson(file: string | undefined, value: unknown): void {
  if (file) writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
