// Google Gemini: embeddings and extraction over one key.

import { hasRequired, type ProviderDeclaration } from '../provider.ts';

export const gemini: ProviderDeclaration = {
  id: 'gemini',
  title: 'Gemini',
  abilities: ['embed', 'extract'],
  defaults: { embed: 'gemini-embedding-001', extract: 'gemini-3-flash-preview' },
  hosted: true,
  trust: 0.8,
  settings: [
    {
      name: 'apiKey',
      kind: { type: 'string', max: 500 },
      env: 'GEMINI_API_KEY',
      stored: 'geminiApiKey',
      cli: 'gemini-api-key',
      secret: true,
      description: 'Gemini key, for embeddings and graph extraction.',
    },
  ],
  requires: {
    settings: ['apiKey'],
    what: 'a Gemini key',
    hint: 'Set GEMINI_API_KEY, or use the built-in model.',
  },
  configured: hasRequired('apiKey'),
  envFile: ['GEMINI_API_KEY'],
  models: [
    {
      name: 'gemini-embedding-001',
      type: 'embedding',
      provider: 'gemini',
      contextTokens: 2_048,
      dimensions: [3072, 1536, 768],
      defaultDimensions: 3072,
      pricePerMToken: 0.15,
      status: 'current',
      batchTexts: 100,
      bestFor: 'Those who have a Gemini key already',
    },
  ],
  lists: 'configured',
  unlistedDimensions: 3072,
  owns: (model) => /^(models\/)?gemini-/.test(model),
  load: () => import('./provider.ts'),
};
