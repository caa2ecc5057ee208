// The index run: files and folders of this machine into a collection, for every toolset. Unchanged files are skipped by the
// hash of their bytes; the rest is read, embedded together in groups and written one transaction each. A file under a new
// name takes its document along. Everything that can fail fails alone and is reported; what the toolsets differ in is an
// option.

import { plural } from '../../domain/text.ts';
import { BLOCK_PROFILE } from '../../domain/chunk.ts';
import type { Collection, IngestedFolder } from '../../domain/collection.ts';
import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { allowedDatabase, existingDatabase, openDatabase, writableCollection } from '../scope.ts';
import { sha256 } from '../text/analyse.ts';
import { Budget, cappedEmbedder } from './budget.ts';
import { embeddingFor } from './embed.ts';
import { findFiles, type Found, type FoundFiles } from './find-files.ts';
import { likeness } from './likeness.ts';
import { withRunLock, type RunLock } from './lock.ts';
import { folderStamp } from './origin.ts';
import {
  isCurrent,
  makePlan,
  wantedOf,
  type Plan,
  type PlanOptions,
  type Stored,
  type Wanted,
} from './plan.ts';
import { assemble, type Prepared } from './prepare.ts';
import { addFailure, emptyReport, noticeLines, type FileNotice } from './report.ts';
import { NO_MODEL, openTarget, undoTarget, type Target } from './target.ts';
import type { Annotator, IndexFailure, IndexFilesRequest, IndexReport } from './types.ts';
import { writeDocuments, type Writing } from './write.ts';

/** Texts are embedded together up to about this many characters, so that a hosted model sees full batches. */
const GROUP_CHARACTERS = 1_000_000;
/** Read before their turn; bounds the texts in memory. */
const AHEAD_BYTES = 4_000_000;
const AHEAD_FILES = 500;

export interface RunOptions extends PlanOptions {
  /** Where a document comes from, when that is not its path. */
  origin?: (path: string) => string | undefined;
  /** Another model than the collection's replaces its vectors. */
  remodel?: boolean;
  annotator?: Annotator;
  /** Held by the caller already. */
  lock?: RunLock;
  /** What is left to do before the run counts as complete; what it gives becomes part of the collection's record. */
  complete?: (report: IndexReport, target: Target) => Promise<Partial<Collection>>;
}

export async function indexFiles(
  deps: EngineDeps,
  call: Call,
  request: IndexFilesRequest,
  options: RunOptions = {},
): Promise<IndexReport> {
  const started = performance.now();
  const collection = writableCollection(deps, call, request.collection);
  const ingested = await ingestedFrom(deps, call, { db: request.db, collection });
  // Who names all folders of a collection names their documents, too.
  const whole = options.owned === true || options.former !== undefined;
  const files = await findFiles(deps, call, request, whole ? [] : ingested);
  const store = await openDatabase(deps, call, request.db, 'create');
  const work = { store, collection, files, request, options: { ingested, ...options } };
  const run = (lock: RunLock) => indexFound(deps, call, { ...work, lock });
  const report = await (options.lock ? run(options.lock) : withRunLock(store, collection, run));
  report.durationMs = Math.round(performance.now() - started);
  return report;
}

/** Nothing is made to learn it: the paths may turn out to be wrong. */
async function ingestedFrom(
  deps: EngineDeps,
  call: Call,
  { db, collection }: { db: string | undefined; collection: string },
): Promise<readonly IngestedFolder[]> {
  const store = await existingDatabase(deps, allowedDatabase(deps, call, db));
  return (await store?.collections.get(collection))?.folders ?? [];
}

interface Work {
  store: Store;
  collection: string;
  files: FoundFiles;
  request: IndexFilesRequest;
  options: RunOptions;
  lock: RunLock;
}

async function indexFound(deps: EngineDeps, call: Call, work: Work): Promise<IndexReport> {
  const { store, collection, files, request, options } = work;
  const plan = await makePlan(store, collection, files, options);
  refuseEmpty(work, plan);
  let budget: Budget | undefined;
  const target = await openTarget(deps, store, {
    name: collection,
    caller: call.principal,
    model: request.model,
    dimensions: request.dimensions,
    remodel: options.remodel,
    meter: (embedder) => {
      const price = deps.models.info(embedder.model)?.pricePerMToken ?? 0;
      const spending = (budget = new Budget(price, request.maxCost));
      return cappedEmbedder(embedder, (tokens) => spending.reserve(tokens));
    },
    chunk: request.chunk,
    states: files.folders.length > 0,
    onlyNamed: request.onlyNamed,
    fallback: BLOCK_PROFILE,
    run: { startedAt: deps.now().toISOString(), files: files.found.length },
  });
  const report = emptyReport({
    database: store.database,
    collection,
    model: target.embedder?.model ?? NO_MODEL,
  });
  report.warnings.push(...target.notices);
  report.run.skipped = files.skipped;
  const run = openRun(deps, call, { ...work, plan, target, report });
  try {
    await indexAll(run);
    if (request.sync) await removeMissing(run);
    else tellGone(run);
    await store.optimize?.();
    report.cost = budget?.spent ?? 0;
    await close(run);
    // Nothing could be read of the files that were found.
    if (!options.complete) await undoTarget(store, target);
  } catch (thrown) {
    await undoTarget(store, target);
    throw thrown;
  }
  return report;
}

/**
 * An unmounted disk or a wrong ignore rule must not empty an index, and a folder without a file makes none. Who completes
 * a run keeps its collection without documents too.
 */
function refuseEmpty({ files: { found, skipped }, request, options }: Work, { missing }: Plan): void {
  if (found.length > 0) return;
  if (missing.size === 0 && !options.complete)
    throw new VaiError('DOCS_EMPTY', `${request.paths.join(', ')}: no readable file.`, {
      hint:
        skipped.length === 0
          ? 'Nothing is in there.'
          : `Passed over: ${skipped.map(({ reason, count, examples }) => `${count} ${reason} (${examples[0]})`).join(', ')}.`,
    });
  if (missing.size > 0 && request.sync && !request.force && !options.keep?.size)
    throw new VaiError(
      'DOCS_EMPTY',
      `The folder contains no readable file, but ${plural(missing.size, 'document')} of it ${missing.size === 1 ? 'is' : 'are'} indexed.`,
      { hint: 'Check the folder and its ignore rules, or run again with force to empty the index.' },
    );
}

interface Run extends Work {
  deps: EngineDeps;
  call: Call;
  plan: Plan;
  wanted: Wanted;
  target: Target;
  report: IndexReport;
  writing: Writing;
  /** Which document of those whose files are gone a new text is most like. */
  likest: (text: string) => Promise<string | undefined>;
  /** Files gone through, for progress that never goes backwards. */
  done: number;
  /** Paths of files that had another name before. */
  renamed: Set<string>;
  /** Documents of another folder that were replaced by a file with the same path. */
  displaced: string[];
  notices: FileNotice[];
}

function openRun(deps: EngineDeps, call: Call, opened: Work & Pick<Run, 'plan' | 'target' | 'report'>): Run {
  const { store, target, report, options, plan } = opened;
  const run: Run = {
    ...opened,
    deps,
    call,
    wanted: wantedOf(target, options.annotator),
    likest: likeness(store, target.collection.name, () => plan.gone()),
    done: 0,
    renamed: new Set(),
    displaced: [],
    notices: [],
    writing: {
      store,
      call,
      annotator: options.annotator,
      calls: report.calls,
      fail: (failure) => addFailure(report, failure),
      embedding: embeddingFor(target, call, {
        tolerant: true,
        calls: report.calls,
        tell: (message) => tell(run, message),
      }),
    },
  };
  return run;
}

function tell({ call, done, files }: Run, message: string): void {
  call.progress?.({ done, total: files.found.length, message });
}

/** Files are read ahead, so that the worker keeps busy while this process writes. */
async function indexAll(run: Run): Promise<void> {
  const { call, files, lock } = run;
  const ahead: { file: Found; document: Promise<Prepared | undefined> }[] = [];
  let bytes = 0;
  let group: Prepared[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    await writeGroup(run, group);
    group = [];
    characters = 0;
    lock.info = `${run.done} of ${files.found.length} documents`;
  };
  const next = async (): Promise<void> => {
    const { file, document } = ahead.shift()!;
    bytes -= file.bytes;
    const prepared = await document.catch((thrown: unknown) => failFile(run, file.path, thrown));
    throwIfAborted(call.signal);
    if (prepared) {
      group.push(prepared);
      characters += prepared.write.text.length;
      if (characters >= GROUP_CHARACTERS) await flush();
    }
    run.done += 1;
    tell(run, file.path);
  };
  for (const file of files.found) {
    const document = readFile(run, file);
    // Awaited in its turn, or never if the run ends before.
    document.catch(() => undefined);
    ahead.push({ file, document });
    bytes += file.bytes;
    while (bytes > AHEAD_BYTES || ahead.length > AHEAD_FILES) await next();
  }
  while (ahead.length > 0) await next();
  await flush();
}

/** The document to write; nothing when the file is what is stored already. */
async function readFile(run: Run, found: Found): Promise<Prepared | undefined> {
  const { deps, call, target, report, request, options, plan } = run;
  const { path, root } = found;
  const bytes = await deps.files.bytes(found.file, {
    ...(root ? { root } : {}),
    ...(request.maxBytes ? { maxBytes: request.maxBytes } : {}),
  });
  const rawSha256 = sha256(bytes);
  let before: Stored | undefined = plan.known.get(path);
  const moved = before ? undefined : plan.movedFrom(found.file, rawSha256);
  if (moved) before = await rename(run, moved, path);
  const origin = options.origin?.(path) ?? path;
  // Of a file under a new name it is still the old one: what the name gave it (title, words) is made again.
  const same = before?.rawSha256 === rawSha256 && before.origin === origin;
  if (same && !request.force && isCurrent(before!, run.wanted)) {
    report.run.unchanged += 1;
    return undefined;
  }
  const folder = folderStamp(found.home);
  const other = moved ? undefined : before?.indexedWith?.folder;
  if (other !== undefined && other !== folder && !options.owned && before?.rawSha256 !== rawSha256)
    run.displaced.push(path);
  const profile = target.chunking(before?.indexedWith);
  const { read, analysis } = await deps.worker.read({ name: path, bytes, profile }, call);
  const likest = before ? undefined : await run.likest(read.text);
  const edited = likest === undefined ? undefined : plan.missing.get(likest);
  if (edited) before = await rename(run, edited, path);
  for (const notice of read.notices ?? []) run.notices.push({ path, notice });
  report.run.bytes += bytes.length;
  const input = {
    collection: target.collection.name,
    path,
    read,
    rawSha256,
    bytes: bytes.length,
    origin,
    fetchedAt: deps.now().toISOString(),
    profile,
    replaces: before !== undefined,
    folder,
  };
  return assemble(input, analysis);
}

/** Nobody else takes it for theirs from now on. */
async function rename({ plan, renamed, store, target }: Run, from: Stored, to: string): Promise<Stored> {
  plan.missing.delete(from.path);
  renamed.add(to);
  await store.documents.move(target.collection.name, from.path, to);
  return from;
}

/** Documents that fail together are tried by halves, so that a bad one costs only itself. */
async function writeGroup(run: Run, documents: readonly Prepared[]): Promise<void> {
  const { report, renamed, writing } = run;
  if (documents.length === 0) return;
  try {
    const outcomes = await writeDocuments(writing, documents);
    for (const [at, outcome] of outcomes.entries()) {
      const { path } = documents[at]!.write.info;
      if (outcome instanceof Error) {
        failFile(run, path, outcome, 'write');
        continue;
      }
      report.run[renamed.has(path) ? 'renamed' : outcome.replaced ? 'changed' : 'added'] += 1;
      report.run.chunks += outcome.chunks;
      if (outcome.partial) report.run.partial += 1;
    }
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.ends !== 'item') throw error;
    if (documents.length === 1) return failFile(run, documents[0]!.write.info.path, error, 'write');
    const half = documents.length >> 1;
    await writeGroup(run, documents.slice(0, half));
    await writeGroup(run, documents.slice(half));
  }
}

/** A file that exists and could not be read or stored keeps its document: it is never taken for deleted. */
function failFile(run: Run, path: string, thrown: unknown, stage: IndexFailure['stage'] = 'read'): undefined {
  const { code, message, ends } = toVaiError(thrown);
  if (ends !== 'item') throw thrown;
  run.report.run.failed += 1;
  addFailure(run.report, { path, startLine: 1, endLine: 1, stage, code, message });
}

function isWhole({ skipped }: FoundFiles): boolean {
  return !skipped.some(({ reason }) => reason === 'unreadable' || reason.startsWith('beyond'));
}

async function removeMissing({ plan, store, target, report, files, call }: Run): Promise<void> {
  if (!isWhole(files)) {
    report.warnings.push('Nothing was removed, because part of the folder could not be read.');
    return;
  }
  for (const path of plan.surplus()) {
    throwIfAborted(call.signal);
    if (await store.documents.remove(target.collection.name, path)) report.run.deleted += 1;
  }
}

function tellGone({ plan, report, files }: Run): void {
  const gone = isWhole(files) ? plan.gone() : [];
  if (gone.length > 0)
    report.warnings.push(
      `Gone from disk and still found: ${plural(gone.length, 'document')}, for example ${gone[0]}. Ingest with --sync to remove what is gone.`,
    );
}

/** Folders that a record names: enough for every folder of a project, and not for every file of a disk. */
const MAX_FOLDERS = 200;

function ingestedNow(
  { files: { homes }, options }: Run,
  before: readonly IngestedFolder[] = [],
): IngestedFolder[] {
  const isOther = (one: IngestedFolder): boolean =>
    !homes.some(({ root, prefix, some }) => root === one.root && prefix === one.prefix && some === one.some);
  return [...(options.former ? [] : before.filter(isOther)), ...homes].slice(-MAX_FOLDERS);
}

/** Counts the documents and records that the run has ended. */
async function close(run: Run): Promise<void> {
  const { deps, store, target, report, options, displaced } = run;
  const { name } = target.collection;
  report.warnings.push(...noticeLines(run.notices));
  if (displaced.length > 0)
    report.warnings.push(
      `${plural(displaced.length, 'document')} of another folder had the same path and ${displaced.length === 1 ? 'was' : 'were'} replaced, for example ${displaced[0]}. To keep both, ingest the folders in one call, or each into a collection of its own.`,
    );
  const counted = await store.collections.get(name);
  const { documents = 0, chunks = 0, vectors = 0 } = counted?.stats ?? {};
  const { entities, relations } = await store.graph.counts([name]);
  report.totals = { documents, chunks, entities, relations, vectors };
  const completed = await options.complete?.(report, target);
  await store.collections.change(name, (before) => {
    if (!before) return undefined;
    const { run: _ended, ...record } = before;
    return {
      ...record,
      ...(options.owned ? {} : { folders: ingestedNow(run, record.folders) }),
      ...completed,
      extra: { ...record.extra, ...completed?.extra },
      updatedAt: deps.now().toISOString(),
    };
  });
}
