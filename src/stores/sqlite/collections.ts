// Collections: their record, their counts (kept in step by every write), and removal with everything inside.

import type { Collection } from '../../domain/collection.ts';
import { VaiError } from '../../domain/errors.ts';
import type { Collections } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { dropNames } from './graph/naming.ts';
import { clearGraph } from './graph/write.ts';
import { createMemory } from './memory.ts';
import { dropPages } from './pages.ts';
import { collectionRow, recordOf, requireCollectionRow, toCollection, type CollectionRow } from './rows.ts';
import { chunksOf } from './ids.ts';
import { removeText } from './text.ts';
import type { WordWrites } from './words/write.ts';

const MAX_COLLECTIONS = 2 ** 21;

export function createCollections(connection: Connection, words: WordWrites): Collections {
  const { sql, read, write } = connection;
  const known = createMemory<'all', ReturnType<typeof toCollection>[]>(connection, 1);
  const readAll = () => {
    const rows = sql<CollectionRow>('SELECT * FROM collections ORDER BY name').all();
    // Shared between callers, so nobody may change it.
    return rows.map((row) => Object.freeze(toCollection(row)));
  };
  return {
    async list() {
      return read(() => [...known.get('all', readAll)]);
    },
    async get(name) {
      return read(() => {
        const row = collectionRow(connection, name);
        return row && toCollection(row);
      });
    },
    async put(collection) {
      await write(() => putCollection(connection, collection));
    },
    async change(name, edit) {
      return write(() => {
        const row = collectionRow(connection, name);
        const changed = edit(row && recordOf(row));
        if (changed) putCollection(connection, changed);
        return changed;
      });
    },
    async remove(name) {
      return write(() => {
        const row = collectionRow(connection, name);
        if (row) {
          words.removeAll(row.id);
          removeCollection(connection, row);
        }
        return row !== undefined;
      });
    },
    async rename(from, to) {
      await write(() => {
        if (collectionRow(connection, to) && from !== to) {
          throw new VaiError('SOURCE_EXISTS', `There is already a collection \`${to.slice(0, 120)}\`.`);
        }
        const row = requireCollectionRow(connection, from);
        sql('UPDATE collections SET name = ? WHERE id = ?').run(to, row.id);
        sql(
          `UPDATE history SET collection = ?1, event = json_set(event, '$.collection', ?1) WHERE collection = ?2`,
        ).run(to, from);
      });
    },
  };
}

function putCollection(connection: Connection, collection: Collection): void {
  const { sql } = connection;
  const { name, embedding } = collection;
  const model = embedding?.model ?? null;
  const dimensions = embedding?.dimensions ?? null;
  const old = collectionRow(connection, name);
  if (!old) {
    const added = sql('INSERT INTO collections (name, record, model, dimensions) VALUES (?, ?, ?, ?)').run(
      name,
      JSON.stringify(collection),
      model,
      dimensions,
    );
    if (Number(added.lastInsertRowid) >= MAX_COLLECTIONS) {
      throw new VaiError('TOO_LARGE', 'This database has seen too many collections.', {
        hint: 'Use another database name.',
      });
    }
    return;
  }
  if (old.vectors > 0 && (old.model !== model || old.dimensions !== dimensions)) {
    dropVectors(connection, old.id);
  }
  sql('UPDATE collections SET record = ?, model = ?, dimensions = ? WHERE id = ?').run(
    JSON.stringify(collection),
    model,
    dimensions,
    old.id,
  );
}

function dropVectors(connection: Connection, collection: number): void {
  const { sql } = connection;
  const range = chunksOf(collection);
  sql('DELETE FROM vectors WHERE chunk BETWEEN ? AND ?').run(...range);
  sql('DELETE FROM codes WHERE chunk BETWEEN ? AND ?').run(...range);
  sql('UPDATE documents SET vectors = 0 WHERE collection = ?').run(collection);
  sql('UPDATE collections SET vectors = 0, vector_version = vector_version + 1 WHERE id = ?').run(collection);
}

function removeCollection(connection: Connection, row: CollectionRow): void {
  const { sql } = connection;
  const range = chunksOf(row.id);
  clearGraph(connection, row.id);
  dropNames(connection, range);
  dropPages(connection, range);
  sql('DELETE FROM chunks WHERE id BETWEEN ? AND ?').run(...range);
  dropVectors(connection, row.id);
  const documents = sql<{ id: number }>('SELECT id FROM documents WHERE collection = ?').all(row.id);
  for (const { id } of documents) {
    removeText(connection, id);
    sql('DELETE FROM heading_trees WHERE document = ?').run(id);
  }
  sql('DELETE FROM documents WHERE collection = ?').run(row.id);
  sql('DELETE FROM archive WHERE collection = ?').run(row.id);
  sql('DELETE FROM history WHERE collection = ?').run(row.name);
  sql('DELETE FROM collections WHERE id = ?').run(row.id);
}
