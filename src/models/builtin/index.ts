// What ships with vai: an embedder, a reranker and rules that read entities. All of it works without a key or network.

import type { ProviderDeclaration } from '../provider.ts';

export const BUILTIN_EMBEDDER = 'builtin-embed-1';
export const BUILTIN_RERANKER = 'builtin-rerank-1';

export const builtin: ProviderDeclaration = {
  id: 'builtin',
  title: 'Built-in models',
  abilities: ['embed', 'rerank', 'extract'],
  defaults: { embed: BUILTIN_EMBEDDER, rerank: BUILTIN_RERANKER, extract: 'rules' },
  hosted: false,
  // Share in the weighted sum with words, where held-out projects gain most: docs/decisions/fusion.md.
  trust: 0.25,
  // Of weights.bin: a new training counts it up, or old collections would be searched with vectors that mean nothing.
  revision: 2,
  settings: [],
  configured: () => true,
  automatic: true,
  models: [
    {
      name: BUILTIN_EMBEDDER,
      type: 'embedding',
      provider: 'builtin',
      contextTokens: 32_000,
      dimensions: [256, 64, 128],
      defaultDimensions: 256,
      pricePerMToken: 0,
      architecture: 'static',
      status: 'current',
      bestFor: 'No key, no network: ships with vai; the default embedder without a key',
    },
    {
      name: BUILTIN_RERANKER,
      type: 'rerank',
      provider: 'builtin',
      contextTokens: 32_000,
      dimensions: [],
      pricePerMToken: 0,
      status: 'current',
      bestFor: 'No key, no network: ships with vai; the default reranker without a key',
    },
  ],
  lists: 'always',
  load: () => import('./provider.ts'),
};
