// The user's own models: a JSON list of entries that add to the catalogue or override ours by name. Read once, when the
// catalogue is first asked for; a bad entry is named by its position, never quoted.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { VaiError } from '../domain/errors.ts';
import { isObject } from '../domain/object.ts';
import type { ModelInfo } from '../ports/models.ts';
import { findProvider, ownerOf } from './providers.ts';

const MAX_ENTRIES = 500;
const TYPES: readonly ModelInfo['type'][] = ['embedding', 'embedding-multimodal', 'rerank'];
const STATES: readonly ModelInfo['status'][] = ['current', 'legacy', 'local-only', 'hidden'];

export function readCatalogueFile(file: string, known: readonly ModelInfo[]): ModelInfo[] {
  const name = basename(file);
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw bad(name, 'cannot be read as JSON');
  }
  const list = isObject(data) ? data.models : data;
  if (!Array.isArray(list) || list.length > MAX_ENTRIES)
    throw bad(name, `must hold a list of at most ${MAX_ENTRIES} models`);
  return list.map((entry: unknown, at) =>
    readEntry(entry, known, (problem) => bad(name, `entry ${at + 1} ${problem}`)),
  );
}

function readEntry(
  entry: unknown,
  known: readonly ModelInfo[],
  fail: (problem: string) => VaiError,
): ModelInfo {
  if (!isObject(entry) || typeof entry.name !== 'string' || !/^[\w./:-]{1,120}$/.test(entry.name))
    throw fail('has no usable name');
  const base = known.find((model) => model.name === entry.name);
  const merged = { ...base, ...entry } as Partial<ModelInfo> & { name: string };
  const type = oneOf(merged.type, TYPES) ?? fault(fail(`needs a type of ${TYPES.join(', ')}`));
  const dimensions = merged.dimensions ?? [];
  if (!Array.isArray(dimensions) || !dimensions.every((size) => isCount(size, 8192)))
    throw fail('has dimensions that are not whole numbers up to 8192');
  if (type !== 'rerank' && dimensions.length === 0) throw fail('is an embedding model without dimensions');
  if (!isCount(merged.contextTokens, 10_000_000)) throw fail('needs contextTokens');
  if (typeof merged.pricePerMToken !== 'number' || !(merged.pricePerMToken >= 0))
    throw fail('needs pricePerMToken of 0 or more');
  return {
    name: merged.name,
    type,
    provider: findProvider(String(merged.provider))?.id ?? ownerOf(merged.name).id,
    contextTokens: merged.contextTokens,
    dimensions,
    ...(dimensions.length ? { defaultDimensions: merged.defaultDimensions ?? dimensions[0]! } : {}),
    pricePerMToken: merged.pricePerMToken,
    ...(typeof merged.pricePerBPixels === 'number' ? { pricePerBPixels: merged.pricePerBPixels } : {}),
    ...(text(merged.sharedSpace) ? { sharedSpace: text(merged.sharedSpace) } : {}),
    ...(text(merged.architecture) ? { architecture: text(merged.architecture) } : {}),
    ...(typeof merged.rteb === 'number' ? { rteb: merged.rteb } : {}),
    bestFor: text(merged.bestFor) ?? 'Added by you',
    status: oneOf(merged.status, STATES) ?? 'current',
    ...(isCount(merged.batchTokens, 100_000_000) ? { batchTokens: merged.batchTokens } : {}),
    ...(isCount(merged.batchTexts, 100_000) ? { batchTexts: merged.batchTexts } : {}),
    ...(base?.part ? { part: base.part } : {}),
  };
}

function fault(error: VaiError): never {
  throw error;
}

const isCount = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= max;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;

function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((item) => item === value);
}

const bad = (name: string, problem: string): VaiError =>
  new VaiError('CONFIG_INVALID', `The model file ${name} ${problem}.`, {
    hint: 'See docs/models-and-costs.md for the shape of an entry.',
  });
