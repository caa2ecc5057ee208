// What is refused before any network: a model of the wrong kind, dimensions it does not make, a hosted one without key.

import { VaiError } from '../domain/errors.ts';
import { nearest } from '../domain/nearest.ts';
import type { ModelInfo } from '../ports/models.ts';
import { BUILTIN_EMBEDDER } from './catalogue.ts';
import type { ModelSettings } from './provider.ts';

export type ProviderName = ModelInfo['provider'];

/** Which provider a name the catalogue does not know looks like. */
export function providerOfName(name: string): ProviderName {
  if (/^(models\/)?gemini-/.test(name)) return 'gemini';
  if (/^((us|eu|apac|global)\.)?(amazon|cohere)\./.test(name) || name.startsWith('arn:aws')) return 'bedrock';
  if (/^[\w.-]+\/[\w.-]+$/.test(name)) return 'local';
  return 'voyage';
}

export function requireKey(
  from: ProviderName,
  model: { name: string; known: boolean },
  settings: ModelSettings,
  names: readonly string[],
): void {
  if (from === 'voyage' && !settings.voyageApiKey) {
    if (!model.known) {
      const suggestions = nearest(model.name, names);
      throw new VaiError('MODEL_UNSUPPORTED', `vai does not know the model \`${model.name.slice(0, 80)}\`.`, {
        hint: 'List the models with vai_models. Names of new Voyage models work once VOYAGE_API_KEY is set.',
        suggestions,
      });
    }
    throw new VaiError('CONFIG_MISSING', `The model ${model.name} needs a Voyage key, and none is set.`, {
      hint: `Set VOYAGE_API_KEY or run \`vai config set api-key\`, or leave the model out to use the built-in one.`,
    });
  }
  if (from === 'gemini' && !settings.geminiApiKey) {
    throw new VaiError(
      'CONFIG_MISSING',
      `The model ${model.name.slice(0, 80)} needs a Gemini key, and none is set.`,
      {
        hint: 'Set GEMINI_API_KEY, or use the built-in model.',
      },
    );
  }
}

export function requireServed(model: ModelInfo): void {
  if (model.status === 'local-only') {
    throw new VaiError('MODEL_UNSUPPORTED', `${model.name} is local only: no API serves it.`, {
      hint: `Use voyage-4-lite for cheap queries in the same space, or ${BUILTIN_EMBEDDER} without a key.`,
    });
  }
  if (model.status === 'hidden' && model.provider === 'voyage') {
    throw new VaiError('MODEL_UNSUPPORTED', `${model.name} is of a class that vai does not call.`, {
      hint: 'Use voyage-4-large.',
    });
  }
}

export function wrongType(model: ModelInfo, wanted: string): VaiError {
  return new VaiError('MODEL_UNSUPPORTED', `${model.name} is not ${wanted}.`, {
    hint: 'List the models of each kind with vai_models.',
  });
}

export function badDimensions(model: ModelInfo, asked: number): VaiError {
  const offered = [...model.dimensions].sort((a, b) => a - b).join(', ');
  return new VaiError('MODEL_UNSUPPORTED', `${model.name} does not make vectors of ${asked} dimensions.`, {
    hint: `It offers ${offered}.`,
  });
}

export function noProvider(name: string): VaiError {
  return new VaiError('MODEL_UNSUPPORTED', `The provider \`${name}\` does not offer that.`);
}

export function floatOnly(model: string): VaiError {
  return new VaiError('MODEL_UNSUPPORTED', `${model.slice(0, 80)} writes floats only.`, {
    hint: 'Quantised output comes from the Voyage models.',
  });
}
