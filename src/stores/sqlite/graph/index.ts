// The graph half of the store, put together.

import type { GraphReads } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import type { PieceReads } from '../pieces.ts';
import { collectionRow, documentRow } from '../rows.ts';
import { createContributionReads } from './contributions.ts';
import { createEntityReads } from './entities.ts';
import { createGapReads } from './gaps.ts';
import { createMentionReads } from './mentions.ts';
import { createNaming } from './naming.ts';
import { createRelationReads } from './relations.ts';
import { annotateDocument, clearGraph } from './write.ts';

export function createGraph(connection: Connection, pieces: PieceReads): GraphReads {
  return {
    ...createEntityReads(connection),
    ...createRelationReads(connection),
    ...createMentionReads(connection),
    ...createNaming(connection, pieces),
    ...createContributionReads(connection),
    ...createGapReads(connection),
    async annotate(collection, path, chunks) {
      return connection.write(() =>
        annotateDocument(connection, documentRow(connection, collection, path), chunks),
      );
    },
    async clear(collection) {
      await connection.write(() => {
        const row = collectionRow(connection, collection);
        if (row) clearGraph(connection, row.id);
      });
    },
  };
}
