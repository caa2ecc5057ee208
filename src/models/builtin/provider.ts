// What ships with vai: an embedder, a reranker and the rules that read entities. All of it works without a key or network.

import type { CreateProvider } from '../provider.ts';
import { createRulesExtractor } from '../rules/index.ts';
import { createBuiltinEmbedder } from './embedder.ts';
import { createBuiltinReranker } from './reranker.ts';

export const createProvider: CreateProvider = () => ({
  embedder: ({ dimensions }) => createBuiltinEmbedder(dimensions),
  reranker: () => createBuiltinReranker(),
  extractor: () => createRulesExtractor(),
});
