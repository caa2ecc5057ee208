// The Bedrock provider: embeddings and extraction over AWS's own credentials.

import type { RetryHooks } from '../extraction/retry.ts';
import type { Provider, ProviderDeps } from '../provider.ts';
import { AWS_PACKAGE, createBedrock, type BedrockModule } from './client.ts';
import { createBedrockEmbedder } from './embedder.ts';
import { createBedrockExtractor } from './extractor.ts';

export interface BedrockHooks extends RetryHooks {
  load?: () => Promise<BedrockModule>;
}

export function createProvider(given: ProviderDeps, hooks: BedrockHooks = {}): Provider {
  const name: string = AWS_PACKAGE;
  const load = hooks.load ?? (async () => (await import(name)) as BedrockModule);
  const bedrock = createBedrock({ env: given.env, ...hooks, load });
  return {
    embedder: (request) => createBedrockEmbedder(bedrock, request),
    extractor: (model) => createBedrockExtractor(bedrock, model),
  };
}
