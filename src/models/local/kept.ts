// Models kept on this machine: one folder each, with what was found out about it when it was added.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VaiError } from '../../domain/errors.ts';
import { isObject } from '../../domain/object.ts';
import type { AddedModel } from '../../ports/models.ts';
import type { Environment } from '../provider.ts';
import type { Pooling } from './model.ts';

const MANIFEST = 'vai-model.json';
export const WEIGHTS = 'model.onnx';
export const TOKENIZER = 'tokenizer.json';
export const TOKENIZER_CONFIG = 'tokenizer_config.json';

export interface KeptFile {
  bytes: number;
  sha256: string;
}

/** What is written beside the files. */
export interface Manifest extends Omit<AddedModel, 'bytes'> {
  pooling: Pooling;
  /** What the model wants before a question and before a passage. */
  prefixes: { query: string; document: string };
  files: Record<string, KeptFile>;
}

export function modelsFolder(env: Environment): string {
  return join(env['VAI_HOME'] ?? join(homedir(), '.vai'), 'models');
}

export function requireName(name: string): void {
  if (name.length <= 100 && /^\w[\w.-]*(?:\/\w[\w.-]*)?$/.test(name)) return;
  throw new VaiError('INVALID_INPUT', `\`${name.slice(0, 100)}\` is no name for a model.`, {
    hint: 'Use letters, digits, dots, hyphens and at most one slash: `bge-small`, `Xenova/bge-small-en-v1.5`.',
  });
}

export function readKept(folder: string, name: string): Manifest | undefined {
  const file = join(folder, name, MANIFEST);
  if (!existsSync(file)) return undefined;
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(read) && read['name'] === name && isObject(read['files']))
      return read as unknown as Manifest;
  } catch {
    // Told below, like a file that holds something else.
  }
  throw damaged(name, MANIFEST);
}

export const manifestText = (manifest: Manifest): [file: string, text: string] => [
  MANIFEST,
  `${JSON.stringify(manifest, null, 2)}\n`,
];

/** By name; one whose manifest is damaged is left out, and said to be when it is used. */
export function listKept(folder: string): Manifest[] {
  const inside = (path: string): string[] =>
    existsSync(path)
      ? readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
          entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : [],
        )
      : [];
  const names = inside(folder).flatMap((first) => [
    first,
    ...inside(join(folder, first)).map((second) => `${first}/${second}`),
  ]);
  return names.sort().flatMap((name) => {
    try {
      return readKept(folder, name) ?? [];
    } catch {
      return [];
    }
  });
}

/** False where there is none of that name. */
export async function removeKept(folder: string, name: string): Promise<boolean> {
  requireName(name);
  if (!existsSync(join(folder, name, MANIFEST))) return false;
  await rm(join(folder, name), { recursive: true });
  // The folder of its owner, where it was the last.
  if (name.includes('/')) await rmdir(dirname(join(folder, name))).catch(() => undefined);
  return true;
}

/** Fails where a file is not the one that was added. */
export async function verifyKept(folder: string, { name, files }: Manifest): Promise<void> {
  for (const [file, { sha256 }] of Object.entries(files)) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name, file)), hash).catch((cause: unknown) => {
      throw damaged(name, file, cause);
    });
    if (hash.digest('hex') !== sha256) throw damaged(name, file);
  }
}

export function describeKept(manifest: Manifest): AddedModel {
  const { pooling: _pooling, prefixes: _prefixes, files, ...rest } = manifest;
  return { ...rest, bytes: Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0) };
}

export const damaged = (name: string, file: string, cause?: unknown): VaiError =>
  new VaiError('PROVIDER_UNAVAILABLE', `The model ${name} is damaged on this machine (${file}).`, {
    hint: `Run \`vai models remove ${name}\` and add it again, or use the builtin models.`,
    cause,
  });
