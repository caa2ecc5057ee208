// The Gemini provider: embeddings and extraction over one key.

import type { Provider, ProviderDeps } from '../provider.ts';
import { createServiceEmbedder } from '../shared/embedding.ts';
import { createHttp } from '../shared/http.ts';
import type { RetryHooks } from '../shared/retry.ts';
import { geminiService } from './client.ts';
import { geminiEmbeddings } from './embedder.ts';
import { createGeminiExtractor } from './extractor.ts';

export function createProvider(given: ProviderDeps, hooks: RetryHooks = {}): Provider {
  const service = geminiService(given.settings['apiKey'] ?? '', given.env['GEMINI_API_BASE']);
  const http = createHttp(service, given, hooks);
  return {
    embedder: (request) => createServiceEmbedder(geminiEmbeddings(http, request), request),
    extractor: (model) => createGeminiExtractor(http, model),
    probe: () => http.probe('/v1beta/models?pageSize=1'),
  };
}
