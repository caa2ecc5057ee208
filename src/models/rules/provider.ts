// The extractor that needs no model: rules over headings, links, diagrams and sentences.

import type { ProviderDeclaration } from '../provider.ts';

export const rules: ProviderDeclaration = {
  id: 'rules',
  title: 'Rules',
  abilities: ['extract'],
  defaults: { extract: 'rules' },
  hosted: false,
  trust: 0,
  settings: [],
  configured: () => true,
  models: [],
  lists: 'always',
  load: async () => {
    const { createRulesExtractor } = await import('./index.ts');
    return { createProvider: () => ({ extractor: () => createRulesExtractor() }) };
  },
};
