// Documents as they are read: records, lines, headings and chunks. Writing them is in `write.ts`.

import type { Heading } from '../../domain/document.ts';
import type { Documents, DocumentWrite, Replaced } from '../../ports/store.ts';
import { oncePerKey } from '../../domain/once.ts';
import { batched } from './batch.ts';
import type { ChunkReads } from './chunks.ts';
import type { Connection } from './connection.ts';
import type { PieceReads } from './pieces.ts';
import { collectionRow, documentRow, toInfo, type DocumentRow } from './rows.ts';
import { readText } from './text.ts';
import type { WordWrites } from './words/write.ts';
import type { Writer } from './writer/writer.ts';
import { moveDocument, removeDocument, replaceDocument } from './write.ts';

const MAX_PAGE = 10_000;

/** A document of more characters or chunks than this is written by a thread: here it would hold up others for 50 ms and more. */
const LARGE = 300_000;
const MANY_CHUNKS = 500;

function isLarge({ text, chunks }: DocumentWrite): boolean {
  return text.length > LARGE || chunks.length > MANY_CHUNKS;
}

interface DocumentParts {
  pieces: PieceReads;
  chunks: ChunkReads;
  words: WordWrites;
  /** None where there is no thread. */
  writer: Writer | undefined;
}

export function createDocuments(
  connection: Connection,
  { pieces, chunks, words, writer }: DocumentParts,
  now: () => Date,
): Documents {
  const { sql, read, write } = connection;
  const replace = batched<DocumentWrite, Replaced>({
    async commit(writes) {
      const at = now().toISOString();
      const [first] = writes;
      if (writer && writes.length === 1 && isLarge(first!)) {
        const replaced = await writer.replace(writes, at);
        connection.chunksWritten += first!.chunks.length;
        return replaced;
      }
      const replaced = await write(() =>
        writes.map((written) => replaceDocument({ connection, words }, written, at)),
      );
      if (words.behind) await writer?.catchUp();
      return replaced;
    },
    // A large one goes by itself.
    weigh: (written) => (isLarge(written) ? Infinity : written.text.length),
  });
  return {
    async list(collection, page) {
      return read(() => {
        const owner = collectionRow(connection, collection);
        if (!owner) return { documents: [] };
        const limit = Math.max(1, Math.min(page.limit, MAX_PAGE));
        const rows = sql<DocumentRow>(
          'SELECT * FROM documents WHERE collection = ?1 AND (?2 IS NULL OR path > ?2) ORDER BY path LIMIT ?3',
        ).all(owner.id, page.after ?? null, limit + 1);
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
    async lines(places) {
      return read(() => {
        // The hits of a search often lie in one document.
        const idOf = oncePerKey((collection: string) =>
          oncePerKey((path: string) => documentRow(connection, collection, path)?.id),
        );
        return places.map(({ collection, path, lines }) => {
          const id = idOf(collection)(path);
          return id === undefined ? undefined : pieces.lines(id, lines);
        });
      });
    },
    async headings(collection, path) {
      return read(() => {
        const row = documentRow(connection, collection, path);
        if (!row) return undefined;
        const found = sql<{ tree: string }>('SELECT tree FROM heading_trees WHERE document = ?').get(row.id)!;
        return JSON.parse(found.tree) as Heading[];
      });
    },
    async chunks(collection, path) {
      return read(() => {
        const row = documentRow(connection, collection, path);
        if (!row) return [];
        return chunks.load(Array.from({ length: row.chunks }, (_, index) => row.first_chunk + index));
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
      await write(() => moveDocument({ connection, words }, { collection, from, to }));
    },
    async remove(collection, path) {
      return write(() => removeDocument({ connection, words }, collection, path));
    },
  };
}
