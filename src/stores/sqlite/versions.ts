// Older texts of documents and the history of updates.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ArchivedVersion, HistoryEvent, Versions } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { collectionRow, requireCollectionRow } from './rows.ts';

const MAX_HISTORY_PER_COLLECTION = 1000;

export function createVersions(connection: Connection): Versions {
  const { sql, read, write } = connection;
  return {
    async list(collection, path) {
      return read(() => {
        const owner = collectionRow(connection, collection);
        if (!owner) return [];
        return sql<ArchivedVersion>(
          `SELECT sha256, fetched_at AS fetchedAt, archived_at AS archivedAt, lines, headings, bytes
           FROM archive WHERE collection = ? AND path = ? ORDER BY id DESC`,
        )
          .all(owner.id, path)
          .map((row) => ({ ...row }));
      });
    },
    async text(collection, path, shaPrefix) {
      return read(() => {
        const owner = collectionRow(connection, collection);
        if (!owner) return undefined;
        const rows = sql<{ sha256: string; text: Uint8Array }>(
          'SELECT sha256, text FROM archive WHERE collection = ? AND path = ? ORDER BY id DESC',
        );
        for (const row of rows.iterate(owner.id, path))
          if (row.sha256.startsWith(shaPrefix.toLowerCase()))
            return inflateRawSync(row.text).toString('utf8');
        return undefined;
      });
    },
    async pathsOf(collection, shaPrefix) {
      return read(() => {
        const owner = collectionRow(connection, collection);
        if (!owner) return [];
        const found = sql<{ path: string }>(
          `SELECT path FROM documents WHERE collection = ?1 AND sha256 BETWEEN ?2 AND ?2 || 'g'
           UNION ALL SELECT path FROM archive WHERE collection = ?1 AND sha256 BETWEEN ?2 AND ?2 || 'g'`,
        ).all(owner.id, shaPrefix.toLowerCase());
        return [...new Set(found.map(({ path }) => path))];
      });
    },
    async keep(collection, path, version) {
      await write(() => {
        const { id } = requireCollectionRow(connection, collection);
        keepVersion(connection, { collection: id, path }, version);
      });
    },
    async history(collection, limit) {
      return read(() => {
        const [of, given] = collection === undefined ? ['', []] : ['WHERE collection = ?', [collection]];
        const rows = sql<{ event: string }>(`SELECT event FROM history ${of} ORDER BY id DESC LIMIT ?`);
        return rows.all(...given, limit).map((row) => JSON.parse(row.event) as HistoryEvent);
      });
    },
    async record(event) {
      await write(() => recordEvent(connection, event));
    },
  };
}

export function keepVersion(
  { sql }: Connection,
  place: { collection: number; path: string },
  { sha256, fetchedAt, archivedAt, lines, headings, bytes, text }: ArchivedVersion & { text: string },
): void {
  sql(
    `INSERT INTO archive (collection, path, sha256, fetched_at, archived_at, lines, headings, bytes, text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    ...[place.collection, place.path, sha256, fetchedAt, archivedAt, lines, headings, bytes],
    deflateRawSync(Buffer.from(text), { level: 3 }),
  );
}

export function recordEvent(connection: Connection, event: HistoryEvent): void {
  const { sql } = connection;
  const added = sql('INSERT INTO history (collection, event) VALUES (?, ?)').run(
    event.collection,
    JSON.stringify(event),
  );
  // Trimmed now and then: the log of a watched folder must not grow for ever.
  if (Number(added.lastInsertRowid) % 100 === 0) {
    sql(
      `DELETE FROM history WHERE id IN
         (SELECT id FROM history WHERE collection = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    ).run(event.collection, MAX_HISTORY_PER_COLLECTION);
  }
}
