// Ingest of one text under a source name: what `vai_ingest` does. Ingesting the same source again replaces its earlier
// text.

import { plural } from '../../domain/text.ts';
import { INGEST_PROFILE, type ChunkProfile } from '../../domain/chunk.ts';
import { appendedPath, type DocumentInfo, type Metadata } from '../../domain/document.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { unknownModel } from '../models.ts';
import { openDatabase, writableCollection } from '../scope.ts';
import { sha256 } from '../text/analyse.ts';
import { embeddingFor } from './embed.ts';
import { checkMetadata } from './metadata.ts';
import { isCurrent, wantedOf } from './plan.ts';
import { prepareDocument } from './prepare.ts';
import { describeProfile, NO_MODEL, openTarget, sameProfile, undoTarget, type Target } from './target.ts';
import type { IngestTextRequest, IngestTextResult } from './types.ts';
import { writeDocument } from './write.ts';

const MAX_INGEST_TEXT = 2_000_000;
const MAX_SOURCE = 1024;
/** Of one call, so that no caller fills the store with a text of headings. */
const MAX_CALL_CHUNKS = 50_000;

/** Longer than the paths that people write. */
const MAX_PATH = 400;
const PATH = /^(?!https?:)(?:(?:file:\/\/|~|\.{1,2}|[a-z]:)?[\\/][^\r\n]*|[^\s\\/]+[\\/]\S*)\.[a-z]\w{0,7}$/i;
const ONLY_A_PATH =
  'The text is only a path: it was stored as it stands, and no file was read. Give the content of the file as the text, or run `vai ingest <file>`.';

export async function ingestText(
  deps: EngineDeps,
  call: Call,
  request: IngestTextRequest,
): Promise<IngestTextResult> {
  const started = performance.now();
  const collection = writableCollection(deps, call, request.collection);
  const text = requireText(request.text);
  const { metadata, warnings } = checkMetadata(request.metadata);
  if (isPath(text)) warnings.push(ONLY_A_PATH);
  const source = checkSource(request.source ?? `inline-${sha256(text).slice(0, 12)}`);
  const store = await openDatabase(deps, call, request.db, 'create');
  const target = await openTarget(deps, store, {
    name: collection,
    caller: call.principal,
    model: request.model,
    dimensions: request.dimensions,
    chunk: request.chunk,
    fallback: { ...INGEST_PROFILE, ...deps.settings.chunk },
  });
  const { embedder } = target;
  const model = embedder?.model ?? NO_MODEL;
  if (model !== NO_MODEL) warnings.push(...unknownModel(deps, model));
  const base = {
    database: store.database,
    collection,
    source,
    model,
    dimensions: embedder?.dimensions ?? 0,
    metadata,
    warnings,
  };
  const { path, before, same } = await findStored({ store, target, request, text, source, metadata });
  if (before && (same || request.onExisting === 'skip')) {
    if (!same) warnings.push(`\`${source}\` already exists and was left unchanged.`);
    const unchanged = {
      chunksCreated: 0,
      inserted: 0,
      unchanged: before.chunks,
      removed: 0,
      replaced: false,
      tokens: 0,
    };
    return { ...base, ...unchanged, path, docId: docId(collection, path), timeMs: elapsed(started) };
  }
  const profile = target.chunking(before?.indexedWith);
  warnings.push(...target.notices, ...keptNotice(target, profile));
  const embedding = embeddingFor(target, call, {
    tolerant: false,
    tell: (message) => call.progress?.({ done: 0, message }),
  });
  const prepared = prepareDocument(deps.worker, call, {
    collection,
    path,
    read: { text, syntax: 'markdown' },
    metadata,
    origin: source,
    fetchedAt: deps.now().toISOString(),
    profile,
    maxChunks: MAX_CALL_CHUNKS,
    replaces: before !== undefined,
  });
  const written = await prepared
    .then((document) => writeDocument({ store, call, embedding }, document))
    .catch(async (thrown: unknown) => {
      await undoTarget(store, target);
      throw thrown;
    });
  const index = await vectorIndex(store, collection);
  if (written.replaced)
    warnings.push(`Replaced the earlier text of \`${source}\` (${plural(written.chunksRemoved, 'chunk')}).`);
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
    tokens: embedding?.tokens ?? 0,
    timeMs: elapsed(started),
  };
}

/** A source that was stored with a chunking of its own keeps it, and the caller is told. */
function keptNotice(target: Target, profile: ChunkProfile): string[] {
  if (target.asked || sameProfile(profile, target.chunking(undefined))) return [];
  return [`Chunked by ${describeProfile(profile)}, as this source was before.`];
}

interface Incoming {
  store: Store;
  target: Target;
  request: IngestTextRequest;
  text: string;
  source: string;
  metadata: Metadata;
}

/** Where the text belongs, and what stands there: whether that is the same already. */
async function findStored(
  incoming: Incoming,
): Promise<{ path: string; before: DocumentInfo | undefined; same: boolean }> {
  const { store, target, request, text, source, metadata } = incoming;
  const hash = sha256(text);
  const look = async (path: string) => {
    const before = await store.documents.get(target.collection.name, path);
    const same =
      before?.sha256 === hash &&
      sameMetadata(before.metadata, metadata) &&
      isCurrent(before, wantedOf(target));
    return { path, before, same };
  };
  const stored = await look(source);
  const beside = stored.before && !stored.same && request.onExisting === 'append';
  return beside ? look(appendedPath(source, hash)) : stored;
}

/** Whether the text can be found by meaning yet; failing to find out must not fail the call after the write. */
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
      `The text has ${clean.length.toLocaleString('en')} characters; the limit is 2,000,000.`,
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

function docId(collection: string, path: string): string {
  return sha256(`${collection}\n${path}`).slice(0, 24);
}

function sameMetadata(a: Metadata, b: Metadata): boolean {
  const canonical = (value: Metadata) =>
    JSON.stringify(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)));
  return canonical(a) === canonical(b);
}

function elapsed(started: number): number {
  return Math.round(performance.now() - started);
}

/** Goes by how it is written: whether such a file exists on this machine is none of the caller's business. */
function isPath(text: string): boolean {
  const given = text.trim();
  return given.length <= MAX_PATH && PATH.test(given);
}
