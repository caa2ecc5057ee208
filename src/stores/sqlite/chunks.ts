// Chunks with their text and the fields of their document: what a search reads most. Rows come as arrays, because
// building an object per row costs as much as reading it. Nothing is kept for the next question, which asks for others.

import type { Metadata } from '../../domain/document.ts';
import { oncePerKey } from '../../domain/once.ts';
import type { StoredChunk } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import type { PieceReads } from './pieces.ts';

export interface ChunkReads {
  /** Chunks by id, in the order asked; unknown ids are left out. Inside a read. */
  load(ids: readonly number[]): StoredChunk[];
}

/** What a chunk takes from its document. */
interface Owner {
  row: OwnerRow;
  metadata: Metadata;
}

type OwnerRow = [
  collection: string,
  path: string,
  title: string,
  firstChunk: number,
  totalChunks: number,
  origin: string | null,
  sha256: string,
  fetchedAt: string,
  metadata: string,
];

const OWNER = `SELECT c.name, d.path, d.title, d.first_chunk, d.chunks, d.origin, d.sha256, d.fetched_at, d.metadata
  FROM documents d JOIN collections c ON c.id = d.collection WHERE d.id = ?`;

type Row = [
  document: number,
  startLine: number,
  endLine: number,
  piece: number,
  start: number,
  end: number,
  blockStart: number,
  blockEnd: number,
  prefix: string | null,
  headingPath: string,
  page: number | null,
  defines: string | null,
];

const CHUNK = `SELECT document, start_line, end_line, piece, start, "end", block_start, block_end, prefix, heading_path,
  page, defines FROM chunks WHERE id = ?`;

export function createChunkReads(connection: Connection, pieces: PieceReads): ChunkReads {
  const readOwner = (document: number): Owner => {
    const row = connection.row<OwnerRow>(OWNER, document)!;
    return { row, metadata: JSON.parse(row[8]) as Metadata };
  };
  return {
    load(ids) {
      const ownerOf = oncePerKey(readOwner);
      return ids.flatMap((id) => {
        const row = connection.row<Row>(CHUNK, id);
        if (!row) return [];
        const text = pieces.slice(row[0], { piece: row[3], start: row[4], end: row[5] });
        return [toChunk(id, row, { text, owner: ownerOf(row[0]) })];
      });
    },
  };
}

function toChunk(id: number, row: Row, found: { text: string; owner: Owner }): StoredChunk {
  const { row: owner, metadata } = found.owner;
  const [prefix, page, defines, origin] = [row[8], row[10], row[11], owner[5]];
  return {
    id: String(id),
    collection: owner[0],
    path: owner[1],
    title: owner[2],
    ordinal: id - owner[3],
    startLine: row[1],
    endLine: row[2],
    start: row[4],
    end: row[5],
    headingPath: JSON.parse(row[9]) as string[],
    block: { start: row[6], end: row[7] },
    text: prefix === null ? found.text : prefix + found.text,
    metadata,
    sha256: owner[6],
    fetchedAt: owner[7],
    totalChunks: owner[4],
    ...(prefix === null ? {} : { prefix }),
    ...(page === null ? {} : { page }),
    ...(defines === null ? {} : { defines: JSON.parse(defines) as string[] }),
    ...(origin === null ? {} : { origin }),
  };
}
