// Documents as they are read: records, lines, headings and chunks. Writing them is in `write.ts`.

import type { Heading, Metadata } from '../../domain/document.ts';
import { batched } from './batch.ts';
import type { Documents, DocumentWrite, StoredChunk } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { collectionRow, documentRow, toInfo, type DocumentRow } from './rows.ts';
import { readLines, readSlice, readText } from './text.ts';
import { moveDocument, removeDocument, replaceDocument } from './write.ts';

const MAX_PAGE = 10_000;

export function createDocuments(connection: Connection, now: () => Date): Documents {
  const { sql, read, write } = connection;
  const replace = batched(connection, {
    work: (written: DocumentWrite) => replaceDocument(connection, written, now().toISOString()),
    weigh: (written) => written.text.length,
  });
  return {
    async list(collection, page) {
      return read(() => {
        const owner = collectionRow(connection, collection);
        if (!owner) return { documents: [] };
        const limit = Math.max(1, Math.min(page.limit, MAX_PAGE));
        const rows = sql(
          'SELECT * FROM documents WHERE collection = ?1 AND (?2 IS NULL OR path > ?2) ORDER BY path LIMIT ?3',
        ).all(owner.id, page.after ?? null, limit + 1) as unknown as DocumentRow[];
        const documents = rows.slice(0, limit).map((row) => toInfo(row, collection));
        return rows.length > limit ? { documents, next: documents.at(-1)!.path } : { documents };
      });
    },
    async get(collection, path) {
      return read(() => {
        const row = documentRow(connection, collection, path);
        return row && toInfo(row, collection);
      });
    },
    async text(collection, path) {
      return read(() => {
        const row = documentRow(connection, collection, path);
        return row && readText(connection, row.id);
      });
    },
    async lines(collection, path, ranges) {
      return read(() => {
        const row = documentRow(connection, collection, path);
        return row && ranges.map((range) => readLines(connection, row.id, range));
      });
    },
    async headings(collection, path) {
      return read(() => {
        const row = documentRow(connection, collection, path);
        if (!row) return undefined;
        const found = sql('SELECT tree FROM heading_trees WHERE document = ?').get(row.id) as {
          tree: string;
        };
        return JSON.parse(found.tree) as Heading[];
      });
    },
    async chunks(collection, path) {
      return read(() => {
        const row = documentRow(connection, collection, path);
        if (!row) return [];
        return loadChunks(
          connection,
          Array.from({ length: row.chunks }, (_, index) => row.first_chunk + index),
        );
      });
    },
    replace,
    async touch(collection, path, fetchedAt) {
      await write(() => {
        const row = documentRow(connection, collection, path);
        if (row) sql('UPDATE documents SET fetched_at = ? WHERE id = ?').run(fetchedAt, row.id);
      });
    },
    async move(collection, from, to) {
      await write(() => moveDocument(connection, collection, from, to));
    },
    async remove(collection, path) {
      return write(() => removeDocument(connection, collection, path));
    },
  };
}

interface ChunkRow {
  id: number;
  document: number;
  start_line: number;
  end_line: number;
  piece: number;
  start: number;
  end: number;
  block_start: number;
  block_end: number;
  prefix: string | null;
  heading_path: string;
}

interface Owner {
  row: DocumentRow & { collection_name: string };
  metadata: Metadata;
}

/** Chunks by id, in the order asked; unknown ids are left out. */
export function loadChunks(connection: Connection, ids: readonly number[]): StoredChunk[] {
  const chunk = connection.sql(
    'SELECT id, document, start_line, end_line, piece, start, "end", block_start, block_end, prefix, heading_path ' +
      'FROM chunks WHERE id = ?',
  );
  const owner = connection.sql(
    'SELECT d.*, c.name AS collection_name FROM documents d JOIN collections c ON c.id = d.collection WHERE d.id = ?',
  );
  const owners = new Map<number, Owner>();
  const loaded: StoredChunk[] = [];
  for (const id of ids) {
    const row = chunk.get(id) as ChunkRow | undefined;
    if (!row) continue;
    let known = owners.get(row.document);
    if (!known) {
      const found = owner.get(row.document) as unknown as Owner['row'];
      known = { row: found, metadata: JSON.parse(found.metadata) as Metadata };
      owners.set(row.document, known);
    }
    loaded.push(toChunk(connection, row, known));
  }
  return loaded;
}

function toChunk(connection: Connection, row: ChunkRow, { row: owner, metadata }: Owner): StoredChunk {
  const prefix = row.prefix ?? '';
  return {
    id: String(row.id),
    collection: owner.collection_name,
    path: owner.path,
    title: owner.title,
    ordinal: row.id - owner.first_chunk,
    startLine: row.start_line,
    endLine: row.end_line,
    start: row.start,
    end: row.end,
    ...(row.prefix === null ? {} : { prefix: row.prefix }),
    headingPath: JSON.parse(row.heading_path) as string[],
    block: { start: row.block_start, end: row.block_end },
    text: prefix + readSlice(connection, row.document, row),
    metadata,
    ...(owner.origin === null ? {} : { origin: owner.origin }),
    sha256: owner.sha256,
    fetchedAt: owner.fetched_at,
    totalChunks: owner.chunks,
  };
}
