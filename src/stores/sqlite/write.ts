// Replaces, removes or moves one document. The caller holds the transaction: text, headings, chunks, words, vectors, graph,
// archive, history and counts change together or not at all. Names come later (`graph/naming.ts`).

import type { CollectionStats } from '../../domain/collection.ts';
import type { ChunkWrite, DocumentWrite, Replaced } from '../../ports/store.ts';
import { VaiError } from '../../domain/errors.ts';
import { firstIndex } from '../../domain/first-index.ts';
import { checkVectors } from '../check-vectors.ts';
import type { Connection } from './connection.ts';
import { updateGraph } from './graph/write.ts';
import { dropNames } from './graph/naming.ts';
import { dropPages, writePages } from './pages.ts';
import { documentRow, requireCollectionRow, type CollectionRow, type DocumentRow } from './rows.ts';
import { CHUNK_SPAN } from './ids.ts';
import { readText, removeText, writeText } from './text.ts';
import { encodeVector, signCode } from './vectors/code.ts';
import { keepVersion, recordEvent } from './versions.ts';
import type { WordWrites } from './words/write.ts';

/** Where a document is written. */
export interface Target {
  connection: Connection;
  words: WordWrites;
}

export function replaceDocument(target: Target, write: DocumentWrite, at: string): Replaced {
  const { connection } = target;
  const { sql } = connection;
  const { info } = write;
  const owner = requireCollectionRow(connection, info.collection);
  checkVectors(owner.name, owner.dimensions, write.chunks);
  const old = documentRow(connection, info.collection, info.path);
  if (old && write.archive)
    archiveText(connection, old, { keep: write.archive.keep, at, sha256: info.sha256 });
  if (old) dropContent(target, old);
  const first = owner.id * CHUNK_SPAN + owner.next_chunk;
  const vectors = write.chunks.reduce((count, chunk) => count + (chunk.vector ? 1 : 0), 0);
  const hasGraph = write.chunks.some((chunk) => chunk.entities?.length || chunk.relations?.length);
  const id = putRecord(connection, { write, owner, old, first, vectors, hasGraph });
  const pieces = writeText(connection, id, write.text);
  sql('INSERT INTO heading_trees (document, tree) VALUES (?, ?)').run(id, JSON.stringify(write.headings));
  writeChunks(target, { document: id, first, pieces, title: info.title, chunks: write.chunks });
  writePages(connection, first, write.pages ?? []);
  updateGraph(connection, owner.id, {
    removed: old?.graph ? { first: old.first_chunk, count: old.chunks } : undefined,
    added: hasGraph ? { first, chunks: write.chunks } : undefined,
  });
  if (old) addCounts(connection, owner.id, old, -1);
  addCounts(connection, owner.id, { ...info, vectors, chunks: write.chunks.length }, 1);
  connection.chunksWritten += write.chunks.length;
  if (write.event) recordEvent(connection, write.event);
  return { replaced: old !== undefined, chunksRemoved: old?.chunks ?? 0 };
}

export function removeDocument(target: Target, collection: string, path: string): boolean {
  const { connection } = target;
  const { sql } = connection;
  const old = documentRow(connection, collection, path);
  if (!old) return false;
  dropContent(target, old);
  updateGraph(connection, old.collection, {
    removed: old.graph ? { first: old.first_chunk, count: old.chunks } : undefined,
    added: undefined,
  });
  addCounts(connection, old.collection, old, -1);
  sql('DELETE FROM documents WHERE id = ?').run(old.id);
  sql('DELETE FROM archive WHERE collection = ? AND path = ?').run(old.collection, path);
  return true;
}

export function moveDocument(
  target: Target,
  { collection, from, to }: { collection: string; from: string; to: string },
): void {
  const { connection } = target;
  const { sql } = connection;
  if (from === to) return;
  const row = documentRow(connection, collection, from);
  if (!row) {
    throw new VaiError(
      'DOCUMENT_NOT_FOUND',
      `There is no document \`${from.slice(0, 200)}\` in \`${collection}\`.`,
    );
  }
  removeDocument(target, collection, to);
  sql('UPDATE documents SET path = ? WHERE id = ?').run(to, row.id);
  sql('UPDATE archive SET path = ? WHERE collection = ? AND path = ?').run(to, row.collection, from);
}

interface Record {
  write: DocumentWrite;
  owner: CollectionRow;
  old: DocumentRow | undefined;
  first: number;
  vectors: number;
  hasGraph: boolean;
}

function putRecord(connection: Connection, record: Record): number {
  const { write, owner, old, first, vectors, hasGraph } = record;
  const { info } = write;
  // A replaced document gets a new id: its pieces and chunks are never mixed with those of the text before.
  if (old) connection.sql('DELETE FROM documents WHERE id = ?').run(old.id);
  const added = connection
    .sql(
      `INSERT INTO documents (collection, path, title, sha256, raw_sha256, bytes, lines, headings, first_chunk, chunks,
         vectors, graph, length, origin, fetched_at, partial, metadata, unnamed, indexed_with)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      owner.id,
      info.path,
      info.title,
      info.sha256,
      info.rawSha256 ?? null,
      info.bytes,
      info.lines,
      info.headings,
      first,
      write.chunks.length,
      vectors,
      hasGraph ? 1 : 0,
      write.text.length,
      info.origin ?? null,
      info.fetchedAt,
      info.partial ? 1 : 0,
      JSON.stringify(info.metadata),
      write.chunks.length,
      info.indexedWith ? JSON.stringify(info.indexedWith) : null,
    );
  return Number(added.lastInsertRowid);
}

function writeChunks(
  { connection, words }: Target,
  batch: { document: number; first: number; pieces: number[]; title: string; chunks: ChunkWrite[] },
): void {
  const { sql } = connection;
  const row = sql('INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  // The chunks of a block have one path.
  let path: readonly string[] | undefined;
  let pathRecord = '';
  let pathWords = '';
  batch.chunks.forEach((chunk, index) => {
    const id = batch.first + index;
    const { block, vector } = chunk;
    if (chunk.headingPath !== path) {
      path = chunk.headingPath;
      pathRecord = JSON.stringify(path);
      pathWords = path.join('\n');
    }
    row.run(
      id,
      batch.document,
      chunk.startLine,
      chunk.endLine,
      pieceOf(batch.pieces, chunk.start),
      chunk.start,
      chunk.end,
      block.start,
      block.end,
      chunk.prefix ?? null,
      pathRecord,
      chunk.page ?? null,
      chunk.defines ? JSON.stringify(chunk.defines) : null,
    );
    const { title = batch.title, heading = pathWords } = chunk.words ?? {};
    words.add(id, [title, heading, chunk.text, chunk.extraWords]);
    if (vector) sql('INSERT INTO vectors VALUES (?, ?)').run(id, encodeVector(vector));
  });
  writeCodes(connection, batch);
}

/** One row for all chunks that follow each other: a large collection is loaded many times as fast. */
function writeCodes(
  { sql }: Connection,
  { document, first, chunks }: { document: number; first: number; chunks: ChunkWrite[] },
): void {
  for (let at = 0; at < chunks.length; at += 1) {
    const from = at;
    const codes: Uint8Array[] = [];
    for (; chunks[at]?.vector; at += 1) codes.push(signCode(chunks[at]!.vector!));
    if (codes.length > 0)
      sql('INSERT INTO codes VALUES (?, ?, ?)').run(first + from, document, Buffer.concat(codes));
  }
}

/** The last piece that begins at or before an offset. */
function pieceOf(starts: readonly number[], offset: number): number {
  return firstIndex(starts.length - 1, (before) => starts[before + 1]! > offset);
}

/** Everything of a document but its record and its share of the graph. */
function dropContent({ connection, words }: Target, old: DocumentRow): void {
  const { sql } = connection;
  const range = [old.first_chunk, old.first_chunk + old.chunks - 1] as const;
  removeText(connection, old.id);
  sql('DELETE FROM heading_trees WHERE document = ?').run(old.id);
  words.remove(...range);
  dropNames(connection, range);
  dropPages(connection, range);
  sql('DELETE FROM chunks WHERE id BETWEEN ? AND ?').run(...range);
  sql('DELETE FROM vectors WHERE chunk BETWEEN ? AND ?').run(...range);
  sql('DELETE FROM codes WHERE chunk BETWEEN ? AND ?').run(...range);
}

function addCounts(
  connection: Connection,
  owner: number,
  counted: Omit<CollectionStats, 'documents'>,
  sign: 1 | -1,
): void {
  connection
    .sql(
      `UPDATE collections SET documents = documents + ?, chunks = chunks + ?, vectors = vectors + ?, lines = lines + ?,
         headings = headings + ?, bytes = bytes + ?, vector_version = vector_version + ?, next_chunk = next_chunk + ?
       WHERE id = ?`,
    )
    .run(
      sign,
      sign * counted.chunks,
      sign * counted.vectors,
      sign * counted.lines,
      sign * counted.headings,
      sign * counted.bytes,
      counted.vectors > 0 ? 1 : 0,
      // Ids are never used again, also when their document goes.
      sign === 1 ? counted.chunks : 0,
      owner,
    );
}

function archiveText(
  connection: Connection,
  old: DocumentRow,
  { keep, at, sha256 }: { keep: number; at: string; sha256: string },
): void {
  const { sql } = connection;
  if (keep > 0 && old.sha256 !== sha256) {
    // The same text may come back: one copy, the newest.
    sql('DELETE FROM archive WHERE collection = ? AND path = ? AND sha256 = ?').run(
      old.collection,
      old.path,
      old.sha256,
    );
    keepVersion(connection, old, {
      sha256: old.sha256,
      fetchedAt: old.fetched_at,
      archivedAt: at,
      lines: old.lines,
      headings: old.headings,
      bytes: old.bytes,
      text: readText(connection, old.id),
    });
  }
  sql(
    `DELETE FROM archive WHERE id IN
       (SELECT id FROM archive WHERE collection = ? AND path = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
  ).run(old.collection, old.path, Math.max(0, keep));
}
