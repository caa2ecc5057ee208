// Where each provider's code is. A literal import per line, so that a bundler sees them and nothing is loaded early.

import type { ModelInfo } from '../ports/models.ts';
import type { CreateProvider } from './provider.ts';

type ProviderName = ModelInfo['provider'];

const LOADERS: Partial<Record<ProviderName, () => Promise<{ createProvider: CreateProvider }>>> = {
  builtin: () => import('./builtin/provider.ts'),
  voyage: () => import('./voyage/provider.ts'),
  gemini: () => import('./gemini/provider.ts'),
  bedrock: () => import('./bedrock/provider.ts'),
  local: () => import('./local/provider.ts'),
};

export const PROVIDERS = Object.keys(LOADERS) as ProviderName[];

export async function loadProvider(name: ProviderName): Promise<CreateProvider | undefined> {
  return (await LOADERS[name]?.())?.createProvider;
}
