// Chunks between their two shapes: as the engine writes and reads them, and as they are stored in the user's
// collection.

import { Binary, type Document } from 'mongodb';
import type { ChunkWrite, DocumentWrite, StoredChunk } from '../../ports/store.ts';
import { sourceOf, type Metadata } from '../../domain/document.ts';
import { docId, formatChunkId, sha256 } from './ids.ts';
import { RESERVED, type ChunkDocument, type DocumentDocument, type WordsDocument } from './layout.ts';

export interface ChunkContext {
  write: DocumentWrite;
  /** The version being written. */
  doc: string;
  field: string;
  model: string | undefined;
  dimensions: number | undefined;
  strategy: string;
  ingestedAt: string;
  /** Tells apart the chunks of a text that replaces itself. */
  salt: string;
  staged: boolean;
  now: Date;
  /** Vectors as lists of numbers, for a server whose index knows nothing else. */
  lists: boolean;
}

export function toChunkDocument(chunk: ChunkWrite, context: ChunkContext): ChunkDocument {
  const { write, doc, field, model, dimensions, salt } = context;
  const { info } = write;
  const source = sourceOf(info.path);
  const { ordinal, startLine, endLine, start, end, prefix, page, defines, headingPath, block } = chunk;
  const identity = [info.path, ordinal, info.sha256, model ?? '', dimensions ?? '', salt];
  return {
    _id: sha256(identity.join('\n')).slice(0, 32),
    text: chunk.text,
    ...(chunk.vector
      ? { [field]: context.lists ? [...chunk.vector] : Binary.fromFloat32Array(chunk.vector) }
      : {}),
    source,
    metadata: {
      source,
      filename: fileName(source),
      ingestedAt: context.ingestedAt,
      ...userMetadata(info.metadata),
      chunkIndex: ordinal,
      totalChunks: write.chunks.length,
      ...(chunk.vector && model ? { model, dimensions } : {}),
      chunkStrategy: context.strategy,
      docId: docId(info.collection, info.path),
      docVersion: doc,
      contentHash: sha256(chunk.text),
    },
    _vai: {
      ...{ doc, ordinal, startLine, endLine, start, end, prefix, page, defines, headingPath, block },
      ...(context.staged ? { staged: true as const, stagedAt: context.now } : {}),
    },
  };
}

/** What is searched of a chunk by words; its names are added when they are looked for. */
export function toWordsDocument(chunk: ChunkWrite, row: ChunkDocument, context: ChunkContext): WordsDocument {
  const { info } = context.write;
  const page = context.write.pages?.find(({ ordinal }) => ordinal === chunk.ordinal);
  return {
    _id: `${context.doc}:${chunk.ordinal}`,
    collection: info.collection,
    doc: context.doc,
    chunk: row._id,
    source: row.source,
    ordinal: chunk.ordinal,
    title: chunk.words?.title ?? info.title,
    heading: chunk.words?.heading ?? chunk.headingPath.join('\n'),
    text: chunk.text,
    extra: chunk.extraWords,
    pages: page?.names,
    metadata: row.metadata,
    ...(context.staged ? { staged: true as const } : {}),
  };
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The user's own keys, as far as MongoDB can store and filter them. Those that ours must not lose move under `user`. */
function userMetadata(metadata: Metadata): Document {
  const kept: Document = {};
  const moved: Document = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (key === '' || key.startsWith('$') || /[.\0]/.test(key)) continue;
    (RESERVED.has(key) ? moved : kept)[key] = value;
  }
  if (Object.keys(moved).length) kept.user = { ...(kept.user as Document | undefined), ...moved };
  return kept;
}

/** A chunk of ours as it is read back, with the fields of its document. */
export function toStoredChunk(row: ChunkDocument, owner: DocumentDocument): StoredChunk {
  const { doc: _doc, staged: _staged, stagedAt: _stagedAt, ...place } = row._vai;
  return {
    id: formatChunkId(owner.collection, row._id),
    collection: owner.collection,
    path: owner.path,
    title: owner.title,
    ...place,
    text: row.text,
    metadata: JSON.parse(owner.metadata) as Metadata,
    ...(owner.origin === undefined ? {} : { origin: owner.origin }),
    sha256: owner.sha256,
    fetchedAt: owner.fetchedAt,
    totalChunks: owner.chunks,
  };
}

/** A vector as it may be stored: packed, as ours are, or a plain list, as others write them. */
export function readVector(value: unknown): Float32Array | undefined {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'number') ? Float32Array.from(value) : undefined;
  }
  if (!isVectorBinary(value)) return undefined;
  return value.toFloat32Array();
}

function isVectorBinary(value: unknown): value is Binary {
  const binary = value as Partial<Binary> | null;
  return (
    typeof binary === 'object' &&
    binary?._bsontype === 'Binary' &&
    binary.sub_type === 9 &&
    binary.buffer?.[0] === 0x27
  );
}

/** Everything of a chunk but its vector. */
export function withoutVector(field: string): Document {
  return { [field]: 0 };
}
