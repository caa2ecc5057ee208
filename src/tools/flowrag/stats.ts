// flowrag_stats: what the index holds and whether the config has moved on.

import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { READS, record, records, texts } from './fields.ts';
import { warningText } from './text.ts';

export const statsTool = defineTool({
  name: 'flowrag_stats',
  title: 'Index statistics',
  description:
    'Counts of documents, chunks, entities, relations and vectors, the models used, and config changes since.',
  input: z.strictObject({}),
  output: z.object({
    documents: z.int(),
    chunks: z.int(),
    entities: z.int(),
    relations: z.int(),
    vectors: z.int(),
    vectorsByKind: record,
    entitiesByType: record,
    partialDocuments: z.int(),
    otherExtractor: z.int(),
    lastIndexedAt: z.string().nullable(),
    embedder: z.string(),
    extractor: z.string(),
    configChanges: records,
    bytes: z.int(),
    warnings: texts,
  }),
  annotations: READS,
  scope: 'read',
  async run(_, { engine, call }) {
    const stats = await engine.graph.stats(call);
    const types = Object.entries(stats.entitiesByType)
      .map(([type, count]) => `${type} ${count}`)
      .join(', ');
    const text = [
      `documents ${stats.documents}, chunks ${stats.chunks}, entities ${stats.entities}, relations ${stats.relations}, vectors ${stats.vectors}`,
      ...(types ? [`entities by type: ${types}`] : []),
      `partial documents ${stats.partialDocuments}; read by another extractor ${stats.otherExtractor}; ${stats.bytes} bytes on disk`,
      `last indexed ${stats.lastIndexedAt ?? 'never'}; embedder ${stats.embedder}; extractor ${stats.extractor}`,
      ...stats.configChanges.map((change) => `Config change (${change.severity}): ${change.message}`),
      ...warningText(
        stats.warnings.filter((warning) => !stats.configChanges.some((change) => change.message === warning)),
      ),
    ].join('\n');
    return { structured: { ...stats }, text };
  },
});
