// Amazon Bedrock: embeddings (Titan, Cohere) and extraction over AWS's own package and credentials.

import type { ProviderDeclaration } from '../provider.ts';

export const AWS_PACKAGE = '@aws-sdk/client-bedrock-runtime';

export const bedrock: ProviderDeclaration = {
  id: 'bedrock',
  title: 'Amazon Bedrock',
  abilities: ['embed', 'extract'],
  defaults: { embed: 'amazon.titan-embed-text-v2:0', extract: 'anthropic.claude-haiku-4-5-20251001-v1:0' },
  hosted: true,
  trust: 0.75,
  // AWS's package reads its own variables and files.
  settings: [
    {
      name: 'region',
      kind: { type: 'string', max: 60 },
      stored: 'bedrockRegion',
      cli: 'bedrock-region',
      description: 'AWS region of Bedrock; choosing one lists its models. Unset: AWS_REGION, else us-east-1.',
    },
  ],
  configured: ({ region }) => region !== undefined,
  envFile: [
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_PROFILE',
  ],
  models: [
    {
      name: 'amazon.titan-embed-text-v2:0',
      type: 'embedding',
      provider: 'bedrock',
      contextTokens: 8_192,
      dimensions: [1024, 512, 256],
      defaultDimensions: 1024,
      pricePerMToken: 0.02,
      status: 'current',
      batchTexts: 1,
      bestFor: 'Those who are on AWS already',
    },
  ],
  lists: 'configured',
  unlistedDimensions: 1024,
  owns: (model) => /^((us|eu|apac|global)\.)?(amazon|cohere)\./.test(model) || model.startsWith('arn:aws'),
  load: () => import('./provider.ts'),
};
