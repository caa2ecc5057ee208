// Where a run writes and with which model: the collection's record, an embedder that fits it, and how its documents are
// chunked. How a document is chunked is decided by, in this order: the call, what the document was stored with, the
// profile stated for the collection, the default of its kind. So no call changes the chunks of what it does not write.

import type { ChunkProfile } from '../../domain/chunk.ts';
import type { Collection, EmbeddingStamp } from '../../domain/collection.ts';
import type { IndexedWith } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Models } from '../../ports/models.ts';
import type { Store } from '../../ports/store.ts';
import type { Principal } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { checkProfile, defaultOverlap } from '../text/chunk/profile.ts';
import { modelsFor } from '../spending.ts';
import { cachedEmbedder } from './cached-embedder.ts';
import { requireStorage } from './storage-limits.ts';

export interface Target {
  collection: Collection;
  /** It was not there before. */
  created: boolean;
  /** None when the collection is searched by words alone. */
  embedder?: Embedder;
  /** The chunking that the call named. */
  asked?: ChunkProfile;
  /** How a document is chunked, given what it was stored with. */
  readonly chunking: (before: IndexedWith | undefined) => ChunkProfile;
  notices: string[];
}

export interface TargetRequest {
  name: string;
  caller: Principal;
  /** `none` keeps vectors off. */
  model?: string;
  dimensions?: number;
  /** Vectors of another model are replaced; without it such a model is refused. */
  remodel?: boolean;
  /** Put between cache and provider: sees only what is really sent. */
  meter?: (embedder: Embedder) => Embedder;
  chunk?: Partial<ChunkProfile>;
  /** The chunking this call names becomes the collection's own. */
  states?: boolean;
  /** The collection is searched only when it is named, or alone. */
  onlyNamed?: boolean;
  /** Chunking where nothing else says how. */
  fallback: ChunkProfile;
  /** A run over files begins: until it ends, the index is incomplete. */
  run?: Collection['run'];
}

export const NO_MODEL = 'none';

/** Finds or creates the collection; refuses a model whose vectors cannot be compared with those already there. */
export async function openTarget(deps: EngineDeps, store: Store, request: TargetRequest): Promise<Target> {
  const existing = await store.collections.get(request.name);
  await requireStorage(store, existing, { limits: deps.settings.limits, caller: request.caller });
  const embedder = await openEmbedder(deps, request, existing?.embedding);
  const stale = embedder && isStale(deps.models, existing?.embedding) ? existing : undefined;
  const base = existing?.chunking ?? request.fallback;
  // Before it is recorded: a bad one would refuse every later text as well.
  const asked = namesChunking(request.chunk) ? checkProfile(complete(request.chunk, base)) : undefined;
  const now = deps.now().toISOString();
  // A store drops the vectors of a collection that gives up its model.
  if (stale)
    await store.collections.change(request.name, (before) => before && { ...before, embedding: undefined });
  const stamp = stale ? undefined : existing?.embedding;
  const collection = await store.collections.change(request.name, (before): Collection | undefined => {
    if (!sameStamp(before?.embedding, stamp)) return undefined;
    return {
      ...(before ?? { name: request.name, createdAt: now }),
      ...(asked && request.states ? { chunking: asked } : {}),
      ...(embedder ? { embedding: stampOf(deps, request, embedder, stamp) } : {}),
      ...(request.onlyNamed ? { onlyNamed: true } : {}),
      ...(request.run ? { run: request.run } : {}),
      updatedAt: now,
    };
  });
  // Another call has chosen a model in the meantime, which may not be the one that was opened here.
  if (!collection) return openTarget(deps, store, request);
  return {
    collection,
    created: existing === undefined,
    embedder: embedder && withCache(embedder, store, request.meter),
    asked,
    chunking: (before) => asked ?? before?.chunking ?? collection.chunking ?? request.fallback,
    notices: [
      ...(asked ? chunkingNotices(request, asked, existing?.chunking) : []),
      ...(embedder && stale && stale.stats.vectors > 0 ? [renewing(request.name, embedder.model)] : []),
    ],
  };
}

/** A first ingest that failed leaves no empty collection behind, bound to a model nothing was embedded with. */
export async function undoTarget(store: Store, target: Target): Promise<void> {
  if (!target.created) return;
  const { name } = target.collection;
  const now = await store.collections.get(name).catch(() => undefined);
  if (now?.stats.documents === 0) await store.collections.remove(name).catch(() => undefined);
}

/** What the vectors of a collection's documents are made with. */
export function modelStamp({ model, dimensions, revision }: EmbeddingStamp): string {
  return revision === undefined ? `${model} ${dimensions}` : `${model} ${dimensions} revision ${revision}`;
}

function sameStamp(a: EmbeddingStamp | undefined, b: EmbeddingStamp | undefined): boolean {
  return (a && modelStamp(a)) === (b && modelStamp(b));
}

/** Whether the vectors of a collection were made by an earlier revision of its model, as far as that is known. */
export function isStale(models: Pick<Models, 'traits'>, stamp: EmbeddingStamp | undefined): boolean {
  if (!stamp) return false;
  const { revision } = models.traits(stamp.model);
  return revision !== undefined && revision !== stamp.revision;
}

function renewing(name: string, model: string): string {
  return `The vectors in \`${name}\` come from an earlier ${model} and are being replaced; documents that are not ingested again are found by words only.`;
}

export function describeProfile({ strategy, size }: ChunkProfile): string {
  return `${strategy}, ${size.toLocaleString('en')} characters`;
}

export function sameProfile(a: ChunkProfile, b: ChunkProfile): boolean {
  return a.strategy === b.strategy && a.size === b.size && a.overlap === b.overlap;
}

async function openEmbedder(
  deps: EngineDeps,
  request: TargetRequest,
  stamp: Collection['embedding'],
): Promise<Embedder | undefined> {
  const model = request.model ?? stamp?.model ?? deps.settings.model;
  if (model === NO_MODEL) return undefined;
  const dimensions =
    request.dimensions ??
    (request.remodel ? undefined : stamp?.dimensions) ??
    (request.model ? undefined : deps.settings.dimensions);
  // The space is compared first: another model may not even offer the length that is stored.
  if (stamp && model && !request.remodel) requireSpace(deps, request.name, stamp.model, model);
  const embedder = await modelsFor(deps, request.caller).embedder(model, dimensions);
  if (!stamp) return embedder;
  if (!request.remodel) requireLength(request.name, stamp.dimensions, embedder);
  // Vectors that are there are given up only for a model that answers.
  else if (modelStamp({ ...stamp, revision: undefined }) !== modelStamp(embedder))
    await embedder.embed(['vai'], { role: 'document' });
  return embedder;
}

/** Another model of the same space may write to a collection; it keeps the name of the one it was made with. */
function stampOf(
  deps: EngineDeps,
  { remodel }: TargetRequest,
  { model, dimensions }: Embedder,
  stamp: Collection['embedding'],
): EmbeddingStamp {
  if (stamp && !remodel) return stamp;
  const { revision } = deps.models.traits(model);
  return { model, dimensions, ...(revision === undefined ? {} : { revision }) };
}

function withCache(embedder: Embedder, store: Store, meter?: TargetRequest['meter']): Embedder {
  if (!embedder.hosted) return embedder;
  return cachedEmbedder(meter ? meter(embedder) : embedder, store.cache);
}

function namesChunking(chunk: Partial<ChunkProfile> | undefined): chunk is Partial<ChunkProfile> {
  return Object.values(chunk ?? {}).some((value) => value !== undefined);
}

function complete(chunk: Partial<ChunkProfile>, base: ChunkProfile): ChunkProfile {
  const strategy = chunk.strategy ?? base.strategy;
  const size = chunk.size ?? (strategy === base.strategy ? base.size : 512);
  return { strategy, size, overlap: chunk.overlap ?? (strategy === 'blocks' ? 0 : defaultOverlap(size)) };
}

function chunkingNotices(
  { name, states }: TargetRequest,
  asked: ChunkProfile,
  stated: ChunkProfile | undefined,
): string[] {
  if (stated && sameProfile(asked, stated)) return [];
  if (states)
    return [
      `From now on files of \`${name}\` are chunked by ${describeProfile(asked)}. Other texts stored there keep their chunks.`,
    ];
  if (!stated) return [];
  return [
    `Chunked by ${describeProfile(asked)}, for this text only; \`${name}\` is chunked by ${describeProfile(stated)}.`,
  ];
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
