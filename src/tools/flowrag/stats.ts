// flowrag_stats: what the index contains and whether the config has changed since.

import * as z from 'zod';
import { plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { READS_LOCAL } from './fields.ts';
import { fenced, name } from './text.ts';

export const statsTool = defineTool({
  name: 'flowrag_stats',
  title: 'Index statistics',
  description:
    'Shows counts, models and config changes since the last index run, entities without relations, and passages that name many entities but state few relations.',
  input: z.strictObject({}),
  // Eighteen self-explanatory fields; their schema would take a tenth of the tool list.
  output: z.object({}),
  quotes: true,
  annotations: READS_LOCAL,
  scope: 'read',
  async run(_, { engine, call }) {
    const stats = await engine.graph.stats(call);
    const types = Object.entries(stats.entitiesByType)
      .map(([type, count]) => `${type} ${count}`)
      .join(', ');
    const before = [
      `documents ${stats.documents}, chunks ${stats.chunks}, entities ${stats.entities}, relations ${stats.relations}, vectors ${stats.vectors}`,
      ...(types ? [`entities by type: ${types}`] : []),
      `entities without relations ${stats.unrelatedEntities}; documents without entities ${stats.documentsWithoutEntities}`,
      `partial documents ${stats.partialDocuments}; read by another extractor ${stats.otherExtractor}; ${stats.bytes} bytes on disk`,
      `last indexed ${stats.lastIndexedAt ?? 'never'}; embedder ${stats.embedder}; extractor ${stats.extractor}`,
      ...stats.configChanges.map((change) => `Config change (${change.severity}): ${change.message}`),
      'Passages that name many entities and state little of them (flowrag_contribute adds what they say):',
    ];
    const lines = stats.sparseSections.map(
      ({ citation, entities, relations }) =>
        `- ${name(citation)}: ${plural(entities, 'entity', 'entities')}, ${plural(relations, 'relation')}`,
    );
    const warnings = stats.warnings.filter(
      (warning) => !stats.configChanges.some((change) => change.message === warning),
    );
    const shown = lines.length > 0 ? lines : ['none'];
    return { structured: { ...stats }, text: fenced(before, shown, warnings) };
  },
});
