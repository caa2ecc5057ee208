// What is refused before any network: a model of the wrong kind, dimensions it does not make, a provider that lacks its
// key or its address.

import { VaiError } from '../domain/errors.ts';
import { nearest } from '../domain/nearest.ts';
import type { ModelInfo } from '../ports/models.ts';
import type { ProviderDeclaration, ProviderSettings } from './provider.ts';
import { BUILTIN_EMBEDDER } from './builtin/index.ts';

export function requireSettings(
  provider: ProviderDeclaration,
  model: { name: string; known: boolean },
  settings: ProviderSettings,
  names: readonly string[],
): void {
  const { requires } = provider;
  if (!requires || requires.settings.every((name) => settings[name])) return;
  const shown = model.name.slice(0, 80);
  if (!model.known && provider.lists === 'always')
    throw new VaiError('MODEL_UNSUPPORTED', `vai does not know the model \`${shown}\`.`, {
      hint: `\`vai models\` (vai_models) lists them. New models of ${provider.title} work once ${requires.what} is set.`,
      suggestions: nearest(model.name, names),
    });
  throw new VaiError('CONFIG_MISSING', `The model ${shown} needs ${requires.what}, and none is set.`, {
    hint: requires.hint,
  });
}

export function requireServed(model: ModelInfo): void {
  if (model.status === 'local-only') {
    throw new VaiError('MODEL_UNSUPPORTED', `${model.name} is local only: no API serves it.`, {
      hint: `Use another model of the same space for cheap queries, or ${BUILTIN_EMBEDDER} without a key.`,
    });
  }
  if (model.status === 'hidden') {
    throw new VaiError('MODEL_UNSUPPORTED', `vai does not support models of the kind of ${model.name}.`, {
      hint: '`vai models` (vai_models) lists the models.',
    });
  }
}

export function wrongType(model: ModelInfo, wanted: string): VaiError {
  return new VaiError('MODEL_UNSUPPORTED', `${model.name} is not ${wanted}.`, {
    hint: '`vai models` (vai_models) lists the models of each kind.',
  });
}

export function badDimensions(model: ModelInfo, asked: number): VaiError {
  const offered = [...model.dimensions].sort((a, b) => a - b).join(', ');
  return new VaiError('MODEL_UNSUPPORTED', `${model.name} does not make vectors of ${asked} dimensions.`, {
    hint: `It offers ${offered}.`,
  });
}

export function cannot(provider: string, what: string, others: readonly ProviderDeclaration[]): VaiError {
  return new VaiError('MODEL_UNSUPPORTED', `\`${provider.slice(0, 60)}\` does not ${what}.`, {
    hint: `Use one of ${others.map(({ id }) => id).join(', ')}.`,
  });
}

export function floatOnly(model: string): VaiError {
  return new VaiError('MODEL_UNSUPPORTED', `${model.slice(0, 80)} writes floats only.`, {
    hint: 'Quantised output comes from the Voyage models.',
  });
}
