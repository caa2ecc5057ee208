// Ingest of files and folders of this machine. Unchanged files are skipped by the hash of their bytes; the rest are
// embedded together in groups and written one transaction each; one bad file never stops the others.

import { BLOCK_PROFILE } from '../../domain/chunk.ts';
import type { DocumentInfo } from '../../domain/document.ts';
import { throwIfAborted, toVaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { openDatabase, writableCollection } from '../scope.ts';
import { Budget, cappedEmbedder } from './budget.ts';
import { findFiles, type Found, type FoundFiles } from './find-files.ts';
import { sha256 } from './prepare.ts';
import { NO_MODEL, openTarget, undoTarget, type Target } from './target.ts';
import { createPreparer, type Preparer } from './thread/preparer.ts';
import type { DocumentInput, IngestFilesRequest, IngestFilesResult } from './types.ts';
import { asksForCutting, isCutAlike, needsVectors } from './unchanged.ts';
import { writeDocuments } from './write.ts';

/** Texts are embedded together up to about this many characters, so that a hosted model sees full batches. */
const GROUP_CHARACTERS = 1_000_000;
/** Without vectors there is only the writing to share, and larger transactions make it cheaper. */
const WORDS_GROUP_CHARACTERS = 2_000_000;
/** Groups that are prepared while another is written; bounds the texts in memory. */
const GROUPS_AHEAD = 2;
const MAX_FAILURES = 20;

export async function ingestFiles(
  deps: EngineDeps,
  call: Call,
  request: IngestFilesRequest,
): Promise<IngestFilesResult> {
  const started = performance.now();
  const collection = writableCollection(deps, call, request.collection);
  const files = await findFiles(deps, call, request);
  const store = await openDatabase(deps, call, request.db, 'create');
  let budget = new Budget(0, request.maxCost);
  const target = await openTarget(deps, store, {
    name: collection,
    model: request.model,
    dimensions: request.dimensions,
    chunk: request.chunk,
    profile: BLOCK_PROFILE,
    meter: (embedder) => {
      budget = new Budget(deps.models.info(embedder.model)?.pricePerMToken ?? 0, request.maxCost);
      return cappedEmbedder(embedder, budget);
    },
  });
  const result: IngestFilesResult = {
    database: store.database,
    collection,
    model: target.embedder?.model ?? NO_MODEL,
    ...{
      added: 0,
      changed: 0,
      unchanged: 0,
      removed: 0,
      chunks: 0,
      embedded: 0,
      tokens: 0,
      cost: 0,
      bytes: 0,
    },
    ...{ skipped: files.skipped, failures: [], failuresTotal: 0, timeMs: 0, warnings: [] },
  };
  // Everything is new to a new collection; in an old one it turns out while reading.
  const preparer = createPreparer(target.created ? { expected: files.found.map(({ bytes }) => bytes) } : {});
  const job = { deps, call, store, target, request, result, preparer };
  await ingestAll(job, files.found)
    .catch(async (thrown: unknown) => {
      await undoTarget(store, target);
      throw thrown;
    })
    .finally(() => preparer.close());
  if (request.sync) result.removed = await removeMissing(job, files);
  await store.optimize?.();
  result.cost = budget.spent;
  result.timeMs = Math.round(performance.now() - started);
  return result;
}

interface Job {
  deps: EngineDeps;
  call: Call;
  store: Store;
  target: Target;
  request: IngestFilesRequest;
  result: IngestFilesResult;
  preparer: Preparer;
}

/** Some groups are read and handed to the preparer before the first of them is written. */
async function ingestAll(job: Job, found: readonly Found[]): Promise<void> {
  const ahead: DocumentInput[][] = [];
  let group: DocumentInput[] = [];
  let characters = 0;
  let done = 0;
  const full = job.target.embedder ? GROUP_CHARACTERS : WORDS_GROUP_CHARACTERS;
  // The first are short, so that the writing begins soon; a model wants more at once.
  let most = job.target.embedder ? full / 4 : full / 16;
  for (const file of found) {
    throwIfAborted(job.call.signal);
    const input = await readFile(job, file).catch((thrown: unknown) => void fail(job, file.path, thrown));
    if (input) {
      job.preparer.begin(input);
      group.push(input);
      characters += input.read.text.length;
    }
    if (characters >= most) {
      ahead.push(group);
      group = [];
      characters = 0;
      most = Math.min(full, most * 4);
      if (ahead.length > GROUPS_AHEAD) await writeGroup(job, ahead.shift()!);
    }
    done += 1;
    job.call.progress?.({ done, total: found.length, message: file.path });
  }
  for (const inputs of [...ahead, group]) await writeGroup(job, inputs);
}

/** The text to write, or nothing when the file is what is stored already. */
async function readFile(job: Job, found: Found): Promise<DocumentInput | undefined> {
  const { deps, store, target, result, request } = job;
  const bytes = await deps.files.bytes(found.file, found.root ? { root: found.root } : {});
  const rawSha256 = sha256(bytes);
  result.bytes += bytes.length;
  const before = target.created ? undefined : await store.documents.get(target.collection.name, found.path);
  const same =
    before?.rawSha256 === rawSha256 && !request.force && !(await needsVectors(store, target, before));
  const recut = asksForCutting(request.chunk);
  if (same && !recut) {
    result.unchanged += 1;
    return undefined;
  }
  const read = await deps.files.read(found.path, bytes);
  if (same && (await isCutAlike(store, before, read, target.profile))) {
    result.unchanged += 1;
    return undefined;
  }
  for (const notice of read.notices ?? []) result.warnings.push(`${found.path}: ${notice}`);
  return {
    collection: target.collection.name,
    path: found.path,
    read,
    rawSha256,
    bytes: bytes.length,
    origin: found.path,
    fetchedAt: deps.now().toISOString(),
    profile: target.profile,
  };
}

async function writeGroup(job: Job, inputs: readonly DocumentInput[]): Promise<void> {
  if (inputs.length === 0) return;
  const { store, target, result, preparer } = job;
  const { embedder } = target;
  try {
    const written = await writeDocuments({ store, embedder, preparer, tolerant: true }, inputs, job.call);
    for (const document of written) {
      result[document.replaced ? 'changed' : 'added'] += 1;
      result.chunks += document.chunks;
      result.embedded += document.embedded;
      result.tokens += document.tokens;
      result.warnings.push(...document.warnings);
    }
  } catch (thrown) {
    const error = toVaiError(thrown);
    if (error.ends !== 'item') throw error;
    if (inputs.length === 1) return fail(job, inputs[0]!.path, error);
    for (const input of inputs) await writeGroup(job, [input]);
  }
}

function fail(job: Job, path: string, thrown: unknown): void {
  const error = toVaiError(thrown);
  if (error.ends !== 'item') throw error;
  job.result.failuresTotal += 1;
  if (job.result.failures.length < MAX_FAILURES)
    job.result.failures.push({ path, code: error.code, message: error.message });
}

/** Only what came from a file of the folders given: a note, or a file named by itself, is nobody's missing file. */
async function removeMissing(job: Job, { found, folders, skipped }: FoundFiles): Promise<number> {
  if (skipped.some(({ reason }) => reason === 'unreadable' || reason.startsWith('beyond'))) {
    job.result.warnings.push('Nothing was removed, because some of the folder could not be read.');
    return 0;
  }
  const there = new Set(found.map((file) => file.path));
  const isGone = ({ path, rawSha256 }: DocumentInfo): boolean =>
    rawSha256 !== undefined && !there.has(path) && folders.some((folder) => path.startsWith(folder));
  const gone: string[] = [];
  let after: string | undefined;
  do {
    const page = await job.store.documents.list(job.target.collection.name, {
      limit: 1000,
      ...(after ? { after } : {}),
    });
    gone.push(...page.documents.filter(isGone).map(({ path }) => path));
    after = page.next;
  } while (after);
  for (const path of gone) await job.store.documents.remove(job.target.collection.name, path);
  return gone.length;
}
