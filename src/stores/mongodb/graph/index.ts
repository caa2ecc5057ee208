// The graph operations of the store.

import type { GraphReads } from '../../../ports/graph-store.ts';
import type { Database } from '../database.ts';
import { createContributionReads } from './contributions.ts';
import { createEntityReads } from './entities.ts';
import { createGapReads } from './gaps.ts';
import { createMentionReads } from './mentions.ts';
import { createNaming } from './naming.ts';
import { createRelationReads } from './relations.ts';
import { annotateDocument } from './write.ts';

export function createGraph(database: Database): GraphReads {
  return {
    ...createEntityReads(database),
    ...createRelationReads(database),
    ...createMentionReads(database),
    ...createNaming(database),
    ...createContributionReads(database),
    ...createGapReads(database),
    annotate: (collection, path, chunks) =>
      database.transaction((session) => annotateDocument(database, { collection, path }, chunks, session)),
  };
}
