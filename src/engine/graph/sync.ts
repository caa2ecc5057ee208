// The index run: the collection becomes what the folder is. Unchanged files are skipped by hash, edited ones replaced,
// renamed ones moved, deleted ones removed; everything that can fail fails alone and is reported.

import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { BLOCK_PROFILE } from '../../domain/chunk.ts';
import type { Collection } from '../../domain/collection.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Extractor } from '../../ports/extractor.ts';
import type { Scan } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import { requireCollection, requireScope, type Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { cachedEmbedder } from '../index/cached-embedder.ts';
import { sha256 } from '../index/prepare.ts';
import type { DocumentInput } from '../index/types.ts';
import { openDatabase } from '../scope.ts';
import { holdLock, type Held } from './lock.ts';
import { nameAll } from './naming.ts';
import { addFailure, emptyReport } from './report.ts';
import { configChanges, documentFingerprint, metaRecord, readMeta, writeMetaFile } from './meta.ts';
import { STAMP, stampOf, writeGroup, type Run } from './write-group.ts';
import { embedderModel, type GraphSettings } from './settings.ts';
import type { IndexReport } from './types.ts';

const GROUP_CHARACTERS = 300_000;
const FORMATS = new Set(
  '.md .mdx .txt .rst .adoc .html .htm .json .yaml .yml .xml .csv .tsv .log'.split(' '),
);

export async function syncFolder(
  deps: EngineDeps,
  settings: GraphSettings,
  call: Call,
  force: boolean,
): Promise<IndexReport> {
  const started = performance.now();
  requireScope(call.principal, 'write');
  const { docs, collection: name } = await folderOf(settings);
  requireCollection(call.principal, name);
  const store = await openDatabase(deps, call, settings.db, 'create');
  const lock = await holdLock(store, name, deps.now);
  try {
    const run = await openRun(deps, settings, { store, call, name });
    run.report.warnings.push(...settings.warnings);
    await syncAll(run, { docs, force, lock });
    await nameAll(
      store,
      { collection: name, warnings: run.report.warnings },
      { signal: call.signal, progress: ({ message }) => call.progress?.({ done: run.done, message }) },
    );
    return await finish(run, started);
  } finally {
    await lock.release();
  }
}

async function folderOf(settings: GraphSettings): Promise<{ docs: string; collection: string }> {
  if (settings.docs === undefined || settings.collection === undefined) {
    throw new VaiError('CONFIG_MISSING', 'No folder of documents is configured.', {
      hint: 'Set `docs` in flowrag.config.json or start with --docs <folder>.',
    });
  }
  const info = await stat(settings.docs).catch(() => undefined);
  if (!info?.isDirectory()) {
    throw new VaiError('DOCS_NOT_FOUND', 'The configured folder of documents does not exist.', {
      hint: 'Check `docs` in flowrag.config.json (it is relative to that file) or the --docs flag.',
    });
  }
  return { docs: settings.docs, collection: settings.collection };
}

/** Opens models and the collection. Another embedder than before empties the vectors: two spaces never mix. */
async function openRun(
  deps: EngineDeps,
  settings: GraphSettings,
  place: { store: Store; call: Call; name: string },
): Promise<Run> {
  const { store, call, name } = place;
  const embedder = await deps.models.embedder(embedderModel(settings), settings.embedder.dimensions);
  const extractor = await deps.models.extractor(settings.extractor.provider, settings.extractor.model);
  const existing = await store.collections.get(name);
  const now = deps.now().toISOString();
  const { stats: _stats, ...record } = existing ?? { stats: undefined, name, createdAt: now };
  const collection: Collection = {
    ...record,
    chunking: existing?.chunking ?? BLOCK_PROFILE,
    embedding: { model: embedder.model, dimensions: embedder.dimensions },
    source: {
      kind: 'folder',
      location: settings.docs!,
      fetchedAt: now,
      changedAt: existing?.source?.changedAt ?? now,
    },
    updatedAt: now,
  };
  const changes = configChanges(settings, readMeta(existing), embedder.dimensions);
  await store.collections.put(collection);
  return {
    deps,
    settings,
    store,
    call,
    collection,
    embedder: embedder.hosted ? cachedEmbedder(embedder, store.cache) : embedder,
    extractor,
    fingerprint: documentFingerprint({ settings, embedder, profile: collection.chunking }),
    unreadable: new Set(),
    done: 0,
    report: emptyReport(
      store.database,
      name,
      changes.map((change) => change.message),
    ),
  };
}

async function syncAll(
  run: Run,
  { docs, force, lock }: { docs: string; force: boolean; lock: Held },
): Promise<void> {
  const { deps, call, report } = run;
  const scan = readable(await deps.files.scan(docs, scanOptions(run)));
  report.run.skipped = scan.skipped.map(({ reason, count }) => ({ reason, count }));
  const known = await knownDocuments(run.store, run.collection.name);
  if (scan.files.length === 0 && known.size > 0 && !force) {
    throw new VaiError(
      'DOCS_EMPTY',
      `The folder holds no readable file, but the index holds ${known.size} documents.`,
      {
        hint: 'Check the folder and its ignore rules, or call again with force: true to empty the index.',
      },
    );
  }
  const there = new Set(scan.files.map((file) => file.path));
  const missing = new Map([...known].filter(([path]) => !there.has(path)));
  const byHash = new Map(
    [...missing.values()].flatMap((info) =>
      info.rawSha256 ? [[info.rawSha256 + extname(info.path), info.path] as const] : [],
    ),
  );
  let group: DocumentInput[] = [];
  let characters = 0;
  let done = 0;
  const flush = async () => {
    const inputs = group;
    group = [];
    characters = 0;
    if (inputs.length > 0) await writeGroup(run, inputs);
    await lock.renew(done, scan.files.length);
  };
  for (const file of scan.files) {
    throwIfAborted(call.signal);
    const input = await readFile(run, { docs, path: file.path, force, known, missing, byHash });
    if (input) {
      group.push(input);
      characters += input.read.text.length;
      if (characters >= GROUP_CHARACTERS) await flush();
    }
    done += 1;
    run.done = done;
    call.progress?.({ done, total: scan.files.length, message: file.path });
  }
  await flush();
  for (const path of missing.keys()) {
    throwIfAborted(call.signal);
    if (run.unreadable.has(path)) continue;
    if (await run.store.documents.remove(run.collection.name, path)) report.run.deleted += 1;
  }
}

function scanOptions({ settings, call }: Run) {
  return {
    ...(settings.include ? { include: settings.include } : {}),
    ...(settings.exclude ? { exclude: settings.exclude } : {}),
    ...(settings.maxBytes ? { maxBytes: settings.maxBytes } : {}),
    ...(call.signal ? { signal: call.signal } : {}),
  };
}

/** Source code and other formats are not what a graph of documents is read from. */
function readable(scan: Scan): Scan {
  const files = scan.files.filter((file) => FORMATS.has(extname(file.path).toLowerCase()));
  const left = scan.files.length - files.length;
  return left === 0
    ? scan
    : { files, skipped: [...scan.skipped, { reason: 'other format', count: left, examples: [] }] };
}

async function knownDocuments(store: Store, collection: string): Promise<Map<string, DocumentInfo>> {
  const known = new Map<string, DocumentInfo>();
  let after: string | undefined;
  do {
    const page = await store.documents.list(collection, { limit: 1000, ...(after ? { after } : {}) });
    for (const document of page.documents) known.set(document.path, document);
    after = page.next;
  } while (after);
  return known;
}

interface FileJob {
  docs: string;
  path: string;
  force: boolean;
  known: Map<string, DocumentInfo>;
  missing: Map<string, DocumentInfo>;
  byHash: ReadonlyMap<string, string>;
}

/** The text to write; nothing when the file is as it was, only moved, or cannot be read. */
async function readFile(run: Run, job: FileJob): Promise<DocumentInput | undefined> {
  const { deps, report, collection } = run;
  try {
    const bytes = await deps.files.bytes(resolve(job.docs, job.path), {
      root: job.docs,
      ...(run.settings.maxBytes ? { maxBytes: run.settings.maxBytes } : {}),
    });
    const rawSha256 = sha256(bytes);
    const before = await findBefore(run, job, rawSha256);
    if (
      before &&
      !job.force &&
      before.rawSha256 === rawSha256 &&
      !before.partial &&
      stampOf(before)?.fingerprint === run.fingerprint
    ) {
      if (before.path === job.path) report.run.unchanged += 1;
      return undefined;
    }
    const read = await deps.files.read(job.path, bytes);
    for (const notice of read.notices ?? []) report.warnings.push(`${job.path}: ${notice}`);
    return {
      collection: collection.name,
      path: job.path,
      read,
      rawSha256,
      bytes: bytes.length,
      origin: job.path,
      fetchedAt: deps.now().toISOString(),
      profile: collection.chunking,
      metadata: { [STAMP]: `${run.fingerprint} ${extractorId(run.extractor)}` },
    };
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.ends !== 'item') throw error;
    run.unreadable.add(job.path);
    report.run.failed += 1;
    addFailure(report, {
      path: job.path,
      startLine: 1,
      endLine: 1,
      stage: 'read',
      code: error.code,
      message: error.message,
    });
    return undefined;
  }
}

/** The document stored for this file; a missing one with the same bytes is this file under its old name. */
async function findBefore(run: Run, job: FileJob, rawSha256: string): Promise<DocumentInfo | undefined> {
  const before = job.known.get(job.path);
  if (before) return before;
  const from = job.byHash.get(rawSha256 + extname(job.path));
  const moved = from === undefined ? undefined : job.missing.get(from);
  if (from === undefined || !moved) return undefined;
  await run.store.documents.move(run.collection.name, from, job.path);
  job.missing.delete(from);
  const fresh = !job.force && !moved.partial && stampOf(moved)?.fingerprint === run.fingerprint;
  if (fresh) run.report.run.renamed += 1;
  return { ...moved, path: fresh ? from : job.path };
}

export function extractorId(extractor: Pick<Extractor, 'provider' | 'model' | 'version'>): string {
  return `${extractor.provider}/${extractor.model}/${extractor.version}`;
}

async function finish(run: Run, started: number): Promise<IndexReport> {
  const { store, report, settings, extractor, deps } = run;
  const view = await store.collections.get(run.collection.name);
  const counts = await store.graph.counts([run.collection.name]);
  const stats = view?.stats;
  report.totals = {
    documents: stats?.documents ?? 0,
    chunks: stats?.chunks ?? 0,
    entities: counts.entities,
    relations: counts.relations,
    vectors: stats?.vectors ?? 0,
  };
  const embedder: Pick<Embedder, 'model' | 'dimensions'> = run.embedder;
  const at = deps.now().toISOString();
  const meta = metaRecord(
    { settings, embedder, extractor, profile: run.collection.chunking },
    at,
    report.totals.documents,
  );
  await store.collections.put({
    ...run.collection,
    extra: { ...run.collection.extra, flowrag: meta },
    updatedAt: at,
  });
  if (settings.data !== undefined) {
    await writeMetaFile(settings.data, meta).catch(() =>
      report.warnings.push('flowrag.meta.json could not be written; the database holds the same record.'),
    );
  }
  report.durationMs = Math.round(performance.now() - started);
  return report;
}
