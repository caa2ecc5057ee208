// Ollama, over its own API: embeddings and extraction by models that run on this machine or on one of yours.

import type { ProviderDeclaration } from '../provider.ts';
import { isLoopback } from '../shared/address.ts';

export const DEFAULT_BASE = 'http://127.0.0.1:11434';

export const ollama: ProviderDeclaration = {
  id: 'ollama',
  title: 'Ollama',
  abilities: ['embed', 'extract'],
  defaults: { embed: 'nomic-embed-text' },
  hosted: ({ baseUrl = DEFAULT_BASE }) => !isLoopback(baseUrl),
  trust: 0.6,
  settings: [
    {
      name: 'baseUrl',
      kind: { type: 'url' },
      env: 'VAI_OLLAMA_BASE_URL',
      stored: 'ollamaBaseUrl',
      cli: 'ollama-base-url',
      description: `Address of Ollama; setting it lists its models. Unset: \`${DEFAULT_BASE}\`, where a model of it is named.`,
    },
  ],
  configured: ({ baseUrl }) => baseUrl !== undefined,
  models: [],
  lists: 'served',
  load: () => import('./provider.ts'),
};
