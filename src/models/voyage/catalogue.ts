// The Voyage models, as data. Prices and limits are the vendor's published ones of January 2026; a user's own file may
// correct them (catalogue-file.ts). RTEB is the vendor's mean NDCG@10 over 29 datasets.

import type { ModelInfo } from '../../ports/models.ts';

const K32 = 32_000;
const K16 = 16_000;
const FLEXIBLE = [1024, 256, 512, 2048];

/** Most tokens of one request where the vendor names no figure. */
export const EMBED_TOKENS = 120_000;
export const RERANK_TOKENS = 600_000;
const MAX_TEXTS = 1_000;

type Entry = Omit<ModelInfo, 'defaultDimensions' | 'provider' | 'status' | 'contextTokens' | 'type'> &
  Partial<Pick<ModelInfo, 'status' | 'contextTokens' | 'type'>>;

const embedding = (entry: Entry): ModelInfo => ({
  type: 'embedding',
  provider: 'voyage',
  contextTokens: K32,
  status: 'current',
  batchTokens: EMBED_TOKENS,
  batchTexts: MAX_TEXTS,
  ...entry,
  defaultDimensions: entry.dimensions[0]!,
});

const rerank = (entry: Omit<Entry, 'dimensions'>): ModelInfo => ({
  type: 'rerank',
  provider: 'voyage',
  contextTokens: K32,
  status: 'current',
  dimensions: [],
  batchTexts: MAX_TEXTS,
  batchTokens: RERANK_TOKENS,
  ...entry,
});

export const MODELS: readonly ModelInfo[] = [
  embedding({
    name: 'voyage-4-large',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.12,
    sharedSpace: 'voyage-4',
    architecture: 'moe',
    rteb: 71.41,
    part: 'documents',
    bestFor: 'Best retrieval quality; the default embedder with a Voyage key',
  }),
  embedding({
    name: 'voyage-4',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.06,
    sharedSpace: 'voyage-4',
    architecture: 'dense',
    rteb: 70.07,
    batchTokens: 320_000,
    bestFor: 'Near-best quality at half the price',
  }),
  embedding({
    name: 'voyage-4-lite',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.02,
    sharedSpace: 'voyage-4',
    architecture: 'dense',
    rteb: 68.1,
    part: 'queries',
    batchTokens: 1_000_000,
    bestFor: 'Cheap queries against documents embedded with voyage-4-large',
  }),
  embedding({
    name: 'voyage-4-nano',
    dimensions: [512, 128, 256, 1024, 2048],
    pricePerMToken: 0,
    sharedSpace: 'voyage-4',
    architecture: 'dense',
    status: 'local-only',
    part: 'own-queries',
    bestFor: 'Open weights to run yourself; not served by the API, used in estimates only',
  }),
  embedding({
    name: 'voyage-code-3',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.18,
    bestFor: 'Source code and technical text',
  }),
  embedding({ name: 'voyage-finance-2', dimensions: [1024], pricePerMToken: 0.12, bestFor: 'Finance' }),
  embedding({
    name: 'voyage-law-2',
    contextTokens: K16,
    dimensions: [1024],
    pricePerMToken: 0.12,
    bestFor: 'Law and long contracts',
  }),
  embedding({
    name: 'voyage-context-3',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.18,
    status: 'hidden',
    bestFor: 'Contextualised chunks; a separate class of model that vai does not call',
  }),
  embedding({
    name: 'voyage-multimodal-3.5',
    type: 'embedding-multimodal',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.12,
    pricePerBPixels: 0.6,
    bestFor: 'Text together with images; vai sends text only',
  }),
  rerank({
    name: 'rerank-2.5',
    pricePerMToken: 0.05,
    bestFor: 'Most accurate reranking; the default with a Voyage key',
  }),
  rerank({ name: 'rerank-2.5-lite', pricePerMToken: 0.02, bestFor: 'Faster, cheaper reranking' }),
  embedding({
    name: 'voyage-3-large',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.18,
    status: 'legacy',
    bestFor: 'Collections made with it; use voyage-4-large for new ones',
  }),
  embedding({
    name: 'voyage-3.5',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.06,
    status: 'legacy',
    batchTokens: 320_000,
    bestFor: 'Collections made with it; use voyage-4 for new ones',
  }),
  embedding({
    name: 'voyage-3.5-lite',
    dimensions: FLEXIBLE,
    pricePerMToken: 0.02,
    status: 'legacy',
    batchTokens: 1_000_000,
    bestFor: 'Collections made with it; use voyage-4-lite for new ones',
  }),
  embedding({
    name: 'voyage-3',
    dimensions: [1024],
    pricePerMToken: 0.06,
    status: 'legacy',
    bestFor: 'Collections made with it; use voyage-4 for new ones',
  }),
  embedding({
    name: 'voyage-3-lite',
    dimensions: [512],
    pricePerMToken: 0.02,
    status: 'legacy',
    bestFor: 'Collections made with it; use voyage-4-lite for new ones',
  }),
  embedding({
    name: 'voyage-code-2',
    contextTokens: K16,
    dimensions: [1536],
    pricePerMToken: 0.12,
    status: 'legacy',
    bestFor: 'Collections made with it; use voyage-code-3 for new ones',
  }),
  embedding({
    name: 'voyage-multimodal-3',
    type: 'embedding-multimodal',
    dimensions: [1024],
    pricePerMToken: 0.12,
    status: 'legacy',
    bestFor: 'Collections made with it; use voyage-multimodal-3.5 for new ones',
  }),
  rerank({
    name: 'rerank-2',
    contextTokens: K16,
    pricePerMToken: 0.05,
    status: 'legacy',
    bestFor: 'Use rerank-2.5',
  }),
  rerank({
    name: 'rerank-2-lite',
    contextTokens: 8_000,
    pricePerMToken: 0.02,
    status: 'legacy',
    bestFor: 'Use rerank-2.5-lite',
  }),
];
