// What each chunk contributed to the graph, as it was written: for copying to another store.

import type { EntityMention, RelationMention } from '../../../domain/graph.ts';
import type { GraphReads, GraphWrites } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { toId } from '../scope.ts';

export type ContributionReads = Pick<GraphReads, 'contributions'>;

interface EntityRow {
  key: string;
  start_line: number;
  end_line: number;
  said: string;
}

interface RelationRow extends Omit<EntityRow, 'key'> {
  source: string;
  target: string;
  type: string;
}

export function createContributionReads({ sql, read }: Connection): ContributionReads {
  return {
    async contributions(ids) {
      return read(() => {
        const chunk = sql('SELECT id FROM chunks WHERE id = ?');
        const entities = sql<EntityRow>(
          `SELECT e.key, m.start_line, m.end_line, m.said FROM entity_mentions m JOIN entities e ON e.id = m.entity
           WHERE m.chunk = ? ORDER BY m.id`,
        );
        const relations = sql<RelationRow>(
          `SELECT r.source, r.target, r.type, m.start_line, m.end_line, m.said
           FROM relation_mentions m JOIN relations r ON r.id = m.relation WHERE m.chunk = ? ORDER BY m.id`,
        );
        const found = new Map<string, GraphWrites>();
        for (const text of ids) {
          const id = toId(text);
          if (id === undefined || !chunk.get(id)) continue;
          found.set(text, {
            entities: entities.all(id).map((mention) => ({
              key: mention.key,
              ...(JSON.parse(mention.said) as EntityMention),
              startLine: mention.start_line,
              endLine: mention.end_line,
            })),
            relations: relations.all(id).map((mention) => ({
              sourceKey: mention.source,
              targetKey: mention.target,
              type: mention.type,
              ...(JSON.parse(mention.said) as Omit<RelationMention, 'type'>),
              startLine: mention.start_line,
              endLine: mention.end_line,
            })),
          });
        }
        return found;
      });
    },
  };
}
