// What a graph is made with: the folder, the schema, the models. Resolved by config/flowrag.ts.

import type { GraphSchema } from './graph.ts';

export interface GraphSettings {
  /** Database of the graph tools; none: the default database. */
  db?: string;
  /** Folder that `index` keeps in step with, absolute. */
  docs?: string;
  /** Folder that `docs` must not leave: the untrusted project that named it. Absolute. */
  within?: string;
  /** Collection of that folder. */
  collection?: string;
  /** Folder of `flowrag.meta.json`, absolute. */
  data?: string;
  schema: GraphSchema;
  /** The model by its full name. */
  embedder: { provider: string; model: string; dimensions?: number };
  extractor: {
    provider: string;
    model: string;
    /** Most US dollars one run may spend on extraction. */
    maxCost?: number;
  };
  include?: string[];
  exclude?: string[];
  maxBytes?: number;
  /** What the config had to say, safe to show. */
  warnings: string[];
}

const DEFAULT_REVERSE_FLOW = ['CONSUMES', 'READS', 'SUBSCRIBES'];

export const DEFAULT_SCHEMA: GraphSchema = {
  entityTypes: ['SERVICE', 'DATABASE', 'PROTOCOL', 'TEAM', 'CONCEPT'],
  relationTypes: ['USES', 'PRODUCES', 'CONSUMES', 'OWNS', 'DEPENDS_ON'],
  documentFields: {},
  entityFields: {},
  relationFields: {},
  reverseFlow: DEFAULT_REVERSE_FLOW,
};

/** Hosted extraction stops here unless the config says otherwise. */
export const DEFAULT_MAX_COST = 10;

export function embedderModel(settings: GraphSettings): string {
  return settings.embedder.model;
}

export function extractorModel(settings: GraphSettings): string {
  return settings.extractor.model;
}
