// The graph operations of the store.

import type { GraphReads } from '../../../ports/graph-store.ts';
import { batched } from '../batch.ts';
import type { Connection } from '../connection.ts';
import type { PieceReads } from '../pieces.ts';
import { createContributionReads } from './contributions.ts';
import { createEntityReads } from './entities.ts';
import { createGapReads } from './gaps.ts';
import { createMentionReads } from './mentions.ts';
import { createNaming } from './naming.ts';
import { createRelationReads } from './relations.ts';
import { annotateDocuments, weightOf, type Annotation } from './write.ts';

/** To write a statement takes as long as to write so many characters of text. */
const STATEMENT_CHARACTERS = 100;

export function createGraph(connection: Connection, pieces: PieceReads): GraphReads {
  const annotate = batched<Annotation, boolean>({
    commit: (annotations) => connection.write(() => annotateDocuments(connection, annotations)),
    weigh: ({ chunks }) =>
      STATEMENT_CHARACTERS * chunks.reduce((statements, chunk) => statements + weightOf(chunk), 0),
  });
  return {
    ...createEntityReads(connection),
    ...createRelationReads(connection),
    ...createMentionReads(connection),
    ...createNaming(connection, pieces),
    ...createContributionReads(connection),
    ...createGapReads(connection),
    annotate: (collection, path, chunks) => annotate({ collection, path, chunks }),
  };
}
