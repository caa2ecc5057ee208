// Models that run on this machine: any ONNX encoder or cross-encoder that `vai models add` put there, through
// `onnxruntime-node`, an optional package.

import type { ProviderDeclaration } from '../provider.ts';
import { modelsFolder, revisionOf } from './kept.ts';

export const RUNTIME = 'onnxruntime-node';

export const local: ProviderDeclaration = {
  id: 'local',
  title: 'Models on this machine',
  abilities: ['embed', 'rerank'],
  defaults: { embed: 'Xenova/e5-small-v2' },
  hosted: false,
  trust: 0.6,
  revision: (model, home) => revisionOf(modelsFolder(home), model),
  settings: [],
  configured: () => isInstalled(RUNTIME),
  models: [
    {
      name: 'Xenova/e5-small-v2',
      type: 'embedding',
      provider: 'local',
      contextTokens: 512,
      dimensions: [384],
      defaultDimensions: 384,
      pricePerMToken: 0,
      status: 'current',
      bestFor: 'Better vectors than the built-in ones without a provider: downloaded once',
    },
  ],
  lists: 'served',
  owns: (model) => /^[\w.-]+\/[\w.-]+$/.test(model),
  load: () => import('./provider.ts'),
};

function isInstalled(name: string): boolean {
  try {
    return import.meta.resolve(name) !== '';
  } catch {
    return false;
  }
}
