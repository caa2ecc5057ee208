// flowrag_path: how two entities are connected.

import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { clamp, entity, READS_LOCAL, record, records, texts, upTo } from './fields.ts';
import { fenced, pathText } from './text.ts';

const MOST = 20;

export const pathTool = defineTool({
  name: 'flowrag_path',
  title: 'Path between entities',
  description:
    'Finds the shortest path between two entities. If none follows the arrows, their direction is ignored (directed: false).',
  input: z.strictObject({ from: entity, to: entity, maxDepth: upTo(MOST, 5) }),
  output: z.object({
    from: record,
    to: record,
    found: z.boolean(),
    directed: z.boolean(),
    length: z.int(),
    edges: records,
    searchedDepth: z.int(),
    warnings: texts,
  }),
  quotes: true,
  annotations: READS_LOCAL,
  scope: 'read',
  async run(input, { engine, call }) {
    const depth = clamp('maxDepth', input.maxDepth, MOST);
    const found = await engine.graph.path(call, { ...input, maxDepth: depth.value });
    const path = { ...found, warnings: [...found.warnings, ...depth.notices] };
    const { head, lines } = pathText(path);
    return { structured: { ...path }, text: fenced([head], lines, path.warnings) };
  },
});
