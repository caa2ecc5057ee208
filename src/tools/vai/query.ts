// vai_query: the question-answering search, with reranking.

import * as z from 'zod';
import { defineTool } from '../tool.ts';
import {
  collection,
  db,
  filter,
  FILTER_HINT,
  model,
  MODEL_DEFAULT,
  query,
  READS_OPEN,
  version,
} from './fields.ts';
import { answerSearch, relevanceFields, searchOutput } from './hits.ts';

export const queryTool = defineTool({
  name: 'vai_query',
  title: 'Query the knowledge base',
  description:
    'Find the passages that answer a question, by meaning, words and relations, reranked. Each has a citation and a relevance (probability that it answers, comparable between calls; scores only order one answer). metadata.verdict is answered, weak or nothing_relevant. Not for texts you already have (vai_rerank).',
  input: z.strictObject({
    query: query.describe('The question in natural language'),
    db: db.describe('Database; default from config'),
    collection: collection.describe('Collection, a,b or a/folder; default from config, else all'),
    limit: z.int().min(1).max(50).default(5),
    model: model.describe(`Embedding model for the query. ${MODEL_DEFAULT}`),
    rerank: z.boolean().default(true),
    version: version.describe('Library version, e.g. 3'),
    filter: filter.describe(FILTER_HINT),
    deadlineMs: z.int().min(1).max(45_000).optional().describe('Then return what was found so far'),
    maxTokens: z.int().min(50).max(100_000).optional().describe('Rough limit for all results'),
    ...relevanceFields,
  }),
  output: searchOutput,
  quotes: true,
  annotations: READS_OPEN,
  scope: 'read',
  run: (input, context) => answerSearch({ ...input, relations: true }, context, { rerank: true }),
});
