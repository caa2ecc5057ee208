// The Gemini provider: embeddings and extraction over one key.

import type { RetryHooks } from '../extraction/retry.ts';
import type { Provider, ProviderDeps } from '../provider.ts';
import { geminiBase, type GeminiDeps } from './client.ts';
import { createGeminiEmbedder } from './embedder.ts';
import { createGeminiExtractor } from './extractor.ts';

export function createProvider(given: ProviderDeps, hooks: RetryHooks = {}): Provider {
  const deps: GeminiDeps = {
    base: geminiBase(given.env['GEMINI_API_BASE']),
    key: given.settings.geminiApiKey ?? given.env['GEMINI_API_KEY'] ?? '',
    fetch: given.fetch,
    now: given.now,
    ...hooks,
  };
  return {
    embedder: (request) => createGeminiEmbedder(deps, request),
    extractor: (model) => createGeminiExtractor(deps, model),
  };
}
