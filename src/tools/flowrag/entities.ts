// flowrag_entities: what the graph knows.

import * as z from 'zod';
import { EMPTY_GRAPH } from '../../engine/graph/resolve.ts';
import type { EntityList, ShownEntity } from '../../engine/graph/types.ts';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { fitDetail } from './detail.ts';
import { clamp, READS_LOCAL, records, texts, upTo } from './fields.ts';
import { evidenceText, fenced, name } from './text.ts';

const MOST = 1000;

export const entitiesTool = defineTool({
  name: 'flowrag_entities',
  title: 'List entities',
  description:
    'Lists entities, those with the most evidence first, each with type, description and the lines that state it.',
  input: z.strictObject({
    type: z.string().trim().min(1).max(64).optional().describe('e.g. SERVICE'),
    query: z.string().trim().min(1).max(256).optional().describe('Part of name or description'),
    limit: upTo(MOST, 20),
  }),
  output: z.object({ total: z.int(), truncated: z.boolean(), entities: records, warnings: texts }),
  quotes: true,
  annotations: READS_LOCAL,
  scope: 'read',
  async run(input, { engine, call }) {
    const limit = clamp('limit', input.limit, MOST);
    const listed = await engine.graph.entities(call, { ...input, limit: limit.value });
    const found = { ...listed, warnings: [...listed.warnings, ...limit.notices] };
    const entities = fitDetail<ShownEntity, Listed>(found.entities, [
      (entity) => ({ ...entity, description: oneLine(entity.description, 300) }),
      ({ name, type, aliases, relationCount, evidence, evidenceTotal }) => ({
        ...{ name, type, aliases, relationCount, evidenceTotal },
        evidence: evidence.slice(0, 1).map(({ citation, by }) => ({ citation, ...(by ? { by } : {}) })),
      }),
      ({ name, type, aliases }) => ({ name, type, ...(aliases.length > 0 ? { aliases } : {}) }),
    ]);
    const lines = entities.map((entity) => {
      const { aliases = [], fields = {}, evidence = [], evidenceTotal = 0, relationCount } = entity;
      const parts = [
        `${name(entity.name)} (${entity.type})${relationCount === undefined ? '' : `, ${plural(relationCount, 'relation')}`}`,
        entity.description,
        aliases.length > 0 ? `also written ${aliases.map(name).join(', ')}` : '',
        Object.entries(fields)
          .map(([key, value]) => `${key}=${name(value)}`)
          .join(', '),
        evidenceText({ evidence, evidenceTotal }),
      ];
      return `- ${parts.filter(Boolean).join('; ')}`;
    });
    const head = headOf(found);
    return { structured: { ...found, entities }, text: fenced([head], lines, found.warnings) };
  },
});

/** Everything of a few, the names of many. */
type Listed = Pick<ShownEntity, 'name' | 'type'> &
  Partial<Omit<ShownEntity, 'evidence'>> & { evidence?: { citation: string; by?: string }[] };

function headOf({ entities, total, truncated, warnings }: EntityList): string {
  if (total === 0)
    return warnings.includes(EMPTY_GRAPH)
      ? 'There are no entities.'
      : 'No entity matches. Leave out type or query to see what there is.';
  return `${entities.length} of ${plural(total, 'entity', 'entities')}${truncated ? ' (truncated: narrow by type or query)' : ''}.`;
}
