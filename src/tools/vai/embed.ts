// vai_embed: the vector itself.

import * as z from 'zod';
import { head, notes, oneLine } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { model, MODEL_DEFAULT, READS_OPEN, truncated, warned, warnings } from './fields.ts';

/** The caller knows its own text; more than this would only be sent back and forth. */
const ECHO = 1_000;

export const echo = (name: 'text' | 'text1' | 'text2', text: string): Record<string, unknown> =>
  text.length <= ECHO ? { [name]: text } : { [name]: head(text, ECHO), [`${name}Truncated`]: true };

export const embedTool = defineTool({
  name: 'vai_embed',
  title: 'Embed text',
  description:
    'Embed one text and return its vector. Use when you need raw numbers. Not needed for search (vai_query) or comparing two texts (vai_similarity).',
  input: z.strictObject({
    text: z.string().min(1).max(32_000),
    model: model.describe(MODEL_DEFAULT),
    inputType: z
      .enum(['document', 'query'])
      .default('query')
      .describe('Role of the text; affects the vector'),
    dimensions: z.int().min(1).max(8192).optional().describe('A size the model offers (see vai_models)'),
  }),
  output: z.object({
    text: z.string(),
    textTruncated: truncated,
    model: z.string(),
    vector: z.array(z.number()),
    dimensions: z.int(),
    inputType: z.string(),
    tokens: z.int(),
    warnings,
  }),
  annotations: READS_OPEN,
  scope: 'read',
  async run(input, { engine, call }) {
    const { text, inputType, ...rest } = input;
    const { role, warnings, vector, ...answer } = await engine.models.embed(call, {
      text,
      role: inputType,
      ...rest,
    });
    return {
      structured: {
        ...echo('text', text),
        model: answer.model,
        vector,
        dimensions: answer.dimensions,
        inputType: role,
        tokens: answer.tokens,
        ...warned(warnings),
      },
      text: [
        `Vector of ${answer.dimensions} dimensions by ${oneLine(answer.model)} for a ${role} (${answer.tokens} tokens): ${oneLine(text)}`,
        ...notes(warnings),
        JSON.stringify(vector),
      ].join('\n'),
    };
  },
});
