// What an ingest of files would cost, from the files themselves: they are read and chunked as an ingest would, and
// nothing is sent or written. Tokens are estimated high, so that the bill is not higher than what is shown here.

import { BLOCK_PROFILE } from '../../domain/chunk.ts';
import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { findFiles, type Found } from '../index/find-files.ts';
import { isCurrent, type Wanted } from '../index/plan.ts';
import { assemble } from '../index/prepare.ts';
import { modelStamp } from '../index/target.ts';
import { openDatabase, writableCollection } from '../scope.ts';
import { sha256 } from '../text/analyse.ts';

export interface PathEstimateRequest {
  /** Files and folders of this machine; never from a client. */
  paths: string[];
  db?: string;
  collection?: string;
  model?: string;
  include?: string[];
  exclude?: string[];
}

export interface PathEstimate {
  collection: string;
  model: string;
  pricePerMToken: number;
  files: number;
  /** Stored already with the same bytes: they cost nothing. */
  unchanged: number;
  skipped: { reason: string; count: number; examples: string[] }[];
  failures: { path: string; message: string }[];
  failuresTotal: number;
  bytes: number;
  chunks: number;
  tokens: number;
  requests: number;
  cost: number;
  seconds: number;
  warnings: string[];
}

const MAX_FAILURES = 20;
const TEXTS_PER_REQUEST = 128;
/** Share of a request's token limit the client fills. */
const FILL = 0.8;
const UNLISTED_BATCH_TOKENS = 120_000;
/** Tier 1 of the vendor for its largest models; the slower limit decides. */
const TOKENS_PER_MINUTE = 3_000_000;
const SECONDS_PER_REQUEST = 1;
const IN_FLIGHT = 2;
/** Chunking and writing on this machine, measured on a small one. */
const CHUNKS_PER_SECOND = 2_000;

export async function estimatePath(
  deps: EngineDeps,
  call: Call,
  request: PathEstimateRequest,
): Promise<PathEstimate> {
  const collection = writableCollection(deps, call, request.collection);
  const store = await openDatabase(deps, call, request.db).catch(unlessMissing);
  const existing = await store?.collections.get(collection);
  const stamp = existing?.embedding;
  const model = request.model ?? stamp?.model ?? deps.settings.model ?? deps.models.defaults().embedding;
  const info = deps.models.info(model);
  const result: PathEstimate = {
    collection,
    model,
    pricePerMToken: info?.pricePerMToken ?? 0,
    ...{ files: 0, unchanged: 0, bytes: 0, chunks: 0, tokens: 0, requests: 0, cost: 0, seconds: 0 },
    ...{ skipped: [], failures: [], failuresTotal: 0 },
    warnings: info || !deps.models.traits(model).hosted ? [] : [`vai does not know the price of ${model}.`],
  };
  const { found, skipped } = await findFiles(deps, call, request);
  // A model that is not on this machine now is taken to be the same.
  const revision = (stamp && deps.models.traits(stamp.model).revision) ?? stamp?.revision;
  const wanted: Wanted = {
    chunking: (before) => before?.chunking ?? existing?.chunking ?? BLOCK_PROFILE,
    ...(stamp ? { model: modelStamp({ ...stamp, revision }) } : {}),
  };
  result.skipped = skipped;
  for (const [at, file] of found.entries()) {
    throwIfAborted(call.signal);
    try {
      await addFile({ deps, call, store, collection, wanted, result }, file);
    } catch (thrown) {
      result.failuresTotal += 1;
      if (result.failures.length < MAX_FAILURES)
        result.failures.push({ path: file.path, message: toVaiError(thrown).message });
    }
    call.progress?.({ done: at + 1, total: found.length, message: file.path });
  }
  return { ...result, ...sums(result, deps.models.traits(model).hosted, info?.batchTokens) };
}

function unlessMissing(thrown: unknown): undefined {
  if (thrown instanceof VaiError && thrown.code === 'DATABASE_NOT_FOUND') return undefined;
  throw thrown;
}

interface Work {
  deps: EngineDeps;
  call: Call;
  /** None when the database does not exist yet. */
  store: Store | undefined;
  collection: string;
  wanted: Wanted;
  result: PathEstimate;
}

async function addFile(work: Work, found: Found): Promise<void> {
  const { deps, call, store, collection, wanted, result } = work;
  const bytes = await deps.files.bytes(found.file, found.root ? { root: found.root } : {});
  const before = await store?.documents.get(collection, found.path);
  if (before?.rawSha256 === sha256(bytes) && isCurrent(before, wanted)) {
    result.unchanged += 1;
    return;
  }
  const profile = wanted.chunking(before?.indexedWith);
  const { read, analysis } = await deps.worker.read({ name: found.path, bytes, profile }, call);
  const fetchedAt = deps.now().toISOString();
  const { write, texts } = assemble({ collection, path: found.path, read, fetchedAt, profile }, analysis);
  result.files += 1;
  result.bytes += bytes.length;
  result.chunks += write.chunks.length;
  for (const text of texts) result.tokens += estimateTokens(text);
}

function sums(
  result: PathEstimate,
  hosted: boolean,
  batchTokens = UNLISTED_BATCH_TOKENS,
): Pick<PathEstimate, 'requests' | 'cost' | 'seconds'> {
  const local = result.chunks / CHUNKS_PER_SECOND;
  if (!hosted) return { requests: 0, cost: 0, seconds: Math.ceil(local) };
  const requests = Math.ceil(
    Math.max(result.chunks / TEXTS_PER_REQUEST, result.tokens / (batchTokens * FILL)),
  );
  const remote = Math.max(
    (requests * SECONDS_PER_REQUEST) / IN_FLIGHT,
    (result.tokens / TOKENS_PER_MINUTE) * 60,
  );
  const cost = (result.tokens / 1e6) * result.pricePerMToken;
  return { requests, cost: Math.round(cost * 1e6) / 1e6, seconds: Math.ceil(local + remote) };
}
