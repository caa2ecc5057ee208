// Chunks with their text and what their document says of itself: what a search reads most. Rows come as arrays, because
// building an object per row costs as much as reading it; what was read is remembered.

import type { Metadata } from '../../domain/document.ts';
import type { StoredChunk } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { createMemory } from './memory.ts';
import { PIECE_SPAN } from './schema.ts';
import { PIECE, readSlice } from './text.ts';

export interface ChunkReads {
  /** Chunks by id, in the order asked; unknown ids are left out. Inside a read. Shared: not to be changed. */
  load(ids: readonly number[]): StoredChunk[];
}

/** A chunk keeps the piece of text it was cut from, so both are counted; about 2,000 chunks. */
const MAX_CHARACTERS = 10_000_000;
const MAX_OWNERS = 2_000;

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
  pieceStart: number | null,
  pieceText: string | null,
];

const CHUNK = `SELECT c.document, c.start_line, c.end_line, c.piece, c.start, c."end", c.block_start, c.block_end, c.prefix,
    c.heading_path, p.start AS piece_start, p.text
  FROM chunks c LEFT JOIN pieces p ON p.id = c.document * ${PIECE_SPAN} + c.piece WHERE c.id = ?`;

export function createChunkReads(connection: Connection): ChunkReads {
  const chunks = createMemory<number, StoredChunk | undefined>(connection, {
    limit: MAX_CHARACTERS,
    weigh: (chunk) => chunk.text.length + PIECE,
  });
  const owners = createMemory<number, Owner>(connection, { limit: MAX_OWNERS, weigh: () => 1 });
  const readOwner = (document: number): Owner => {
    const row = connection.row<OwnerRow>(OWNER, document)!;
    return { row, metadata: JSON.parse(row[8]) as Metadata };
  };
  const readChunk = (id: number): StoredChunk | undefined => {
    const row = connection.row<Row>(CHUNK, id);
    return row && toChunk(id, row, { text: textOf(connection, row), owner: owners.get(row[0], readOwner) });
  };
  return {
    load: (ids) => ids.map((id) => chunks.get(id, readChunk)).filter((chunk) => chunk !== undefined),
  };
}

/** Most chunks lie in one piece of text, which came with the row. */
function textOf(connection: Connection, row: Row): string {
  const [start, end, from, text] = [row[4], row[5], row[10], row[11]];
  if (from !== null && text !== null && end <= from + text.length)
    return text.slice(start - from, end - from);
  return readSlice(connection, row[0], { piece: row[3], start, end });
}

function toChunk(id: number, row: Row, found: { text: string; owner: Owner }): StoredChunk {
  const { row: owner, metadata } = found.owner;
  const [prefix, origin] = [row[8], owner[5]];
  const chunk: StoredChunk = {
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
  };
  if (prefix !== null) chunk.prefix = prefix;
  if (origin !== null) chunk.origin = origin;
  return chunk;
}
