// The Bedrock provider: embeddings and extraction over AWS's own credentials.

import type { Provider, ProviderDeps } from '../provider.ts';
import { createServiceEmbedder } from '../shared/embedding.ts';
import type { RetryHooks } from '../shared/retry.ts';
import { createBedrock, type BedrockModule } from './client.ts';
import { bedrockEmbeddings } from './embedder.ts';
import { createBedrockExtractor } from './extractor.ts';
import { AWS_PACKAGE } from './index.ts';

export interface BedrockHooks extends RetryHooks {
  load?: () => Promise<BedrockModule>;
}

export function createProvider(given: ProviderDeps, hooks: BedrockHooks = {}): Provider {
  const name: string = AWS_PACKAGE;
  const load = hooks.load ?? (async () => (await import(name)) as BedrockModule);
  const bedrock = createBedrock({ env: given.env, region: given.settings['region'], load, hooks });
  return {
    embedder: (request) => createServiceEmbedder(bedrockEmbeddings(bedrock, request), request),
    extractor: (model) => createBedrockExtractor(bedrock, model),
  };
}
