// vai_estimate: what a plan would cost.

import * as z from 'zod';
import type { CostEstimate, EstimateRow } from '../../engine/estimate/costs.ts';
import { count, dollars, plural, size, table } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { READS_LOCAL, record, records } from './fields.ts';

export const estimateTool = defineTool({
  name: 'vai_estimate',
  title: 'Estimate costs',
  description:
    'Estimate what embedding and querying documents costs per model, with symmetric and asymmetric strategies, reranking and storage. Use before a large ingest.',
  input: z.strictObject({
    docs: z.int().min(1).max(1e12).describe('Documents to embed'),
    queries: z.int().min(0).max(1e12).default(0).describe('Queries per month'),
    months: z.int().min(1).max(60).default(12),
    docTokens: z.int().min(1).max(1e7).optional().meta({ default: 500 }),
    queryTokens: z.int().min(1).max(1e6).optional().meta({ default: 30 }),
  }),
  output: z.object({
    input: record,
    assumptions: record,
    estimates: records,
    domainEstimates: records,
    rerank: records,
    storage: record,
    freeTierTokens: record,
    recommendation: record,
  }),
  annotations: READS_LOCAL,
  scope: 'read',
  async run(input, { engine, call }) {
    const estimate = engine.estimate.costs(call, input);
    return { structured: { ...estimate }, text: estimateText(estimate) };
  },
});

function markdown(list: readonly EstimateRow[]): string {
  const rows = list.map((row) => [
    row.name,
    row.docModel === row.queryModel ? row.docModel : `${row.docModel} / ${row.queryModel}`,
    `$${row.pricePerMToken}`,
    dollars(row.embeddingCost),
    dollars(row.monthlyCost),
    dollars(row.totalCost),
  ]);
  return table(['strategy', 'documents / queries', '$/1M tokens', 'embedding', 'per month', 'total'], rows);
}

/** For a model; the command line has a table of its own for people. */
export function estimateText(
  estimate: CostEstimate,
  tableOf: (rows: readonly EstimateRow[]) => string = markdown,
): string {
  const { input, assumptions, storage, recommendation } = estimate;
  const saved = recommendation.savingsVsSymmetric;
  return [
    `${plural(input.docs, 'document')}, ${plural(input.queries, 'query', 'queries')} a month, ${plural(input.months, 'month')}; ${assumptions.docTokens} tokens per document, ${assumptions.queryTokens} per query (assumed).`,
    tableOf(estimate.estimates),
    `Domain models, chosen by subject:\n${tableOf(estimate.domainEstimates)}`,
    `Reranking comes on top (${estimate.rerank[0]?.candidates ?? 0} candidates a query): ${estimate.rerank.map((row) => `${row.model} ${dollars(row.monthlyCost)} a month (${count(row.tokensPerQuery)} tokens a query)`).join(', ')}.`,
    `Storage: about ${size(storage.totalBytes)} (${size(storage.vectorBytes)} of it vectors: ${plural(storage.chunks, 'chunk')} of ${assumptions.chunkTokens} tokens, ${storage.dimensions} dimensions each).`,
    `Free tier, not taken off the sums: ${count(estimate.freeTierTokens.general)} tokens for most models, ${count(estimate.freeTierTokens.domain)} for domain models. The built-in models cost nothing.`,
    `Recommended: ${recommendation.name}${saved > 0 ? `, ${dollars(saved)} cheaper than symmetric` : ''}. ${recommendation.reason}`,
  ].join('\n\n');
}
