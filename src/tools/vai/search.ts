// vai_search: the first stage alone.

import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { collection, db, filter, FILTER_HINT, model, query, READS_OPEN, version } from './fields.ts';
import { answerSearch, relevanceFields, searchOutput } from './hits.ts';

export const searchTool = defineTool({
  name: 'vai_search',
  title: 'Search without reranking',
  description:
    'Similarity search without reranking: faster and wider than vai_query, but ordered less precisely. Use to explore or to collect candidates for vai_rerank.',
  input: z.strictObject({
    query: query.describe('Search text; mode words also takes "phrases", +required, -excluded'),
    db,
    collection,
    limit: z.int().min(1).max(100).default(10),
    model,
    version: version.describe('Library version, e.g. 3'),
    filter: filter.describe(FILTER_HINT),
    mode: z
      .enum(['meaning', 'words', 'hybrid'])
      .optional()
      .describe('Default: meaning with a hosted embedder, else hybrid'),
    ...relevanceFields,
  }),
  output: searchOutput,
  quotes: true,
  annotations: READS_OPEN,
  scope: 'read',
  run: (input, context) => answerSearch(input, context, { rerank: false }),
});
