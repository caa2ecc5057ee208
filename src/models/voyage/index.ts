// Voyage AI: embeddings and reranking over one key, issued by Voyage or by MongoDB Atlas.

import { hasRequired, type ProviderDeclaration } from '../provider.ts';
import { MODELS } from './catalogue.ts';
import { endpointWarning } from './endpoint.ts';

export const voyage: ProviderDeclaration = {
  id: 'voyage',
  title: 'Voyage AI',
  abilities: ['embed', 'rerank'],
  defaults: { embed: 'voyage-4-large', rerank: 'rerank-2.5' },
  hosted: true,
  trust: 1,
  settings: [
    {
      name: 'apiKey',
      kind: { type: 'string', max: 500 },
      env: 'VOYAGE_API_KEY',
      stored: 'apiKey',
      cli: 'api-key',
      secret: true,
      description: 'Voyage AI key: `al-…` from Atlas or `pa-…` from Voyage.',
    },
    {
      name: 'baseUrl',
      kind: { type: 'url' },
      env: 'VOYAGE_API_BASE',
      stored: 'baseUrl',
      cli: 'base-url',
      description: 'Another address for the Voyage API. Unset: chosen by the kind of key.',
    },
  ],
  requires: {
    settings: ['apiKey'],
    what: 'a Voyage key',
    hint: 'Set VOYAGE_API_KEY or run `vai config set api-key`. Without a key, what is stored with it is found by words (mode `words`), and the built-in model takes new collections.',
  },
  configured: hasRequired('apiKey'),
  automatic: true,
  models: MODELS,
  // With prices and benchmarks the list is worth reading before there is a key.
  lists: 'always',
  unlistedDimensions: 1024,
  warning: ({ apiKey, baseUrl }) => (apiKey ? endpointWarning(apiKey, baseUrl) : undefined),
  load: () => import('./provider.ts'),
};
