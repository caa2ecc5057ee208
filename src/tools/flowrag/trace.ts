// flowrag_trace: where something comes from or goes to.

import * as z from 'zod';
import { TRACE_DIRECTIONS } from '../../engine/graph/trace.ts';
import { defineTool } from '../tool.ts';
import { entity, READS_LOCAL, record, records, texts } from './fields.ts';
import { fenced, traceText } from './text.ts';

export const traceTool = defineTool({
  name: 'flowrag_trace',
  title: 'Trace a flow',
  description:
    'Lists everything upstream or downstream of an entity, or what is affected when it fails (impact), with the distance of each.',
  input: z.strictObject({ entity, direction: z.enum(TRACE_DIRECTIONS) }),
  output: z.object({
    resolved: record,
    direction: z.string(),
    depthReached: z.int(),
    truncated: z.boolean(),
    nodes: records,
    edges: records,
    warnings: texts,
  }),
  quotes: true,
  annotations: READS_LOCAL,
  scope: 'read',
  async run(input, { engine, call }) {
    const trace = await engine.graph.trace(call, input);
    // Evidence is capped harder here: a trace may have hundreds of edges.
    const edges = trace.edges.map((edge) => ({ ...edge, evidence: edge.evidence.slice(0, 1) }));
    const { head, lines } = traceText({ ...trace, edges });
    return { structured: { ...trace, edges }, text: fenced([head], lines, trace.warnings) };
  },
});
