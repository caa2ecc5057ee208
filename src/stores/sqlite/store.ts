// One embedded database as the engine sees it.

import { chmodSync, existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { VaiError } from '../../domain/errors.ts';
import type { Store } from '../../ports/store.ts';
import { createCache } from './cache.ts';
import { createChunkReads } from './chunks.ts';
import { createCollections } from './collections.ts';
import type { Connection } from './connection.ts';
import { createDocuments } from './documents.ts';
import { createGraph } from './graph/index.ts';
import { checkHealth } from './health.ts';
import { createIndexes } from './indexes.ts';
import { lock } from './locks.ts';
import { optimizeIndexes } from './optimize.ts';
import { createPieceReads } from './pieces.ts';
import { createSearches } from './search.ts';
import { dropCopies } from './set-aside.ts';
import { createVersions } from './versions.ts';
import { createLengths } from './words/lengths.ts';
import { createWordWrites } from './words/write.ts';
import { createWriter } from './writer/writer.ts';

/** Merging pays when this share of the chunks, and at least so many, are new. */
const SHARE_TO_OPTIMIZE = 0.1;
const MIN_TO_OPTIMIZE = 1000;
/** With less room on the disk the next write may fail. */
const LEAST_ROOM = 16 * 1024 * 1024;
/** More chunks than this are merged by the writing thread: here it would hold up others. */
const MERGED_HERE = 5_000;

export function createStore(connection: Connection, now: () => Date): Store {
  const { sql, read, write } = connection;
  const pieces = createPieceReads(connection);
  const chunks = createChunkReads(connection, pieces);
  const lengths = createLengths(connection);
  const writer = createWriter(connection);
  const words = createWordWrites(connection, lengths, writer ? MERGED_HERE : undefined);
  const search = createSearches(connection, chunks, lengths);
  const optimize = async (): Promise<void> => {
    await (writer ? writer.optimize() : write(() => optimizeIndexes(connection, words)));
    connection.chunksWritten = 0;
  };
  return {
    kind: 'sqlite',
    database: connection.database,
    collections: createCollections(connection, words),
    documents: createDocuments(connection, { pieces, chunks, words, writer }, now),
    search,
    graph: createGraph(connection, pieces),
    versions: createVersions(connection),
    cache: createCache(connection),
    indexes: createIndexes(connection),
    lock: (name, info, ttlMs) => lock(connection, { name, info, ttlMs }, now),
    async getMeta(key) {
      return read(() => sql<{ value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value);
    },
    async setMeta(key, value) {
      await write(() => sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value));
    },
    async ping() {
      read(() => sql('SELECT 1').get());
      checkFile(connection.file);
    },
    async check() {
      return checkHealth(connection);
    },
    async bytes() {
      return ['', '-wal'].reduce((sum, part) => sum + sizeOf(connection.file + part), 0);
    },
    async optimize() {
      const { n } = read(() =>
        sql<{ n: number }>('SELECT coalesce(sum(chunks), 0) AS n FROM collections').get()!,
      );
      if (connection.chunksWritten < Math.max(MIN_TO_OPTIMIZE, n * SHARE_TO_OPTIMIZE)) return;
      await optimize();
    },
    async compact() {
      await optimize();
      // Cached model answers are keyed by the hash of the text and outlive it.
      await write(() => sql('DELETE FROM cache').run());
      outside(connection, 'VACUUM');
      dropCopies(connection.file);
      emptyLog(connection);
    },
    async backup(file) {
      if (existsSync(file)) {
        throw new VaiError('INVALID_INPUT', 'There is already a file with that name.', {
          hint: 'Choose another name for the backup.',
        });
      }
      try {
        outside(connection, `VACUUM INTO '${file.replaceAll("'", "''")}'`);
        chmodSync(file, 0o600);
      } catch (error) {
        rmSync(file, { force: true });
        if (!(error instanceof VaiError && error.code === 'STORE_READONLY')) throw error;
        // It is not the database that could not be opened.
        throw new VaiError('WRITE_FAILED', 'The backup cannot be written there.', {
          hint: 'Choose another folder.',
          cause: error,
        });
      }
    },
    async close() {
      await writer?.close();
      await search.close();
      connection.close();
    },
  };
}

/** A statement that cannot run inside a transaction. */
function outside(connection: Connection, statement: string): void {
  connection.plain(() => connection.raw.exec(statement));
}

/** The log holds removed text until it is emptied, which a reader in another process can prevent. */
function emptyLog({ plain, raw }: Connection): void {
  const { busy } = plain(() => raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number });
  if (busy === 0) return;
  throw new VaiError('STORE_BUSY', 'The database is compact, but its log still contains what was removed.', {
    hint: 'Another process reads it: run `vai compact` again when nothing else does.',
  });
}

/** An open file goes on answering when it was emptied or deleted, and when nothing more can be written. */
function checkFile(file: string): void {
  if (sizeOf(file) === 0 && sizeOf(`${file}-wal`) === 0)
    throw new VaiError('STORE_CORRUPT', 'The file of the database was removed or emptied.', {
      hint: 'Put a backup in its place and restart the server.',
    });
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < LEAST_ROOM) throw new VaiError('STORE_FULL', 'The disk is full.');
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
