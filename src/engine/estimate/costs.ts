// What embedding and querying at some scale would cost, from the catalogue's prices. Pure arithmetic: nothing is sent.

import { VaiError } from '../../domain/errors.ts';
import type { ModelInfo } from '../../ports/models.ts';

export interface EstimateRequest {
  docs: number;
  /** Per month. */
  queries?: number;
  months?: number;
  docTokens?: number;
  queryTokens?: number;
}

export interface EstimateRow {
  name: string;
  type: 'symmetric' | 'asymmetric' | 'asymmetric-local';
  docModel: string;
  queryModel: string;
  /** The document model, for readers of the specification's field. */
  model: string;
  pricePerMToken: number;
  embeddingCost: number;
  monthlyCost: number;
  totalCost: number;
}

export interface CostEstimate {
  input: { docs: number; queries: number; months: number };
  assumptions: {
    docTokens: number;
    queryTokens: number;
    chunkTokens: number;
    dimensions: number;
    bytesPerDimension: number;
  };
  /** General models, cheapest total first. */
  estimates: EstimateRow[];
  /** Code, finance, law: chosen by subject, so they do not compete with the general ones. */
  domainEstimates: EstimateRow[];
  /** Not part of the totals: it depends on how often results are reranked. */
  rerank: { model: string; candidates: number; tokensPerQuery: number; monthlyCost: number }[];
  storage: { chunks: number; dimensions: number; vectorBytes: number; textBytes: number; totalBytes: number };
  freeTierTokens: { general: number; domain: number };
  recommendation: { name: string; reason: string; savingsVsSymmetric: number };
}

const DOC_TOKENS = 500;
const QUERY_TOKENS = 30;
const DIMENSIONS = 1024;
const RERANK_CANDIDATES = 20;
/** A chunk of the default size, 512 characters: what is stored, embedded and reranked. */
const CHUNK_TOKENS = 128;
const BYTES_PER_DIMENSION = 4;
/** Dollars; saving less than a cent does not justify two models. */
const WORTH_IT = 0.01;
/** English prose: about four characters a token. */
const BYTES_PER_TOKEN = 4;

export function estimateCosts(models: readonly ModelInfo[], request: EstimateRequest): CostEstimate {
  const { docs, queries = 0, months = 12, docTokens = DOC_TOKENS, queryTokens = QUERY_TOKENS } = request;
  const sums = { docMTokens: (docs * docTokens) / 1e6, queryMTokens: (queries * queryTokens) / 1e6, months };
  const partOf = (part: ModelInfo['part']) => models.find((model) => model.part === part);
  const best = partOf('documents');
  if (!best) throw new VaiError('CONFIG_INVALID', 'The model catalogue names no model to compare with.');
  const compared = models.filter((model) => model.provider === best.provider && model.status === 'current');
  const priced = compared.filter((model) => model.type === 'embedding' && model.pricePerMToken > 0);
  const general = priced.filter((model) => model.sharedSpace !== undefined);
  const domain = priced.filter((model) => model.sharedSpace === undefined);
  const mixed = [
    pair('asymmetric', best, partOf('queries'), sums),
    pair('asymmetric-local', best, partOf('own-queries'), sums),
  ].filter((row) => row !== undefined);
  const byTotal = (a: EstimateRow, b: EstimateRow): number =>
    a.totalCost - b.totalCost || (a.name < b.name ? -1 : 1);
  const estimates = [...general.map((model) => row(model.name, 'symmetric', [model, model], sums)), ...mixed];
  return {
    input: { docs, queries, months },
    assumptions: {
      docTokens,
      queryTokens,
      chunkTokens: CHUNK_TOKENS,
      dimensions: DIMENSIONS,
      bytesPerDimension: BYTES_PER_DIMENSION,
    },
    estimates: estimates.sort(byTotal),
    domainEstimates: domain.map((model) => row(model.name, 'symmetric', [model, model], sums)).sort(byTotal),
    rerank: rerankCosts(compared, queries, queryTokens),
    storage: storageOf(docs, docTokens),
    freeTierTokens: { general: 200_000_000, domain: 50_000_000 },
    recommendation: recommend(estimates),
  };
}

interface Sums {
  docMTokens: number;
  queryMTokens: number;
  months: number;
}

function row(
  name: string,
  type: EstimateRow['type'],
  [docs, queries]: [ModelInfo, ModelInfo],
  sums: Sums,
): EstimateRow {
  const embeddingCost = sums.docMTokens * docs.pricePerMToken;
  const monthlyCost = sums.queryMTokens * queries.pricePerMToken;
  return {
    name,
    type,
    docModel: docs.name,
    queryModel: queries.name,
    model: docs.name,
    pricePerMToken: docs.pricePerMToken,
    embeddingCost: round(embeddingCost),
    monthlyCost: round(monthlyCost),
    totalCost: round(embeddingCost + monthlyCost * sums.months),
  };
}

/** Documents by one model, queries by another of the same space. */
function pair(
  type: EstimateRow['type'],
  documents: ModelInfo,
  queries: ModelInfo | undefined,
  sums: Sums,
): EstimateRow | undefined {
  if (!queries || queries.sharedSpace !== documents.sharedSpace) return undefined;
  return row(type, type, [documents, queries], sums);
}

function rerankCosts(
  models: readonly ModelInfo[],
  queries: number,
  queryTokens: number,
): CostEstimate['rerank'] {
  const tokensPerQuery = queryTokens * RERANK_CANDIDATES + RERANK_CANDIDATES * CHUNK_TOKENS;
  return models
    .filter((model) => model.type === 'rerank')
    .map((model) => ({
      model: model.name,
      candidates: RERANK_CANDIDATES,
      tokensPerQuery,
      monthlyCost: round(((queries * tokensPerQuery) / 1e6) * model.pricePerMToken),
    }));
}

function storageOf(docs: number, docTokens: number): CostEstimate['storage'] {
  const chunks = docs * Math.ceil(docTokens / CHUNK_TOKENS);
  const vectorBytes = chunks * DIMENSIONS * BYTES_PER_DIMENSION;
  const textBytes = docs * docTokens * BYTES_PER_TOKEN;
  return { chunks, dimensions: DIMENSIONS, vectorBytes, textBytes, totalBytes: vectorBytes + textBytes };
}

function recommend(rows: readonly EstimateRow[]): CostEstimate['recommendation'] {
  const asymmetric = rows.find((entry) => entry.type === 'asymmetric');
  const symmetric = rows.find((entry) => entry.type === 'symmetric' && entry.model === asymmetric?.docModel);
  const cheapest = rows.toSorted((a, b) => a.totalCost - b.totalCost)[0]!;
  if (!asymmetric || !symmetric)
    return { name: cheapest.name, reason: 'It is the cheapest of the priced models.', savingsVsSymmetric: 0 };
  const saved = round(symmetric.totalCost - asymmetric.totalCost);
  if (saved < WORTH_IT)
    return {
      name: symmetric.name,
      reason: `At so few queries a second model would save nothing. The cheapest option is ${cheapest.name}.`,
      savingsVsSymmetric: 0,
    };
  const price =
    cheapest.type === 'asymmetric-local'
      ? 'means running a model of about 700 MB yourself and gives up query quality'
      : 'gives up about 3 RTEB points on documents and queries';
  const reason =
    `Documents keep the quality of ${asymmetric.docModel} while queries cost as little as ${asymmetric.queryModel}.` +
    (cheapest.name === asymmetric.name ? '' : ` The cheapest option, ${cheapest.name}, ${price}.`);
  return { name: asymmetric.name, reason, savingsVsSymmetric: saved };
}

const round = (dollars: number): number => Math.round(dollars * 1e6) / 1e6;
