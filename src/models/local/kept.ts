// Models kept on this machine: one folder each, with what was found out about it when it was added.

import { createHash, hash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VaiError } from '../../domain/errors.ts';
import { isObject } from '../../domain/object.ts';
import type { AddedModel } from '../../ports/models.ts';
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

export function modelsFolder(home = join(homedir(), '.vai')): string {
  return join(home, 'models');
}

const isName = (name: string): boolean => name.length <= 100 && /^\w[\w.-]*(?:\/\w[\w.-]*)?$/.test(name);

export function requireName(name: string): void {
  if (isName(name)) return;
  throw new VaiError('INVALID_INPUT', `\`${name.slice(0, 100)}\` is not a valid model name.`, {
    hint: 'Use letters, digits, dots, hyphens and at most one slash: `bge-small`, `Xenova/bge-small-en-v1.5`.',
  });
}

/** Flat, so that no model lies within another: `bge` and `bge/small` may both be there. */
export const placeOf = (folder: string, name: string): string => join(folder, name.replace('/', '+'));

export function readKept(folder: string, name: string): Manifest | undefined {
  const file = join(placeOf(folder, name), MANIFEST);
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
  const names = existsSync(folder) ? readdirSync(folder).map((place) => place.replace('+', '/')) : [];
  return names.sort().flatMap((name) => {
    if (!isName(name)) return [];
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
  const place = placeOf(folder, name);
  if (!existsSync(place)) return false;
  await rm(place, { recursive: true });
  return true;
}

/** Another file, pooling or prefix under the same name makes other vectors, and another number here. */
export function fingerprint({ files, pooling, prefixes }: Manifest): number {
  const parts = [Object.values(files).map(({ sha256 }) => sha256), pooling, prefixes];
  // 48 bits, which a number holds exactly.
  return hash('sha256', JSON.stringify(parts), 'buffer').readUIntBE(0, 6);
}

/** Undefined where there is none of that name that could be read. */
export function revisionOf(folder: string, name: string): number | undefined {
  if (!isName(name)) return undefined;
  try {
    const kept = readKept(folder, name);
    return kept && fingerprint(kept);
  } catch {
    // Said to be damaged when it is used.
    return undefined;
  }
}

/** Fails where a file is not the one that was added. */
export async function verifyKept(folder: string, { name, files }: Manifest): Promise<void> {
  for (const [file, { sha256 }] of Object.entries(files)) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(placeOf(folder, name), file)), hash).catch((cause: unknown) => {
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
