// vai_similarity: how close two texts are in meaning.

import * as z from 'zod';
import { notes, oneLine } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { echo } from './embed.ts';
import { model, MODEL_DEFAULT, READS_OPEN, truncated, warned, warnings } from './fields.ts';

const text = z.string().min(1).max(32_000);

export const similarityTool = defineTool({
  name: 'vai_similarity',
  title: 'Compare two texts',
  description:
    'Cosine similarity of two texts (1 same direction, 0 unrelated). Use to check for duplicates. Not for ranking many texts (vai_rerank).',
  input: z.strictObject({ text1: text, text2: text, model: model.describe(MODEL_DEFAULT) }),
  output: z.object({
    text1: z.string(),
    text1Truncated: truncated,
    text2: z.string(),
    text2Truncated: truncated,
    similarity: z.number(),
    model: z.string(),
    tokens: z.int(),
    warnings,
  }),
  annotations: READS_OPEN,
  scope: 'read',
  async run(input, { engine, call }) {
    const answer = await engine.models.similarity(call, input);
    return {
      structured: {
        ...echo('text1', input.text1),
        ...echo('text2', input.text2),
        similarity: answer.similarity,
        model: answer.model,
        tokens: answer.tokens,
        ...warned(answer.warnings),
      },
      text: [
        `Similarity ${answer.similarity} by ${oneLine(answer.model)} (${answer.tokens} tokens).`,
        ...notes(answer.warnings),
        `text1: ${oneLine(input.text1)}`,
        `text2: ${oneLine(input.text2)}`,
      ].join('\n'),
    };
  },
});
