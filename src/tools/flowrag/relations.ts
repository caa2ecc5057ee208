// flowrag_relations: what an entity has to do with others.

import * as z from 'zod';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { entity, READS, record, records, texts } from './fields.ts';
import { evidenceText, fenced, name, resolvedText } from './text.ts';

export const relationsTool = defineTool({
  name: 'flowrag_relations',
  title: 'Relations of an entity',
  description:
    'Relations in, out or both of an entity (part of its name is enough), with where each is said.',
  input: z.strictObject({ entity, direction: z.enum(['in', 'out', 'both']).default('both') }),
  output: z.object({
    resolved: record,
    total: z.int(),
    truncated: z.boolean(),
    relations: records,
    warnings: texts,
  }),
  quotes: true,
  annotations: READS,
  scope: 'read',
  async run(input, { engine, call }) {
    const found = await engine.graph.relations(call, input);
    const relations = found.relations.map((relation) => ({
      ...relation,
      description: oneLine(relation.description, 240),
    }));
    const lines = relations.map((relation) => {
      const said = relation.description ? `: ${relation.description}` : '';
      return `- ${name(relation.source)} -${relation.type}-> ${name(relation.target)}${said} ${evidenceText(relation)}`;
    });
    const head = `${relations.length} of ${plural(found.total, 'relation')}.`;
    const about = `Relations of ${resolvedText(found.resolved)}`;
    return { structured: { ...found, relations }, text: fenced([head], [about, ...lines], found.warnings) };
  },
});
