// vai_collections: what there is to search.

import * as z from 'zod';
import type { CollectionReport } from '../../engine/collections.ts';
import { fitRows } from '../shared/budget.ts';
import { createFence } from '../shared/fence.ts';
import { count, notes, oneLine, plural, table } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { db, READS_LOCAL, records, truncated, warned, warnings } from './fields.ts';

export const collectionsTool = defineTool({
  name: 'vai_collections',
  title: 'List collections',
  description:
    'List the collections of a database with chunk counts, sources, embedding model and vector index. Use first.',
  input: z.strictObject({ db: db.describe('Database; default from config') }),
  output: z.object({
    database: z.string(),
    collections: records,
    store: z.string(),
    about: z.string().optional(),
    truncated,
    total: z.int().optional(),
    warnings,
  }),
  quotes: true,
  annotations: READS_LOCAL,
  scope: 'read',
  async run(input, { engine, call }) {
    const report = await engine.collections.list(call, input);
    const all = report.collections.map(describeCollection);
    const collections = fitRows(all, engine.resultBudget, 1);
    const left = all.length - collections.length;
    const fence = createFence();
    return {
      structured: {
        database: report.database,
        collections,
        store: report.store,
        ...(report.about ? { about: report.about } : {}),
        ...(left > 0 ? { truncated: true, total: all.length } : {}),
        ...warned(report.warnings),
      },
      text: [
        `${plural(all.length, 'collection')} in database ${report.database} (${report.store}).`,
        ...(report.about ? [report.about] : []),
        ...(collections.length
          ? [fence.notice, fence.wrap(collectionTable(collections))]
          : ['Add a document with vai_ingest to create one.']),
        ...(left > 0 ? [`${plural(left, 'more collection is', 'more collections are')} not shown.`] : []),
        ...notes(report.warnings, 500),
      ].join('\n'),
    };
  },
});

export interface CollectionRow {
  name: string;
  /** Stored chunks, as the specification counts. */
  documentCount: number;
  /** Texts. */
  sources: number;
  hasVectorIndex: boolean;
  embeddingField?: string;
  dimensions?: number;
  model?: string;
  indexName?: string;
  indexStatus?: string;
  filterFields?: string[];
  title?: string;
  description?: string;
  updatedAt: string;
  error?: string;
}

export function describeCollection(report: CollectionReport): CollectionRow {
  const index = report.indexes.find((entry) => entry.type === 'vector' && entry.status !== 'missing');
  const stamp = report.embedding;
  return {
    name: report.name,
    documentCount: report.stats.chunks,
    sources: report.stats.documents,
    hasVectorIndex: index !== undefined,
    ...(index ? { embeddingField: index.field, indexName: index.name, indexStatus: index.status } : {}),
    ...((index?.dimensions ?? stamp?.dimensions)
      ? { dimensions: index?.dimensions ?? stamp?.dimensions }
      : {}),
    ...(stamp ? { model: stamp.model } : {}),
    ...(index?.filterFields.length ? { filterFields: index.filterFields } : {}),
    ...(report.title ? { title: oneLine(report.title) } : {}),
    ...(report.description ? { description: oneLine(report.description) } : {}),
    updatedAt: report.updatedAt,
    ...(report.error ? { error: report.error } : {}),
  };
}

/** The fields a table has no room for are few and small; they follow it. */
function collectionTable(rows: readonly CollectionRow[]): string {
  const body = rows.map((row) => [
    row.name,
    count(row.documentCount),
    count(row.sources),
    row.model ? `${row.model} × ${row.dimensions}` : 'words only',
    row.hasVectorIndex ? `${row.indexName} on ${row.embeddingField}, ${row.indexStatus}` : 'none',
    row.updatedAt.slice(0, 10),
    [row.title, row.description, row.error ? `error: ${row.error}` : ''].filter(Boolean).join('; '),
  ]);
  const fields = [...new Set(rows.flatMap((row) => row.filterFields ?? []))];
  return [
    table(['collection', 'chunks', 'sources', 'model', 'vector index', 'updated', 'about'], body),
    ...(fields.length ? [`Filterable paths: ${fields.map((field) => oneLine(field, 80)).join(', ')}`] : []),
  ].join('\n');
}
