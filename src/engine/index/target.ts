// Where an ingest writes and with which model: the collection's record, its chunking, and an embedder that fits it.

import { INGEST_PROFILE, type ChunkProfile } from '../../domain/chunk.ts';
import type { Collection } from '../../domain/collection.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Store } from '../../ports/store.ts';
import type { EngineDeps } from '../deps.ts';
import { cachedEmbedder } from './cached-embedder.ts';
import { checkProfile, defaultOverlap } from '../text/chunk/profile.ts';

export interface Target {
  collection: Collection;
  profile: ChunkProfile;
  /** It was not there before. */
  created: boolean;
  /** Some of its texts were stored without vectors, when it had no model or the provider failed. */
  lacksVectors: boolean;
  /** None when the collection is searched by words alone. */
  embedder?: Embedder;
}

export interface TargetRequest {
  name: string;
  /** `none` keeps vectors off. */
  model?: string;
  dimensions?: number;
  chunk?: Partial<ChunkProfile>;
  /** Put between cache and provider: sees only what is really sent. */
  meter?: (embedder: Embedder) => Embedder;
  /** Chunking of a collection that does not exist yet. */
  profile: ChunkProfile;
}

export const NO_MODEL = 'none';

/** Finds or creates the collection; refuses a model whose vectors cannot be compared with those already there. */
export async function openTarget(deps: EngineDeps, store: Store, request: TargetRequest): Promise<Target> {
  const existing = await store.collections.get(request.name);
  const stamp = existing?.embedding;
  const model = request.model ?? stamp?.model ?? deps.settings.model;
  const dimensions =
    request.dimensions ?? stamp?.dimensions ?? (request.model ? undefined : deps.settings.dimensions);
  // The space is compared first: another model may not even offer the length that is stored.
  if (stamp && model && model !== NO_MODEL) requireSpace(deps, request.name, stamp.model, model);
  const embedder = model === NO_MODEL ? undefined : await deps.models.embedder(model, dimensions);
  if (embedder && stamp) requireLength(request.name, stamp.dimensions, embedder);
  const now = deps.now().toISOString();
  // Before it is recorded: a bad one would refuse every later text as well.
  const profile = checkProfile(chooseProfile(request, existing?.chunking));
  const collection: Collection = {
    ...(existing ? withoutStats(existing) : { name: request.name, createdAt: now }),
    chunking: profile,
    ...(embedder ? { embedding: stamp ?? { model: embedder.model, dimensions: embedder.dimensions } } : {}),
    updatedAt: now,
  };
  await store.collections.put(collection);
  return {
    collection,
    created: existing === undefined,
    lacksVectors:
      embedder !== undefined && existing !== undefined && existing.stats.vectors < existing.stats.chunks,
    profile,
    ...(embedder ? { embedder: withCache(embedder, store, request.meter) } : {}),
  };
}

/** A first ingest that failed leaves no empty collection behind, bound to a model nothing was embedded with. */
export async function undoTarget(store: Store, target: Target): Promise<void> {
  if (!target.created) return;
  const { name } = target.collection;
  const now = await store.collections.get(name).catch(() => undefined);
  if (now?.stats.documents === 0) await store.collections.remove(name).catch(() => undefined);
}

function withCache(embedder: Embedder, store: Store, meter?: TargetRequest['meter']): Embedder {
  if (!embedder.hosted) return embedder;
  return cachedEmbedder(meter ? meter(embedder) : embedder, store.cache);
}

function chooseProfile(request: TargetRequest, existing?: ChunkProfile): ChunkProfile {
  const base = existing ?? request.profile;
  if (!request.chunk || Object.values(request.chunk).every((value) => value === undefined)) return base;
  const strategy =
    request.chunk.strategy ?? (base.strategy === 'blocks' ? INGEST_PROFILE.strategy : base.strategy);
  const size = request.chunk.size ?? (base.strategy === 'blocks' ? INGEST_PROFILE.size : base.size);
  const overlap = request.chunk.overlap ?? defaultOverlap(size);
  return { strategy, size, overlap };
}

function requireSpace(deps: EngineDeps, name: string, stored: string, asked: string): void {
  if (deps.models.space(stored) === deps.models.space(asked)) return;
  throw new VaiError(
    'MODEL_MISMATCH',
    `\`${name}\` was embedded with ${stored}; ${asked.slice(0, 80)} does not fit it.`,
    { hint: `Leave the model out, name ${stored}, or ingest into another collection.` },
  );
}

function requireLength(name: string, stored: number, embedder: Embedder): void {
  if (stored === embedder.dimensions) return;
  throw new VaiError(
    'DIMENSION_MISMATCH',
    `\`${name}\` holds vectors of ${stored} dimensions; ${embedder.dimensions} were asked for.`,
    { hint: `Ask for ${stored} dimensions, or ingest into another collection.` },
  );
}

function withoutStats<T extends { stats?: unknown }>(record: T): Omit<T, 'stats'> {
  const { stats: _stats, ...rest } = record;
  return rest;
}
