// flowrag_contribute: adds statements that an agent has read and the graph lacks.

import * as z from 'zod';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { entity, records, texts } from './fields.ts';
import { fenced, name } from './text.ts';

const type = z.string().trim().min(1).max(64);
const about = {
  description: z.string().trim().max(400).optional(),
  citation: z.string().trim().min(1).max(2048),
};

export const contributeTool = defineTool({
  name: 'flowrag_contribute',
  title: 'Add to the graph',
  description:
    'Adds entities and relations that the documents state but the graph lacks. Cite the lines that state each one (docs/auth.md:3-5); they must name the entity, or both ends of the relation. It is kept as an agent’s statement until those lines change.',
  input: z.strictObject({
    entities: z
      .array(z.strictObject({ name: entity, type, ...about }))
      .max(100)
      .default([]),
    relations: z
      .array(z.strictObject({ source: entity, type, target: entity, ...about }))
      .max(200)
      .default([]),
    remove: z.boolean().default(false).describe('Withdraw these statements instead'),
  }),
  output: z.object({ entities: z.int(), relations: z.int(), refused: records, warnings: texts }),
  quotes: true,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scope: 'write',
  async run({ entities, relations, remove }, { engine, call }) {
    const done = await engine.graph.contribute(call, { entities, relations, remove });
    const head = `${remove ? 'Took back' : 'Kept'} ${plural(done.entities, 'entity', 'entities')} and ${plural(done.relations, 'relation')}; refused:`;
    const lines = done.refused.map(
      ({ statement, citation, reason }) => `- ${name(statement)} [${oneLine(citation, 300)}]: ${reason}`,
    );
    return {
      structured: { ...done },
      text: fenced([head], lines.length > 0 ? lines : ['none'], done.warnings),
    };
  },
});
