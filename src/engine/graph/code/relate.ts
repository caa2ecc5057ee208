// The code of a collection as entities and relations, brought in step with its files. What each file defines and names is
// kept by its hash; names are followed over all files at once, and only files of which something else is stated than
// before are written.

import { hash } from 'node:crypto';
import type { DocumentInfo } from '../../../domain/document.ts';
import { throwIfAborted, toVaiError } from '../../../domain/errors.ts';
import { isCode, type Symbols } from '../../../domain/symbols.ts';
import { graphKey } from '../../../domain/name-key.ts';
import type { Store } from '../../../ports/store.ts';
import type { TextWorker } from '../../../ports/worker.ts';
import type { Call } from '../../call.ts';
import type { IndexFailure } from '../../index/types.ts';
import { distribute, type Contributing } from '../annotate.ts';
import { keptStatements } from '../statements.ts';
import { codeGraph, type CodeStatements } from './graph.ts';
import type { CodeFile } from './names.ts';

/** Changes when the same files would give another graph. */
const VERSION = 'code-4';
const SYMBOLS = 'graph-symbols';
const STATES = 'graph-states';
const MAX_SYMBOLS = 256 * 1024 * 1024;
/** Files that are read at the same time. */
const TOGETHER = 20;
/** Who states it, beside the models of extractors. */
const BY = 'code';

/** Code that tools made, or copied from elsewhere: every definition of it has a better place. Declarations define nothing. */
const MADE =
  /(?:^|\/)(?:dist|build|out|target|vendor|third_party|node_modules|generated)\/|[.-]min\.[cm]?js$|\.d\.[cm]?ts$|\.pb\.go$/i;

export interface RelatingCode {
  store: Store;
  collection: string;
  worker: Pick<TextWorker, 'symbols'>;
  call: Pick<Call, 'signal' | 'progress'>;
  fail: (failure: IndexFailure) => void;
  /** Writes every file again. */
  force?: boolean;
}

/** What was written of each file, and what it was then. */
interface State {
  files: Record<string, { file: string; stated: string }>;
}

export async function relateCode(job: RelatingCode, documents: readonly DocumentInfo[]): Promise<void> {
  const code = documents.filter(({ path }) => isCode(path));
  const written = code.filter(({ path }) => !MADE.test(path));
  const before = job.force ? undefined : await loadState(job);
  const known = before?.files ?? {};
  const changed = code.some((info) => known[info.path]?.file !== fileKey(info));
  if (!changed && Object.keys(known).length === code.length) return;
  const { read, failed } = await readAll(job, written);
  const graph = codeGraph(read, job.collection);
  const files: State['files'] = {};
  for (const info of code) {
    throwIfAborted(job.call.signal);
    const stated = graph.get(info.path) ?? { entities: [], relations: [] };
    const now = { file: fileKey(info), stated: digest(JSON.stringify(stated)) };
    const last = known[info.path];
    if (last?.file !== now.file || last.stated !== now.stated) await write(job, info, stated);
    // What could not be read is tried again.
    if (!failed.has(info.path)) files[info.path] = now;
  }
  const { cache } = job.store;
  await cache.put(STATES, new Map([[stateKey(job.collection), Buffer.from(JSON.stringify({ files }))]]));
  await cache.trim(SYMBOLS, MAX_SYMBOLS);
}

/** How many files of code the graph holds. */
export async function relatedCode(store: Store, collection: string): Promise<number> {
  const state = await loadState({ store, collection });
  return Object.keys(state?.files ?? {}).length;
}

async function write(job: RelatingCode, { path }: DocumentInfo, stated: CodeStatements): Promise<void> {
  const { store, collection } = job;
  const chunks = await store.documents.chunks(collection, path);
  const writes = chunks.map(({ startLine, endLine }): Contributing => ({ startLine, endLine }));
  distribute(writes, { ...stated, by: BY }, graphKey);
  await keptStatements(store, chunks, writes);
  await store.graph.annotate(collection, path, writes);
}

/** What every file defines and names; those that no grammar reads are left out. */
async function readAll(
  job: RelatingCode,
  code: readonly DocumentInfo[],
): Promise<{ read: CodeFile[]; failed: Set<string> }> {
  const files: CodeFile[] = [];
  const failed = new Set<string>();
  for (let at = 0; at < code.length; at += TOGETHER) {
    throwIfAborted(job.call.signal);
    const part = code.slice(at, at + TOGETHER);
    const stored = await job.store.cache.get(SYMBOLS, part.map(symbolsKey));
    const fresh = new Map<string, Uint8Array>();
    const found = await Promise.all(
      part.map(async (info): Promise<CodeFile | undefined> => {
        const bytes = stored.get(symbolsKey(info));
        const symbols = bytes
          ? (JSON.parse(Buffer.from(bytes).toString('utf8')) as Symbols | null)
          : await symbolsOf(job, info);
        if (symbols === undefined) failed.add(info.path);
        else if (!bytes) fresh.set(symbolsKey(info), Buffer.from(JSON.stringify(symbols)));
        return symbols ? { path: info.path, symbols } : undefined;
      }),
    );
    await job.store.cache.put(SYMBOLS, fresh);
    files.push(...found.filter((file) => file !== undefined));
    job.call.progress?.({ done: at + part.length, total: code.length, message: 'relations of code' });
  }
  return { read: files, failed };
}

/** Null where no grammar reads it; undefined where it failed, which is told. */
async function symbolsOf(
  { store, collection, worker, call, fail }: RelatingCode,
  { path, lines }: DocumentInfo,
): Promise<Symbols | null | undefined> {
  const text = await store.documents.text(collection, path);
  if (text === undefined) return null;
  try {
    return await worker.symbols({ text, path }, { signal: call.signal });
  } catch (thrown) {
    const { ends, code, message } = toVaiError(thrown);
    if (ends !== 'item') throw thrown;
    fail({ path, startLine: 1, endLine: lines, stage: 'extract', code, message });
    return undefined;
  }
}

/** The file as it is stored: one that was written anew has lost what was stated of it. */
function fileKey({ sha256, chunks, indexedWith }: DocumentInfo): string {
  return digest(JSON.stringify([VERSION, sha256, chunks, indexedWith]));
}

function symbolsKey({ sha256, path }: DocumentInfo): string {
  return digest(JSON.stringify([VERSION, sha256, path.slice(path.lastIndexOf('.'))]));
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

function stateKey(collection: string): string {
  return `${collection}\ncode`;
}

async function loadState({
  store,
  collection,
}: Pick<RelatingCode, 'store' | 'collection'>): Promise<State | undefined> {
  const key = stateKey(collection);
  const bytes = (await store.cache.get(STATES, [key])).get(key);
  return bytes && (JSON.parse(Buffer.from(bytes).toString('utf8')) as State);
}
