// vai_explain: our own explanations.

import * as z from 'zod';
import type { Explanation } from '../../engine/explain/explain.ts';
import { defineTool } from '../tool.ts';
import { READS_LOCAL } from './fields.ts';

const list = z.array(z.string());

export const explainTool = defineTool({
  name: 'vai_explain',
  title: 'Explain a topic',
  description:
    'Explain a concept of retrieval with runnable examples. Topics: embeddings, rag, chunking, filters, reranking, hybrid-search, citations, moe, shared-space, rteb, quantization, two-stage, nano, models, mcp and more. Not for questions about the stored documents (vai_query).',
  input: z.strictObject({ topic: z.string().max(200) }),
  output: z.object({
    topic: z.string(),
    title: z.string(),
    summary: z.string(),
    content: z.string(),
    links: list,
    tryIt: list,
    relatedTopics: list,
    matchedFrom: z.string().optional(),
  }),
  annotations: READS_LOCAL,
  scope: 'read',
  async run({ topic }, { engine, call }) {
    const explanation = engine.explain.topic(call, topic);
    return { structured: { ...explanation }, text: explanationText(explanation) };
  },
});

export function explanationText(explanation: Explanation): string {
  return [
    `# ${explanation.title}`,
    ...(explanation.matchedFrom
      ? [`(topic ${explanation.topic}, asked as "${explanation.matchedFrom}")`]
      : []),
    explanation.summary,
    explanation.content,
    `Try it:\n${explanation.tryIt.map((command) => `    ${command}`).join('\n')}`,
    ...(explanation.links.length ? [`Links: ${explanation.links.join(', ')}`] : []),
    `Related: ${explanation.relatedTopics.join(', ')}`,
  ].join('\n\n');
}
