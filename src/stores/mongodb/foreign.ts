// Documents that the original voyageai-cli wrote, read as they are. It stores chunks only, in five shapes; a document
// is put together from the chunks of one source, in their order, and gets its lines from that.

import type { Document, Filter as MongoFilter } from 'mongodb';
import { ObjectId } from 'mongodb';
import { indexLines, lineAt } from '../../domain/lines.ts';
import type { DocumentInfo, Metadata, MetadataValue } from '../../domain/document.ts';
import type { Page, StoredChunk } from '../../ports/store.ts';
import type { Database } from './database.ts';
import { formatChunkId, sha256, type ChunkId } from './ids.ts';

export interface ForeignDocument {
  info: DocumentInfo;
  text: string;
  chunks: StoredChunk[];
}

const MAX_CHUNKS = 20_000;
const GAP = '\n\n';
/** Neither ours nor bookkeeping. */
export const FOREIGN: MongoFilter<Document> = { _vai: { $exists: false }, _type: { $ne: 'index_meta' } };
const SOURCE = { $ifNull: ['$metadata.source', { $ifNull: ['$source', 'unknown'] }] };

export function foreignText(row: Document): string | undefined {
  for (const field of ['text', 'content']) {
    const value = (row as Record<string, unknown>)[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

export function foreignSource(row: Document): string {
  const metadata = row.metadata as Document | undefined;
  for (const value of [metadata?.source, row.source])
    if (typeof value === 'string' && value !== '') return value;
  return 'unknown';
}

export function foreignModel(row: Document): string | undefined {
  const metadata = row.metadata as Document | undefined;
  return [metadata?.model, row._model, row.model].find((value): value is string => typeof value === 'string');
}

function position(row: Document): number {
  const metadata = row.metadata as Document | undefined;
  const value: unknown = metadata?.chunkIndex ?? metadata?.chunk_index;
  return typeof value === 'number' ? value : 0;
}

function timeOf(row: Document): string {
  const metadata = row.metadata as Document | undefined;
  const value: unknown = metadata?.ingestedAt ?? row.ingestedAt ?? row._embeddedAt ?? row.createdAt;
  const date = value instanceof Date ? value : new Date(typeof value === 'string' ? value : 0);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

/** Metadata as plain JSON; keys that only place a chunk say nothing of its document. */
function metadataOf(row: Document): Metadata {
  const hidden = new Set(['chunkIndex', 'totalChunks', 'chunk_index', 'total_chunks', 'ingestedAt']);
  const entries = Object.entries((row.metadata ?? {}) as Document).filter(([key]) => !hidden.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, plain(value)]));
}

function plain(value: unknown): MetadataValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (value && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  return JSON.stringify(value) ?? null;
}

export async function loadForeign(
  database: Database,
  collection: string,
  sources: readonly string[],
): Promise<Map<string, ForeignDocument>> {
  const wanted = [...sources];
  const rows = await database
    .collection(collection)
    .find(
      {
        $and: [
          FOREIGN,
          {
            $or: [
              { 'metadata.source': { $in: wanted } },
              { 'metadata.source': { $exists: false }, source: { $in: wanted } },
              ...(wanted.includes('unknown')
                ? [{ 'metadata.source': { $exists: false }, source: { $exists: false } }]
                : []),
            ],
          },
        ],
      },
      {
        ...database.limits,
        projection: { [database.field]: 0 },
        limit: MAX_CHUNKS,
      },
    )
    .toArray();
  const withText = rows.filter((row) => foreignText(row) !== undefined);
  const groups = Map.groupBy(withText, foreignSource);
  return new Map([...groups].map(([source, group]) => [source, assemble(collection, source, group)]));
}

function assemble(collection: string, source: string, rows: Document[]): ForeignDocument {
  rows.sort((a, b) => position(a) - position(b) || (String(a._id) < String(b._id) ? -1 : 1));
  const texts = rows.map((row) => foreignText(row)!);
  const text = texts.join(GAP);
  const lines = indexLines(text);
  const metadata = metadataOf(rows[0]!);
  const fetchedAt = rows.map(timeOf).sort().at(-1)!;
  const hash = sha256(text);
  let start = 0;
  const chunks = rows.map((row, ordinal): StoredChunk => {
    const end = start + texts[ordinal]!.length;
    const startLine = lineAt(lines, start);
    const endLine = lineAt(lines, Math.max(start, end - 1));
    const chunk: StoredChunk = {
      id: formatChunkId(collection, row._id),
      collection,
      path: source,
      title: source,
      ordinal,
      startLine,
      endLine,
      start,
      end,
      headingPath: [],
      block: { start: startLine, end: endLine },
      text: texts[ordinal]!,
      metadata: metadataOf(row),
      sha256: hash,
      fetchedAt,
      totalChunks: rows.length,
    };
    start = end + GAP.length;
    return chunk;
  });
  return {
    text,
    chunks,
    info: {
      collection,
      path: source,
      title: source,
      sha256: hash,
      bytes: Buffer.byteLength(text),
      lines: lines.count,
      headings: 0,
      chunks: rows.length,
      metadata,
      fetchedAt,
    },
  };
}

export async function listForeign(
  database: Database,
  collection: string,
  page: Page,
): Promise<{ documents: DocumentInfo[]; next?: string }> {
  const limit = Math.max(1, Math.min(page.limit, 200));
  const sources = await database
    .collection(collection)
    .aggregate<{ _id: string }>(
      [
        { $match: FOREIGN },
        { $group: { _id: SOURCE } },
        ...(page.after === undefined ? [] : [{ $match: { _id: { $gt: page.after } } }]),
        { $sort: { _id: 1 } },
        { $limit: limit + 1 },
      ],
      database.limits,
    )
    .toArray();
  const names = sources.slice(0, limit).map((row) => String(row._id));
  const loaded = await loadForeign(database, collection, names);
  const documents = names.flatMap((name) => loaded.get(name)?.info ?? []);
  return sources.length > limit ? { documents, next: names.at(-1)! } : { documents };
}

export async function countForeignSources(database: Database, collection: string): Promise<number> {
  const [row] = await database
    .collection(collection)
    .aggregate<{ n: number }>([{ $match: FOREIGN }, { $group: { _id: SOURCE } }, { $count: 'n' }], {
      maxTimeMS: 3000,
    })
    .toArray();
  return row?.n ?? 0;
}

/** The `_id` of a chunk as MongoDB compares it. */
export function mongoId({ id, objectId }: ChunkId): string | ObjectId {
  return objectId ? new ObjectId(id) : id;
}
