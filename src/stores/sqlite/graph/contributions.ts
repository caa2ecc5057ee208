// What each chunk contributed to the graph, as it was written: for copying to another store.

import type { EntityMention, RelationMention } from '../../../domain/graph.ts';
import { storedMention } from '../../../domain/statements.ts';
import type { GraphReads, GraphWrites } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { toId } from '../scope.ts';

export type ContributionReads = Pick<GraphReads, 'contributions'>;

interface Stored {
  startLine: number;
  endLine: number;
  said: string;
}

export function createContributionReads({ sql, read }: Connection): ContributionReads {
  return {
    async contributions(ids) {
      return read(() => {
        const chunk = sql('SELECT id FROM chunks WHERE id = ?');
        const entities = sql<Stored & { key: string }>(
          `SELECT e.key, m.start_line AS startLine, m.end_line AS endLine, m.said FROM entity_mentions m JOIN entities e ON e.id = m.entity
           WHERE m.chunk = ? ORDER BY m.id`,
        );
        const relations = sql<Stored & { source: string; target: string; type: string }>(
          `SELECT r.source, r.target, r.type, m.start_line AS startLine, m.end_line AS endLine, m.said
           FROM relation_mentions m JOIN relations r ON r.id = m.relation WHERE m.chunk = ? ORDER BY m.id`,
        );
        const found = new Map<string, GraphWrites>();
        for (const text of ids) {
          const id = toId(text);
          if (id === undefined || !chunk.get(id)) continue;
          found.set(text, {
            entities: entities.all(id).map((row) => ({ key: row.key, ...storedMention<EntityMention>(row) })),
            relations: relations.all(id).map((row) => ({
              ...{ sourceKey: row.source, targetKey: row.target, type: row.type },
              ...storedMention<Omit<RelationMention, 'type'>>(row),
            })),
          });
        }
        return found;
      });
    },
  };
}
