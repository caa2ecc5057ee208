// Every provider there is. Adding one is a folder, an import and a name in the list; its settings, and what depends on
// them, follow from what it declares, and the pages that list providers by hand are checked by test/docs/providers.test.ts.
// The first automatic provider that is configured gives the default models.

import { bedrock } from './bedrock/index.ts';
import { builtin } from './builtin/index.ts';
import { gemini } from './gemini/index.ts';
import { local } from './local/index.ts';
import { ollama } from './ollama/index.ts';
import { openai } from './openai/index.ts';
import type { Ability, ProviderDeclaration } from './provider.ts';
import { rules } from './rules/provider.ts';
import { voyage } from './voyage/index.ts';

export const PROVIDERS: readonly ProviderDeclaration[] = [
  voyage,
  builtin,
  rules,
  local,
  gemini,
  bedrock,
  openai,
  ollama,
];

/** What is used where a configuration names no provider: it needs no key and no network. */
export const WITHOUT_PROVIDER = { embed: builtin, extract: rules } as const;

/** Whose models a user adds as files. */
export const ON_THIS_MACHINE = local;

export function findProvider(id: string): ProviderDeclaration | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

export function providersThat(ability: Ability): ProviderDeclaration[] {
  return PROVIDERS.filter((provider) => provider.abilities.includes(ability));
}

/** The name by which the rest of vai knows a model of a provider. */
export function qualifiedName(provider: ProviderDeclaration, model: string): string {
  const own = provider.owns?.(model) || provider.models.some(({ name }) => name === model);
  return own || model.startsWith(`${provider.id}/`) ? model : `${provider.id}/${model}`;
}

/** The name by which the provider knows it. */
export function modelId(provider: ProviderDeclaration, model: string): string {
  return model.startsWith(`${provider.id}/`) ? model.slice(provider.id.length + 1) : model;
}

/** Whose model a name is that no catalogue lists; Voyage's where nobody claims it, so that new models of it work at once. */
export function ownerOf(model: string): ProviderDeclaration {
  return (
    PROVIDERS.find(({ id }) => model.startsWith(`${id}/`)) ??
    PROVIDERS.find((provider) => provider.owns?.(model)) ??
    voyage
  );
}
