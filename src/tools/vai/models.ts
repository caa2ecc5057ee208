// vai_models: what there is to embed and rerank with.

import * as z from 'zod';
import type { ModelInfo } from '../../ports/models.ts';
import type { ModelList } from '../../engine/models.ts';
import { count, table } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { READS_LOCAL, record, records } from './fields.ts';

export const modelsTool = defineTool({
  name: 'vai_models',
  title: 'List models',
  description:
    'List embedding models and rerankers with dimensions, context, price, shared space and benchmark. Use to choose a model.',
  input: z.strictObject({ category: z.enum(['embedding', 'rerank', 'all']).default('all') }),
  output: z.object({
    category: z.string(),
    models: records,
    defaults: record,
    benchmarks: records.optional(),
  }),
  annotations: READS_LOCAL,
  scope: 'read',
  async run(input, { engine, call }) {
    const list = await engine.models.list(call, input);
    return { structured: describeModels(list), text: modelsText(list) };
  },
});

export function describeModels(list: ModelList): Record<string, unknown> {
  return {
    category: list.category,
    models: list.models.map(describeModel),
    defaults: list.defaults,
    ...(list.benchmarks.length ? { benchmarks: list.benchmarks } : {}),
  };
}

function describeModel(model: ModelInfo): Record<string, unknown> {
  const { name, type, provider, dimensions, defaultDimensions, contextTokens, pricePerMToken } = model;
  const { architecture, sharedSpace, rteb, bestFor, status, pricePerBPixels } = model;
  return {
    id: name,
    name,
    type,
    provider,
    dimensions,
    ...(defaultDimensions ? { defaultDimensions } : {}),
    contextTokens,
    pricePerMToken,
    ...(architecture ? { architecture } : {}),
    ...(sharedSpace ? { sharedSpace } : {}),
    ...(rteb ? { rteb } : {}),
    bestFor,
    status,
    ...(pricePerBPixels ? { pricePerBPixels } : {}),
  };
}

function modelsText(list: ModelList): string {
  const rows = list.models.map((model) => [
    model.name,
    model.type,
    model.status,
    model.dimensions.join(', ') || '-',
    count(model.contextTokens),
    `$${model.pricePerMToken}${model.pricePerBPixels ? ` + $${model.pricePerBPixels}/1B pixels` : ''}`,
    model.sharedSpace ?? '-',
    [model.architecture, model.rteb ? `RTEB ${model.rteb}` : ''].filter(Boolean).join(', ') || '-',
    `${model.bestFor} (${model.provider})`,
  ]);
  const head = [
    'model',
    'type',
    'status',
    'dimensions',
    'context',
    '$/1M tokens',
    'space',
    'notes',
    'best for',
  ];
  const lines = [
    `Models (${list.category}); dimensions default first. Used when none is named: ${list.defaults.embedding}, ${list.defaults.rerank}.`,
    table(head, rows),
  ];
  if (list.benchmarks.length)
    lines.push(
      `For comparison, RTEB by the vendor: ${list.benchmarks.map((b) => `${b.model} ${b.rteb}`).join(', ')}.`,
    );
  return lines.join('\n');
}
