// Pages by name: which chunk a page begins with. A page is asked for by its title more often than by anything it says,
// so its names are looked up directly.

import type { PageStart, Searches } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { keepBy } from './predicate.ts';
import { CHUNK_SPAN, type Span } from './ids.ts';
import { collectionIds, jsonList } from './scope.ts';

export function writePages(connection: Connection, first: number, pages: readonly PageStart[]): void {
  const row = connection.sql('INSERT OR IGNORE INTO page_names (name, chunk) VALUES (?, ?)');
  for (const { ordinal, names } of pages) for (const name of names) row.run(name, first + ordinal);
}

export function dropPages({ sql }: Connection, range: Span): void {
  sql('DELETE FROM page_names WHERE chunk BETWEEN ? AND ?').run(...range);
}

const ALL = `SELECT DISTINCT p.chunk, c.document FROM page_names p JOIN chunks c ON c.id = p.chunk
  JOIN documents d ON d.id = c.document JOIN collections n ON n.id = d.collection
  WHERE p.name IN (SELECT value FROM json_each(?))`;
const WITHIN = `AND p.chunk / ${CHUNK_SPAN} IN (SELECT value FROM json_each(?))`;
/** A title may be that of thousands of pages; a filter chooses among these. */
const PLACED = 'ORDER BY n.name, d.path, p.chunk LIMIT 1000';

export function createPageReads(connection: Connection): Searches['pages'] {
  return async ({ names, scope, limit }) =>
    connection.read(() => {
      const collections = collectionIds(connection, scope.collections);
      const rows = collections
        ? connection.rows<[number, number]>(
            `${ALL} ${WITHIN} ${PLACED}`,
            jsonList(names),
            jsonList(collections),
          )
        : connection.rows<[number, number]>(`${ALL} ${PLACED}`, jsonList(names));
      const keep = scope.filter && keepBy(connection, scope.filter);
      const kept = keep ? rows.filter(([chunk, document]) => keep(document, chunk)) : rows;
      return kept.slice(0, limit).map(([chunk]) => String(chunk));
    });
}
