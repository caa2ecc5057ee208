// What a graph is made with: the folder, the schema, the models. Resolved by the config; these are the defaults.

import type { GraphSchema } from './graph.ts';

export interface GraphSettings {
  /** Database of the graph tools; none: the default database. */
  db?: string;
  /** Folder that `index` keeps in step with, absolute. */
  docs?: string;
  /** Collection of that folder. */
  collection?: string;
  /** Folder of `flowrag.meta.json`, absolute. */
  data?: string;
  schema: GraphSchema;
  embedder: { provider: string; model?: string; dimensions?: number };
  extractor: {
    provider: string;
    model?: string;
    /** Most US dollars one run may spend on extraction. */
    maxCost?: number;
  };
  include?: string[];
  exclude?: string[];
  maxBytes?: number;
  /** What the config had to say, safe to show. */
  warnings: string[];
}

export const DEFAULT_REVERSE_FLOW = ['CONSUMES', 'READS', 'SUBSCRIBES'];

export const DEFAULT_SCHEMA: GraphSchema = {
  entityTypes: ['SERVICE', 'DATABASE', 'PROTOCOL', 'TEAM', 'CONCEPT'],
  relationTypes: ['USES', 'PRODUCES', 'CONSUMES', 'OWNS', 'DEPENDS_ON'],
  documentFields: {},
  entityFields: {},
  relationFields: {},
  reverseFlow: DEFAULT_REVERSE_FLOW,
};

export const DEFAULT_GRAPH: GraphSettings = {
  schema: DEFAULT_SCHEMA,
  embedder: { provider: 'builtin' },
  extractor: { provider: 'rules' },
  warnings: [],
};

/** Hosted extraction stops here unless the config says otherwise. */
export const DEFAULT_MAX_COST = 10;

const EMBEDDERS: Record<string, string> = {
  builtin: 'builtin-embed-1',
  local: 'Xenova/e5-small-v2',
  gemini: 'gemini-embedding-001',
  bedrock: 'amazon.titan-embed-text-v2:0',
  voyage: 'voyage-4-large',
};

export function embedderModel(settings: GraphSettings): string {
  return settings.embedder.model ?? EMBEDDERS[settings.embedder.provider] ?? EMBEDDERS['builtin']!;
}

const EXTRACTORS: Record<string, string> = {
  rules: 'rules',
  builtin: 'rules',
  gemini: 'gemini-3-flash-preview',
  bedrock: 'anthropic.claude-haiku-4-5-20251001-v1:0',
};

export function extractorModel(settings: GraphSettings): string {
  return settings.extractor.model ?? EXTRACTORS[settings.extractor.provider] ?? 'rules';
}
