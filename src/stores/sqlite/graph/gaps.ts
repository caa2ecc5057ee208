// What the graph leaves open: entities without relations, documents without entities, chunks that name much and state
// little.

import { LISTING } from '../../../domain/graph.ts';
import type { GraphReads, SparseSection } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { CHUNK_SPAN } from '../ids.ts';
import { placeOf, type PlaceRow } from '../rows.ts';
import { IN_SCOPE, scopeParameter } from './entities.ts';

export type GapReads = Pick<GraphReads, 'gaps'>;

const CHUNK_IN_SCOPE = `(?1 IS NULL OR chunk / ${CHUNK_SPAN} IN (SELECT value FROM json_each(?1)))`;

interface SectionRow extends PlaceRow {
  entities: number;
  relations: number;
}

export function createGapReads(connection: Connection): GapReads {
  const { sql, read } = connection;
  return {
    async gaps(scope, limit) {
      return read(() => {
        const given = scopeParameter(connection, scope);
        const count = (text: string) => sql<{ n: number }>(text).get(given)!.n;
        const touching = (end: string) =>
          `SELECT 1 FROM relations r WHERE r.${end} = e.key AND ${IN_SCOPE.replace('collection', 'r.collection')}`;
        return {
          unrelated: count(
            `SELECT count(DISTINCT key) AS n FROM entities e WHERE ${IN_SCOPE}
             AND NOT EXISTS (${touching('source')}) AND NOT EXISTS (${touching('target')})`,
          ),
          withoutEntities: count(`SELECT count(*) AS n FROM documents WHERE graph = 0 AND ${IN_SCOPE}`),
          sections: sql<SectionRow>(
            `WITH named AS (
               SELECT chunk, count(DISTINCT entity) AS entities FROM entity_mentions
               WHERE ${CHUNK_IN_SCOPE} GROUP BY chunk HAVING count(DISTINCT entity) BETWEEN 3 AND ${LISTING}
             ), counted AS (
               SELECT chunk, entities,
                 (SELECT count(DISTINCT relation) FROM relation_mentions m WHERE m.chunk = named.chunk) AS relations
               FROM named
             )
             SELECT c.name AS collection, d.path, k.start_line, k.end_line, k.heading_path, counted.*
             FROM counted JOIN chunks k ON k.id = counted.chunk JOIN documents d ON d.id = k.document
               JOIN collections c ON c.id = d.collection
             WHERE entities > 2 * relations
             ORDER BY entities - 2 * relations DESC, c.name, d.path, k.start_line LIMIT ?2`,
          )
            .all(given, limit)
            .map(sectionOf),
        };
      });
    },
  };
}

function sectionOf(row: SectionRow): SparseSection {
  return { ...placeOf(row), entities: row.entities, relations: row.relations };
}
