// The graph where nothing of FlowRAG is configured: the models that need no key, over every collection.

import { DEFAULT_SCHEMA, type GraphSettings } from '../domain/graph-settings.ts';
import { WITHOUT_PROVIDER } from '../models/providers.ts';

const { embed, extract } = WITHOUT_PROVIDER;

export const DEFAULT_GRAPH: GraphSettings = {
  schema: DEFAULT_SCHEMA,
  embedder: { provider: embed.id, model: embed.defaults.embed! },
  extractor: { provider: extract.id, model: extract.defaults.extract! },
  warnings: [],
};
