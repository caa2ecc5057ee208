// flowrag_trace: where something comes from or goes to. One line per edge, indented by distance: never one chain, which
// would print edges that do not exist.

import * as z from 'zod';
import { plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { entity, READS, record, records, texts } from './fields.ts';
import { evidenceText, fenced, name, resolvedText } from './text.ts';

const HEADS = {
  upstream: ['upstream', 'Upstream of'],
  downstream: ['downstream', 'Downstream of'],
  impact: ['affected', 'Affected by'],
} as const;

export const traceTool = defineTool({
  name: 'flowrag_trace',
  title: 'Trace a flow',
  description:
    'Everything upstream or downstream of an entity, or what fails or is affected when it does (impact), with distances; branches are kept.',
  input: z.strictObject({ entity, direction: z.enum(['upstream', 'downstream', 'impact']) }),
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
  annotations: READS,
  scope: 'read',
  async run(input, { engine, call }) {
    const trace = await engine.graph.trace(call, input);
    // Evidence is capped harder here: a trace may have hundreds of edges.
    const edges = trace.edges.map((edge) => ({ ...edge, evidence: edge.evidence.slice(0, 1) }));
    const lines = edges.map(
      (edge) =>
        `${'  '.repeat(edge.depth - 1)}${name(edge.source)} -${edge.type}-> ${name(edge.target)} ${evidenceText(edge)}`,
    );
    const head = `${plural(trace.nodes.length - 1, 'entity', 'entities')} ${HEADS[trace.direction][0]}.${trace.truncated ? ' The trace was truncated.' : ''}`;
    const about = `${HEADS[trace.direction][1]} ${resolvedText(trace.resolved)}`;
    return { structured: { ...trace, edges }, text: fenced([head], [about, ...lines], trace.warnings) };
  },
});
