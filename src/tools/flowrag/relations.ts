// flowrag_relations: the relations of an entity.

import * as z from 'zod';
import type { ShownRelation } from '../../engine/graph/types.ts';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { fitDetail } from './detail.ts';
import { entity, READS_LOCAL, record, records, texts } from './fields.ts';
import { neighbourhoodView } from './neighbourhood-view.ts';
import { evidenceText, fenced, name, resolvedText } from './text.ts';

export const relationsTool = defineTool({
  name: 'flowrag_relations',
  title: 'Relations of an entity',
  description:
    'Lists the incoming and outgoing relations of an entity (part of its name is enough), the most certain first, each with the lines that state it. If none is stated, lists what is mentioned together with it (stated: false).',
  input: z.strictObject({
    entity,
    direction: z.enum(['in', 'out', 'both']).default('both'),
    type: z.string().trim().min(1).max(64).optional().describe('e.g. USES'),
    minConfidence: z.number().min(0).max(1).optional(),
  }),
  output: z.object({
    resolved: record,
    total: z.int(),
    truncated: z.boolean(),
    relations: records,
    warnings: texts,
  }),
  quotes: true,
  view: neighbourhoodView,
  annotations: READS_LOCAL,
  scope: 'read',
  async run(input, { engine, call }) {
    const found = await engine.graph.relations(call, input);
    const relations = fitDetail<ShownRelation, Listed>(found.relations, [
      (relation) => ({ ...relation, description: oneLine(relation.description, 240) }),
      ({ source, type, target, direction, stated, confidence, by, keywords, evidence, evidenceTotal }) => ({
        ...{ source, type, target, direction, stated, confidence, by, keywords, evidenceTotal },
        evidence: evidence.slice(0, 1).map(({ citation, by }) => ({ citation, ...(by ? { by } : {}) })),
      }),
      ({ source, type, target, confidence, by }) => ({ source, type, target, confidence, by }),
    ]);
    const lines = relations.map((relation) => {
      const { evidence = [], evidenceTotal = 0, confidence } = relation;
      const stated = relation.description ? `: ${relation.description}` : '';
      return `- ${name(relation.source)} -${relation.type}-> ${name(relation.target)} (${relation.stated === false ? 'not stated' : confidence})${stated} ${evidenceText({ evidence, evidenceTotal })}`;
    });
    const head = `${relations.length} of ${plural(found.total, 'relation')}.`;
    const about = `Relations of ${resolvedText(found.resolved)}`;
    return { structured: { ...found, relations }, text: fenced([head], [about, ...lines], found.warnings) };
  },
});

/** Everything of a few, the ends of many. */
type Listed = Pick<ShownRelation, 'source' | 'type' | 'target' | 'confidence'> &
  Partial<Omit<ShownRelation, 'evidence'>> & { evidence?: { citation: string; by?: string }[] };
