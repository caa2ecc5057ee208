// What every benchmark takes: --data <dir>, --json <file>, and flags of its own.

import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface BenchOptions {
  data: string;
  json?: string;
  values: Record<string, string | undefined>;
  flags: ReadonlySet<string>;
}

export function benchOptions(extra: readonly string[] = [], switches: readonly string[] = []): BenchOptions {
  const named = <Type extends 'string' | 'boolean'>(names: readonly string[], type: Type) =>
    Object.fromEntries(names.map((name) => [name, { type }]));
  const given = parseArgs({
    options: { ...named(['data', 'json', ...extra], 'string'), ...named(switches, 'boolean') },
    allowPositionals: false,
  }).values;
  const values = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return {
    data: resolve(values.data ?? resolve(import.meta.dirname, '../../../shared/data')),
    ...(values.json ? { json: values.json } : {}),
    values,
    flags: new Set(Object.keys(given).filter((name) => given[name] === true)),
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
