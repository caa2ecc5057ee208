// find: search by words, read cited lines, or both in one call.

import * as z from 'zod';
import { CONTEXT_MODES } from '../../engine/cite/context.ts';
import { defineTool } from '../tool.ts';
import { ANY, quoting, READ_ONLY } from './answer.ts';
import { count, text, texts } from './input.ts';

const findInput = z.strictObject({
  query: text(5000).optional(),
  snippets: texts(2048, 100).optional().describe('e.g. bun:304-324'),
  source: z
    .union([text(200), z.array(text(200))])
    .optional()
    .describe('alias(es); default all'),
  version: text(40).optional(),
  contextMode: z.enum(CONTEXT_MODES).optional().describe('symmetric=section, all=top section'),
  linePadding: count(0, 50),
  maxResults: count(1, 50),
  minRelevance: z.number().min(0).max(1).optional(),
});

export const findTool = defineTool({
  name: 'find',
  description: 'Search docs by words and/or read exact lines by citation.',
  input: findInput,
  output: ANY,
  quotes: true,
  annotations: READ_ONLY,
  scope: 'read',
  async run(input, { engine, call }) {
    return quoting(await engine.docs.find(call, input));
  },
});
