// Copying collections from one store to another, document by document. A document that already exists in the target is
// checked and left alone, so an interrupted copy resumes. Every document is read back and compared: text by its hash,
// chunks and vectors by a digest. Older texts and the update history go along; names are looked for anew when they are
// needed.

import { createHash } from 'node:crypto';
import type { Collection, CollectionStats } from '../domain/collection.ts';
import type { DocumentInfo } from '../domain/document.ts';
import { throwIfAborted, VaiError } from '../domain/errors.ts';
import { inGroups } from '../domain/few-at-a-time.ts';
import type { ChunkWrite, DocumentWrite, Store, StoredChunk } from '../ports/store.ts';
import type { Call } from './call.ts';
import { documentsOf } from './documents.ts';
import { sha256 } from './text/analyse.ts';
import { codeWords } from './text/code/words.ts';
import { pagesOf } from './text/pages.ts';
import { extraWords } from './text/words.ts';

export interface CopyRequest {
  from: Store;
  to: Store;
  /** Default: every collection of the source. */
  collections?: readonly string[];
  /** New name; only with one collection. */
  rename?: string;
}

export interface CopiedCollection {
  collection: string;
  target: string;
  documents: number;
  copied: number;
  unchanged: number;
  chunks: number;
  vectors: number;
  /** SHA-256 over the hashes of all documents, the same on both sides. */
  checksum: string;
}

const BATCH = 500;
/** As much as a store keeps. */
const MAX_HISTORY = 1000;

export async function copyCollections(call: Call, request: CopyRequest): Promise<CopiedCollection[]> {
  const all = await request.from.collections.list();
  const chosen = request.collections?.length ? request.collections.map((name) => find(all, name)) : all;
  const total = chosen.reduce((sum, collection) => sum + collection.stats.documents, 0);
  const copied: CopiedCollection[] = [];
  let done = 0;
  for (const collection of chosen) {
    const target = request.rename ?? collection.name;
    await prepareTarget(request.to, collection, target);
    const report = await copyDocuments(call, { ...request, collection: collection.name, target }, () => {
      done += 1;
      call.progress?.({ done, total, message: collection.name });
    });
    await verifyCounts(request.to, target, report);
    await copyHistory({ ...request, collection: collection.name, target });
    copied.push(report);
  }
  return copied;
}

type View = Collection & { stats: CollectionStats };

function find(all: readonly View[], name: string): View {
  const found = all.find((collection) => collection.name === name);
  if (found) return found;
  throw new VaiError('COLLECTION_NOT_FOUND', `There is no collection \`${name.slice(0, 120)}\` to copy.`, {
    hint: 'List the collections with `vai collections`.',
  });
}

/** A target that holds vectors of another model would make both useless. */
async function prepareTarget(to: Store, { stats: _stats, ...record }: View, name: string): Promise<void> {
  const there = await to.collections.get(name);
  const same =
    there?.embedding?.model === record.embedding?.model &&
    there?.embedding?.dimensions === record.embedding?.dimensions &&
    there?.embedding?.revision === record.embedding?.revision;
  if (there && !same && there.stats.vectors > 0) {
    throw new VaiError(
      'MODEL_MISMATCH',
      `\`${name}\` already exists there with vectors of ${there.embedding?.model ?? 'another model'}.`,
      { hint: 'Remove it there, or copy under another name with --as.' },
    );
  }
  if (!there || !same) await to.collections.put({ ...record, name });
}

interface Pair {
  from: Store;
  to: Store;
  collection: string;
  target: string;
}

async function copyDocuments(call: Call, pair: Pair, step: () => void): Promise<CopiedCollection> {
  const { from, to, collection, target } = pair;
  const hash = createHash('sha256');
  const report = { documents: 0, copied: 0, unchanged: 0, chunks: 0, vectors: 0 };
  for await (const info of documentsOf(from, collection)) {
    throwIfAborted(call.signal);
    const there = await to.documents.get(target, info.path);
    const write = await readDocument(from, info, target);
    const wanted = digest(write);
    if (there && sameInfo(there, info) && (await readBack(to, target, info.path)) === wanted)
      report.unchanged += 1;
    else {
      await to.documents.replace(write);
      if ((await readBack(to, target, info.path)) !== wanted) throw damaged(target, info.path);
      report.copied += 1;
    }
    await copyVersions(pair, info.path);
    report.documents += 1;
    report.chunks += write.chunks.length;
    report.vectors += write.chunks.filter((chunk) => chunk.vector).length;
    hash.update(`${info.path}\n${wanted}\n`);
    step();
  }
  return { collection, target, ...report, checksum: hash.digest('hex') };
}

/** Oldest first, in their original order; a version that already exists is recognised by its text. */
async function copyVersions({ from, to, collection, target }: Pair, path: string): Promise<void> {
  const versions = await from.versions.list(collection, path);
  if (versions.length === 0) return;
  const there = new Set((await to.versions.list(target, path)).map(({ sha256 }) => sha256));
  for (const version of versions.toReversed()) {
    if (there.has(version.sha256)) continue;
    const text = await from.versions.text(collection, path, version.sha256);
    if (text !== undefined) await to.versions.keep(target, path, { ...version, text });
  }
}

async function copyHistory({ from, to, collection, target }: Pair): Promise<void> {
  const there = new Set(
    (await to.versions.history(target, MAX_HISTORY)).map((event) => JSON.stringify(event)),
  );
  for (const event of (await from.versions.history(collection, MAX_HISTORY)).toReversed()) {
    const copied = { ...event, collection: target };
    if (!there.has(JSON.stringify(copied))) await to.versions.record(copied);
  }
}

function sameInfo(a: DocumentInfo, b: DocumentInfo): boolean {
  return (
    a.sha256 === b.sha256 &&
    a.chunks === b.chunks &&
    a.title === b.title &&
    JSON.stringify(a.metadata) === JSON.stringify(b.metadata)
  );
}

/** Everything of a document, as it would be written. */
async function readDocument(from: Store, info: DocumentInfo, target: string): Promise<DocumentWrite> {
  const { collection, path } = info;
  const text = await from.documents.text(collection, path);
  if (text === undefined || sha256(text) !== info.sha256) {
    throw new VaiError(
      'STORE_CORRUPT',
      `The text of \`${collection}/${path.slice(0, 200)}\` does not match its hash.`,
      {
        hint: 'Ingest the document again, then copy.',
      },
    );
  }
  const chunks = await from.documents.chunks(collection, path);
  const writes: ChunkWrite[] = [];
  for (const batch of inGroups(chunks, BATCH)) writes.push(...(await withContent(from, batch)));
  const headings = (await from.documents.headings(collection, path)) ?? [];
  const write = { info: { ...info, collection: target }, text, headings, chunks: writes };
  return { ...write, pages: pagesOf(write) };
}

async function withContent(from: Store, chunks: readonly StoredChunk[]): Promise<ChunkWrite[]> {
  const ids = chunks.map((chunk) => chunk.id);
  const vectors = await from.search.vectorsOf(ids);
  const contributed = await from.graph.contributions(ids);
  return chunks.map((chunk) => {
    const { ordinal, startLine, endLine, start, end, prefix, headingPath, block, page, defines } = chunk;
    return {
      ...{ ordinal, startLine, endLine, start, end, prefix, headingPath, block, page, defines },
      text: chunk.text,
      extraWords: extraWords(chunk.text),
      words: defines && codeWords(chunk.path, chunk),
      vector: vectors.get(chunk.id),
      ...contributed.get(chunk.id),
    };
  });
}

async function readBack(to: Store, collection: string, path: string): Promise<string | undefined> {
  const info = await to.documents.get(collection, path);
  return info && digest(await readDocument(to, info, collection));
}

/** What a copy must not change: text, places, headings, vectors to a millionth, and what is stated for the graph. */
function digest({ info, text, headings, chunks }: DocumentWrite): string {
  const hash = createHash('sha256').update(text);
  hash.update(JSON.stringify([info.title, info.metadata, headings.length]));
  for (const chunk of chunks) {
    hash.update(
      JSON.stringify([
        chunk.ordinal,
        chunk.start,
        chunk.end,
        chunk.startLine,
        chunk.endLine,
        chunk.headingPath,
      ]),
    );
    hash.update(chunk.text);
    hash.update(JSON.stringify([chunk.entities?.length ?? 0, chunk.relations?.length ?? 0]));
    if (chunk.vector) hash.update(Int32Array.from(chunk.vector, (value) => Math.round(value * 1e5)));
  }
  return hash.digest('hex');
}

async function verifyCounts(to: Store, name: string, report: CopiedCollection): Promise<void> {
  const stats = (await to.collections.get(name))?.stats;
  if (
    stats &&
    stats.documents >= report.documents &&
    stats.chunks >= report.chunks &&
    stats.vectors >= report.vectors
  )
    return;
  throw damaged(name, '');
}

function damaged(collection: string, path: string): VaiError {
  const what = path ? `\`${collection}/${path.slice(0, 200)}\`` : `\`${collection}\``;
  return new VaiError('WRITE_FAILED', `What was copied of ${what} does not match the original.`, {
    hint: 'Run the same copy again; it resumes where it stopped.',
  });
}
