// vai_rerank: texts the agent brings, in order of relevance.

import * as z from 'zod';
import { fitContents } from '../shared/budget.ts';
import { createFence } from '../shared/fence.ts';
import { notes, oneLine, plural } from '../shared/text.ts';
import { defineTool, type Tool } from '../tool.ts';
import { query, READS_OPEN, records, truncated, warned, warnings } from './fields.ts';

const RERANK_MODELS = ['rerank-2.5', 'rerank-2.5-lite', 'builtin-rerank-1'];

/** `models` are the rerankers a user added to the catalogue. */
export function rerankTool(models: readonly string[] = []): Tool {
  return defineTool({
    name: 'vai_rerank',
    title: 'Rerank documents',
    description:
      'Order texts you already have by relevance to a query. Use after vai_search, or to compare passages of several collections. Not for searching stored documents (vai_query).',
    input: z.strictObject({
      query: query.describe('What to rank against'),
      documents: z.array(z.string().max(100_000)).min(1).max(100),
      model: z
        .enum([...new Set([...RERANK_MODELS, ...models])])
        .optional()
        .describe('Default: rerank-2.5 with a Voyage key, else builtin-rerank-1'),
    }),
    output: z.object({
      query: z.string(),
      results: records,
      model: z.string(),
      tokens: z.int(),
      skipped: z.array(z.int()),
      timeMs: z.int(),
      warnings,
      truncated,
    }),
    quotes: true,
    annotations: READS_OPEN,
    scope: 'read',
    async run(input, { engine, call }) {
      const answer = await engine.models.rerank(call, input);
      const { results, warnings, ...rest } = answer;
      const frame = results.length * 120 + JSON.stringify(input.query).length + 1_000;
      const fitted = fitContents(
        results.map(({ document, ...other }) => ({ ...other, content: document })),
        Math.max(0, engine.resultBudget - frame),
      ).map(({ content, ...other }) => ({ ...other, document: content }));
      const fence = createFence();
      const lines = [
        `${plural(fitted.length, 'document')} ranked by ${oneLine(rest.model)} (${rest.tokens} tokens, ${rest.timeMs} ms) for: ${oneLine(input.query)}`,
        ...(rest.skipped.length ? [`Skipped as empty: ${rest.skipped.join(', ')}`] : []),
        ...notes(warnings),
        fence.notice,
      ];
      fitted.forEach((item, at) => {
        const cut = item.truncated ? `, truncated from ${item.contentLength} characters` : '';
        lines.push(
          `${at + 1}. index ${item.index}, relevance ${item.relevanceScore}${cut}`,
          fence.wrap(item.document),
        );
      });
      return {
        structured: {
          query: input.query,
          results: fitted,
          ...rest,
          ...warned(warnings),
          ...(fitted.some((item) => item.truncated) ? { truncated: true } : {}),
        },
        text: lines.join('\n'),
      };
    },
  });
}
