// Any endpoint that speaks OpenAI's API, by its address: OpenAI itself, vLLM, LM Studio, llama.cpp, TEI, Jina and others.
// The address is what configures it. A key that other programs left in the environment is not read, except OpenAI's own
// key for OpenAI's own address.

import type { ModelInfo } from '../../ports/models.ts';
import { hasRequired, type ProviderDeclaration } from '../provider.ts';
import { exposedKey, isLoopback } from '../shared/address.ts';

const embedding = (id: string, dimensions: number[], pricePerMToken: number): ModelInfo => ({
  name: `openai/${id}`,
  type: 'embedding',
  provider: 'openai',
  contextTokens: 8_191,
  dimensions,
  defaultDimensions: dimensions[0]!,
  pricePerMToken,
  status: 'current',
  batchTokens: 300_000,
  batchTexts: 2_048,
  bestFor: 'Those who have an OpenAI key already',
});

export const openai: ProviderDeclaration = {
  id: 'openai',
  title: 'OpenAI-compatible endpoint',
  abilities: ['embed', 'rerank', 'extract'],
  // Every endpoint serves models of its own: one has to be named.
  defaults: {},
  hosted: ({ baseUrl = '' }) => !isLoopback(baseUrl),
  // Whatever model it is, words beside it do no harm.
  trust: 0.7,
  settings: [
    {
      name: 'baseUrl',
      kind: { type: 'url' },
      env: 'VAI_OPENAI_BASE_URL',
      stored: 'openaiBaseUrl',
      cli: 'openai-base-url',
      description:
        'Address of an OpenAI-compatible API, with its version: `https://api.openai.com/v1`, `http://127.0.0.1:1234/v1`.',
    },
    {
      name: 'apiKey',
      kind: { type: 'string', max: 500 },
      env: 'VAI_OPENAI_API_KEY',
      stored: 'openaiApiKey',
      cli: 'openai-api-key',
      secret: true,
      description: 'Key of that API. Unset: `OPENAI_API_KEY` where the address is api.openai.com, else none.',
    },
    {
      name: 'rerankUrl',
      kind: { type: 'url' },
      env: 'VAI_OPENAI_RERANK_URL',
      stored: 'openaiRerankUrl',
      cli: 'openai-rerank-url',
      description: 'Address whose `/rerank` is used, where it is another one.',
    },
  ],
  requires: {
    settings: ['baseUrl'],
    what: 'the address of an OpenAI-compatible API',
    hint: 'Run `vai config set openai-base-url <address>`, for example https://api.openai.com/v1 or http://127.0.0.1:1234/v1.',
  },
  configured: hasRequired('baseUrl'),
  envFile: ['VAI_OPENAI_API_KEY'],
  models: [
    embedding('text-embedding-3-small', [1536, 1024, 768, 512, 256], 0.02),
    embedding('text-embedding-3-large', [3072, 2048, 1536, 1024, 768, 512, 256], 0.13),
  ],
  lists: 'served',
  warning: ({ apiKey, baseUrl = '', rerankUrl = baseUrl }) =>
    exposedKey('the OpenAI-compatible endpoint', apiKey, baseUrl) ??
    exposedKey('the OpenAI-compatible endpoint', apiKey, rerankUrl),
  load: () => import('./provider.ts'),
};
