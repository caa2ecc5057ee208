// The built-in models; their dimensions are always known.

import type { CreateProvider } from '../provider.ts';
import { createBuiltinEmbedder } from './embedder.ts';
import { createBuiltinReranker } from './reranker.ts';

export const createProvider: CreateProvider = () => ({
  embedder: ({ dimensions }) => createBuiltinEmbedder(dimensions!),
  reranker: () => createBuiltinReranker(),
  extractor: async () => (await import('../rules/index.ts')).createRulesExtractor(),
});
