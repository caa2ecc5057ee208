// Ingest of one text under a source name: what `vai_ingest` does. The same source replaces what it said before.

import { INGEST_PROFILE } from '../../domain/chunk.ts';
import type { DocumentInfo, Metadata, ReadText } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, writableCollection } from '../scope.ts';
import { checkMetadata } from './metadata.ts';
import { sha256 } from './prepare.ts';
import { NO_MODEL, openTarget, undoTarget, type Target } from './target.ts';
import type { IngestTextRequest, IngestTextResult } from './types.ts';
import { asksForCutting, isCutAlike, needsVectors } from './unchanged.ts';
import { writeDocument } from './write.ts';

const MAX_INGEST_TEXT = 2_000_000;
const MAX_SOURCE = 1024;

export async function ingestText(
  deps: EngineDeps,
  call: Call,
  request: IngestTextRequest,
): Promise<IngestTextResult> {
  const started = performance.now();
  const collection = writableCollection(deps, call, request.collection);
  const text = requireText(request.text);
  const { metadata, warnings } = checkMetadata(request.metadata);
  const source = checkSource(request.source ?? `inline-${sha256(text).slice(0, 12)}`);
  const store = await openDatabase(deps, call, request.db, 'create');
  const target = await openTarget(deps, store, {
    name: collection,
    model: request.model,
    dimensions: request.dimensions,
    chunk: { ...deps.settings.chunk, ...definedOnly(request.chunk) },
    profile: { ...INGEST_PROFILE, ...deps.settings.chunk },
  });
  const model = target.embedder?.model ?? NO_MODEL;
  if (model !== NO_MODEL && !deps.models.info(model))
    warnings.push(`vai does not know ${model}: it was sent to the provider unchecked.`);
  const base = {
    database: store.database,
    collection,
    source,
    model,
    dimensions: target.embedder?.dimensions ?? 0,
    metadata,
    warnings,
  };
  const read: ReadText = { text, syntax: 'markdown' };
  const { path, before, same } = await findStored({ store, target, request, read, source, metadata });
  if (before && (same || request.onExisting === 'skip')) {
    if (!same) warnings.push(`\`${source}\` is there already and was left as it is.`);
    const unchanged = {
      chunksCreated: 0,
      inserted: 0,
      unchanged: before.chunks,
      removed: 0,
      replaced: false,
      tokens: 0,
    };
    return {
      ...base,
      ...unchanged,
      path,
      docId: docId(collection, path),
      timeMs: elapsed(started),
    };
  }
  const written = await writeDocument(
    { store, embedder: target.embedder },
    {
      collection,
      path,
      read,
      title: undefined,
      metadata,
      origin: source,
      fetchedAt: deps.now().toISOString(),
      profile: target.profile,
    },
    call,
  ).catch(async (thrown: unknown) => {
    await undoTarget(store, target);
    throw thrown;
  });
  const index = await vectorIndex(store, collection);
  if (written.replaced)
    warnings.push(`Replaced what \`${source}\` said before (${written.chunksRemoved} chunks).`);
  return {
    ...base,
    path,
    docId: docId(collection, path),
    chunksCreated: written.chunks,
    inserted: written.chunks,
    unchanged: 0,
    removed: written.chunksRemoved,
    replaced: written.replaced,
    ...(index ? { index } : {}),
    tokens: written.tokens,
    warnings: [...warnings, ...written.warnings],
    timeMs: elapsed(started),
  };
}

interface Incoming {
  store: Store;
  target: Target;
  request: IngestTextRequest;
  read: ReadText;
  source: string;
  metadata: Metadata;
}

/** Where the text belongs, and what stands there: whether that is the same already. */
async function findStored(
  incoming: Incoming,
): Promise<{ path: string; before: DocumentInfo | undefined; same: boolean }> {
  const { store, target, request, read, source, metadata } = incoming;
  const hash = sha256(read.text);
  const look = async (path: string) => {
    const before = await store.documents.get(target.collection.name, path);
    const same =
      before?.sha256 === hash &&
      sameMetadata(before.metadata, metadata) &&
      !(await needsVectors(store, target, before)) &&
      (!asksForCutting(request.chunk) || (await isCutAlike(store, before, read, target.profile)));
    return { path, before, same };
  };
  const stored = await look(source);
  const beside = stored.before && !stored.same && request.onExisting === 'append';
  return beside ? look(`${source}#${hash.slice(0, 8)}`) : stored;
}

/** Whether the text can be found by meaning already; not knowing it is no reason to fail after writing. */
async function vectorIndex(store: Store, collection: string): Promise<IngestTextResult['index']> {
  const indexes = await store.indexes.list(collection).catch(() => []);
  const vector = indexes.find(({ type }) => type === 'vector');
  return vector && { name: vector.name, status: vector.status };
}

function requireText(text: string): string {
  const clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (clean.trim() === '')
    throw new VaiError('INVALID_INPUT', 'The text is empty.', { hint: 'Send some text to ingest.' });
  if (clean.length > MAX_INGEST_TEXT) {
    throw new VaiError(
      'TOO_LARGE',
      `The text has ${clean.length.toLocaleString('en')} characters; the most is 2,000,000.`,
      {
        hint: 'Split it, or ingest the file with `vai ingest <path>`.',
      },
    );
  }
  return clean;
}

function checkSource(source: string): string {
  const clean = source.trim();
  // eslint-disable-next-line no-control-regex
  if (clean === '' || clean.length > MAX_SOURCE || /[\u0000-\u001f\u007f]/.test(clean)) {
    throw new VaiError('INVALID_INPUT', 'A source has 1 to 1,024 characters and no control characters.');
  }
  return clean;
}

export function docId(collection: string, path: string): string {
  return sha256(`${collection}\n${path}`).slice(0, 24);
}

function sameMetadata(a: Metadata, b: Metadata): boolean {
  const canonical = (value: Metadata) =>
    JSON.stringify(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)));
  return canonical(a) === canonical(b);
}

function definedOnly<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, v]) => v !== undefined)) as Partial<T>;
}

function elapsed(started: number): number {
  return Math.round(performance.now() - started);
}
