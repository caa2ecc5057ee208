// Completing the mention index: which chunks have no names yet, and storing the names that were found. A document
// counts the chunks at its end that are still to be looked at, so that a long one may be done in parts.

import type { GraphReads, Unnamed } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import type { PieceReads } from '../pieces.ts';
import type { Span } from '../ids.ts';
import { collectionIds, toId } from '../scope.ts';
import { mentionTokens } from './mentions.ts';

export type Naming = Pick<GraphReads, 'unnamed' | 'name'>;

/** Read at a time, however short they are. */
const MAX_DOCUMENTS = 200;
const MAX_CHUNKS = 400;

export function createNaming(connection: Connection, pieces: PieceReads): Naming {
  const { read, write } = connection;
  return {
    async unnamed(scope, characters) {
      return read(() => {
        if (!connection.row('SELECT 1 FROM documents WHERE unnamed > 0 LIMIT 1')) return [];
        const found: Unnamed[] = [];
        let room = characters;
        for (const row of waiting(connection, collectionIds(connection, scope), characters)) {
          const part = partOf(connection, pieces, row, room);
          found.push(part);
          for (const { text } of part.chunks) room -= text.length;
          if (room <= 0) break;
        }
        return found;
      });
    },
    async name(keys) {
      await write(() => writeNames(connection, keys));
    },
  };
}

type Waiting = [
  id: number,
  collection: number,
  path: string,
  title: string,
  headings: number,
  next: number,
  end: number,
];

const WAITING = `SELECT id, collection, path, title, headings, first_chunk + chunks - unnamed, first_chunk + chunks
  FROM documents WHERE unnamed > 0`;

/** Documents with chunks that are still to be looked at, by collection; no more than have so many characters. */
function* waiting(
  { rows }: Connection,
  collections: readonly number[] | undefined,
  characters: number,
): Generator<Waiting> {
  const limit = Math.min(characters, MAX_DOCUMENTS);
  if (!collections) yield* rows<Waiting>(`${WAITING} ORDER BY collection, id LIMIT ?`, limit);
  for (const id of collections ?? [])
    yield* rows<Waiting>(`${WAITING} AND collection = ? ORDER BY id LIMIT ?`, id, limit);
}

type ChunkRow = [id: number, piece: number, start: number, end: number, prefix: string | null, path: string];

function partOf(connection: Connection, pieces: PieceReads, row: Waiting, room: number): Unnamed {
  const [document, owner, path, title, headings, next, end] = row;
  const [collection] = connection.row<[name: string]>('SELECT name FROM collections WHERE id = ?', owner)!;
  const part: Unnamed = { info: { collection, path, title, headings }, chunks: [] };
  const rows = connection.rows<ChunkRow>(
    'SELECT id, piece, start, "end", prefix, heading_path FROM chunks WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
    next,
    end,
    Math.min(room, MAX_CHUNKS),
  );
  let left = room;
  // The chunks of a block have one path.
  let record = '';
  let headingPath: string[] = [];
  for (const [id, piece, start, stop, prefix, written] of rows) {
    if (written !== record) {
      record = written;
      headingPath = JSON.parse(written) as string[];
    }
    const text = (prefix ?? '') + pieces.slice(document, { piece, start, end: stop });
    part.chunks.push({ id: String(id), text, headingPath });
    left -= text.length;
    if (left <= 0) break;
  }
  return part;
}

interface Owner {
  id: number;
  first: number;
  /** The next chunk to be looked at, and the one after the last. */
  next: number;
  end: number;
}

function writeNames(connection: Connection, keys: ReadonlyMap<string, readonly string[]>): void {
  const { sql } = connection;
  const names = sql('INSERT INTO chunk_names (chunk, names) VALUES (?, ?)');
  const index = sql('INSERT INTO mention_index (rowid, keys) VALUES (?, ?)');
  let owner: Owner | undefined;
  for (const [text, found] of keys) {
    const chunk = toId(text);
    if (chunk === undefined) continue;
    if (!owner || chunk < owner.first || chunk >= owner.end) {
      save(connection, owner);
      owner = ownerOf(connection, chunk);
    }
    // Ids are never used again: a chunk that is there is the one that was read.
    if (chunk !== owner?.next) continue;
    if (found.length > 0) {
      names.run(chunk, JSON.stringify(found));
      index.run(chunk, mentionTokens(found));
    }
    owner.next += 1;
    connection.chunksWritten += 1;
  }
  save(connection, owner);
}

function ownerOf(connection: Connection, chunk: number): Owner | undefined {
  return connection
    .sql<Owner>(
      `SELECT d.id, d.first_chunk AS first, d.first_chunk + d.chunks - d.unnamed AS next, d.first_chunk + d.chunks AS "end"
       FROM chunks c JOIN documents d ON d.id = c.document WHERE c.id = ?`,
    )
    .get(chunk);
}

function save(connection: Connection, owner: Owner | undefined): void {
  if (!owner) return;
  connection.sql('UPDATE documents SET unnamed = ? WHERE id = ?').run(owner.end - owner.next, owner.id);
}

/** The names of chunks that go; inside the caller's transaction. */
export function dropNames(connection: Connection, range: Span): void {
  const { sql } = connection;
  sql(
    'DELETE FROM mention_index WHERE rowid IN (SELECT chunk FROM chunk_names WHERE chunk BETWEEN ? AND ?)',
  ).run(...range);
  sql('DELETE FROM chunk_names WHERE chunk BETWEEN ? AND ?').run(...range);
}
