// What the settings are once resolved. Descriptions of the single values are in keys.ts, which the docs are made from.

import type { ChunkProfile } from '../domain/chunk.ts';
import type { ProjectContract } from './project-contract.ts';

export type StoreKind = 'sqlite' | 'mongodb';

/** Values that come from flags, environment and files: one per own entry of keys.ts. */
export interface Values {
  /** Where knowledge lives. */
  store: StoreKind;
  /** Database of calls that name none. */
  defaultDb: string;
  /** Collection of calls that name none; unset: all for search, `knowledge` for ingest. */
  defaultCollection?: string;
  /** Embedding model of new collections, when somebody chose one. */
  model?: string;
  /** Vector length of new collections, when somebody chose one. */
  dimensions?: number;
  /** Reranker, when somebody chose one. */
  rerankModel?: string;
  /** Role of a text for `vai embed`, when somebody chose one. */
  inputType?: 'document' | 'query';
  /** Chunking of ingested text, as far as somebody chose it. */
  chunk: Partial<ChunkProfile>;
  /** MongoDB: vector field, vector index, extra filter paths, whether ingest creates a missing index. */
  field: string;
  index: string;
  filterFields: string[];
  autoIndex: boolean;
  /** For callers over HTTP: most chunks and bytes of a collection, most collections of a database. */
  maxChunks: number;
  maxCollections: number;
  maxCollectionBytes: number;
  maxSpending: number;
  /** For callers over HTTP: folders they may add from, absolute. */
  openFolders: string[];
  /** Characters per channel of one answer. */
  resultBudget: number;
  /** File of catalogue overrides, absolute. */
  models?: string;
  showCost: boolean;
  /** Databases in files elsewhere: name to absolute file. */
  databases: Record<string, string>;
  /** Secrets: never printed, never logged, never sent anywhere but to their own provider. */
  mongodbUri?: string;
  /** Documentation fetching. */
  allowPrivate: boolean | string[];
  allowHosts: boolean | string[];
  offline: boolean;
  maxBytes: number;
  github: string;
  /** The server. */
  toolsets?: string[];
  extraTools: boolean;
  transport: 'stdio' | 'http';
  port: number;
  host: string;
  /** Files, absolute; both or none. */
  tlsCert?: string;
  tlsKey?: string;
  /** File, absolute: whose tokens are accepted. */
  oauth?: string;
  serverKeys: string[];
  channels: 'both' | 'text' | 'structured';
  verbose: boolean;
}

export type Origin = 'flag' | 'environment' | 'project' | 'config' | 'default' | 'implied';

export interface Settings extends Values {
  /** What providers of models declare and somebody set, by the id of the provider. */
  providers: Record<string, Record<string, string>>;
  /** Folder of everything of ours, absolute. */
  home: string;
  /** The global config file, absolute; it need not exist. */
  configPath: string;
  /** What the project file says the project knows. */
  project?: ProjectContract;
  /** Where each value came from, for `vai config list` and `vai doctor`. */
  origins: Partial<Record<string, Origin>>;
  /** What was ignored and why; safe to show. */
  warnings: string[];
}
