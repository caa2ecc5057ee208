// Turns what a flag, a variable or a file says into a value of its kind. Throws a plain sentence that names the key and
// what it must be, never what it is; the caller adds where it came from.

import { CHUNK_STRATEGIES, type ChunkProfile } from '../domain/chunk.ts';
import { checkCollectionName, checkDatabaseName } from '../domain/collection.ts';
import { withoutTrailing } from '../domain/text.ts';
import { absolutePath } from './paths.ts';
import { isObject } from '../domain/object.ts';
import type { Key } from './keys.ts';

export class BadValue extends Error {}

export interface PathBase {
  /** Where a relative path begins. */
  base: string;
  userHome: string;
}

export function readValue({ kind }: Key, raw: unknown, paths: PathBase): unknown {
  switch (kind.type) {
    case 'string':
      return readString(raw, kind.max ?? 1_000);
    case 'name':
      return readName(raw, kind.of);
    case 'integer':
      return readInteger(raw, kind.min, kind.max);
    case 'dollars':
      return readDollars(raw, kind.max);
    case 'boolean':
      return readBoolean(raw);
    case 'choice':
      if (typeof raw !== 'string' || !kind.choices.includes(raw))
        throw new BadValue(`must be one of ${kind.choices.join(', ')}`);
      return raw;
    case 'list':
      return readList(raw);
    case 'hosts':
      return readHosts(raw);
    case 'path':
      return absolutePath(readString(raw, 4_000), paths.base, paths.userHome);
    case 'paths':
      return readList(raw).map((path) => absolutePath(path, paths.base, paths.userHome));
    case 'url':
      return readUrl(raw);
    case 'chunk':
      return readChunk(raw);
    case 'files':
      return readFiles(raw, paths);
  }
}

function readString(raw: unknown, max: number): string {
  const text = typeof raw === 'string' ? raw.trim() : '';
  if (!text || text.length > max || /\p{Cc}/u.test(text))
    throw new BadValue(`must be text of 1 to ${max} characters`);
  return text;
}

function readName(raw: unknown, of: 'database' | 'collection'): string {
  const name = readString(raw, 120);
  try {
    return of === 'database' ? checkDatabaseName(name) : checkCollectionName(name);
  } catch (error) {
    throw new BadValue(`is not a ${of} name. ${(error as Error).message.replace(/\.$/, '')}`);
  }
}

function readInteger(raw: unknown, min: number, max: number): number {
  const value = typeof raw === 'string' && /^-?\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw new BadValue(`must be a whole number from ${min} to ${max}`);
  return value;
}

function readDollars(raw: unknown, max: number): number {
  const value = typeof raw === 'string' && /^\d{1,9}(\.\d{1,6})?$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof value !== 'number' || !(value >= 0 && value <= max))
    throw new BadValue(`must be a number of dollars from 0 to ${max}`);
  return value;
}

function readBoolean(raw: unknown): boolean {
  const text = String(raw).trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(text)) return true;
  if (['0', 'false', 'no', 'off'].includes(text)) return false;
  throw new BadValue('must be true or false');
}

function readList(raw: unknown): string[] {
  const parts = typeof raw === 'string' ? raw.split(',') : raw;
  if (!Array.isArray(parts) || parts.length > 200) throw new BadValue('must be a list of at most 200 texts');
  return (parts as unknown[])
    .filter((part) => typeof part !== 'string' || part.trim() !== '')
    .map((part) => readString(part, 500));
}

/** All of them (`1`), none (`0`), or those named: `wiki.corp`, `wiki.corp:8080`, `*.corp`. */
function readHosts(raw: unknown): boolean | string[] {
  try {
    return readBoolean(raw);
  } catch {
    const hosts = readList(raw).map((host) => host.toLowerCase());
    const bad = hosts.find((host) => !/^(\*\.)?[a-z0-9.[\]:_-]+$/.test(host));
    if (bad !== undefined) throw new BadValue('must be 1, 0 or a list of host names without `https://`');
    return hosts;
  }
}

function readUrl(raw: unknown): string {
  const text = readString(raw, 2_000);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password)
    throw new BadValue('must be an http or https address without a user name');
  return withoutTrailing(text, '/');
}

function readChunk(raw: unknown): Partial<ChunkProfile> {
  if (!isObject(raw)) throw new BadValue('must be an object with strategy, size or overlap');
  const chunk: Partial<ChunkProfile> = {};
  if (raw.strategy !== undefined) {
    const strategy = CHUNK_STRATEGIES.find((known) => known === raw.strategy);
    if (!strategy) throw new BadValue(`must have a strategy of ${CHUNK_STRATEGIES.join(', ')}`);
    chunk.strategy = strategy;
  }
  if (raw.size !== undefined) chunk.size = part('size', raw.size, 100, 8_000);
  if (raw.overlap !== undefined) chunk.overlap = part('overlap', raw.overlap, 0, 4_000);
  if (chunk.size !== undefined && chunk.overlap !== undefined && chunk.overlap >= chunk.size / 2)
    throw new BadValue('must have an overlap under half its size');
  return chunk;
}

function part(name: string, raw: unknown, min: number, max: number): number {
  try {
    return readInteger(raw, min, max);
  } catch {
    throw new BadValue(`must have a ${name} from ${min} to ${max}`);
  }
}

function readFiles(raw: unknown, paths: PathBase): Record<string, string> {
  if (!isObject(raw) || Object.keys(raw).length > 1_000)
    throw new BadValue('must map database names to files');
  const files: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, file] of Object.entries(raw)) {
    files[readName(name, 'database')] = absolutePath(readString(file, 4_000), paths.base, paths.userHome);
  }
  return files;
}
