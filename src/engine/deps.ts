// The engine's dependencies: ports, settings and the clock, passed in once by the composition root.

import type { ChunkProfile } from '../domain/chunk.ts';
import type { Models } from '../ports/models.ts';
import type { ProjectReader } from '../ports/project.ts';
import type { Registry } from '../ports/registry.ts';
import type { DocumentationFetcher, Files } from '../ports/source.ts';
import type { Spending } from '../ports/spending.ts';
import type { Stores } from '../ports/store.ts';
import type { TextWorker } from '../ports/worker.ts';
import type { GraphSettings } from '../domain/graph-settings.ts';

export interface EngineSettings {
  defaultDb: string;
  /** None: searches cover every collection, ingest writes `knowledge`. */
  defaultCollection?: string;
  /** The collections of the project the process was started in: searched where a call names none. */
  project?: {
    file: string;
    folder: string;
    collections: readonly string[];
    /** The project's own texts: folders relative to its own, and patterns of what is left out. */
    own?: { collection: string; folders: readonly string[]; ignore: readonly string[] };
  };
  /** Skills of installed packages that a trusted project has enabled. */
  skills?: { folder: string; names: readonly string[] };
  /** Embedding of new collections, when set by flag, environment or file. */
  model?: string;
  dimensions?: number;
  /** Chunking of `vai_ingest` when the call names none. */
  chunk?: Partial<ChunkProfile>;
  /**
   * For callers over the network: most chunks and bytes of a collection, collections of a database, and dollars a day
   * for hosted models where the caller has no limit of its own.
   */
  limits?: { chunks: number; bytes: number; collections: number; spending: number };
  /** Folders, absolute, that a key over the network with every right may add from. */
  openFolders?: readonly string[];
  /** Characters per channel of one answer. */
  resultBudget: number;
  /** What the configuration asked for and did not get; safe to show. */
  warnings?: readonly string[];
  /** The knowledge graph's folder, schema and models. */
  graph: GraphSettings;
  /** Folders that are shown as `~`, `<project>` and `<data>`, never as absolute paths. */
  folders?: { home: string; project: string; data: string };
}

export interface EngineDeps {
  version: string;
  stores: Stores;
  models: Models;
  /** Counts what callers over the network spend; none where there are none. */
  spending?: Spending;
  files: Files;
  worker: TextWorker;
  fetcher: DocumentationFetcher;
  registry: Registry;
  /** Reads manifests and lockfiles; none where there is nothing to read. */
  project?: ProjectReader;
  settings: EngineSettings;
  now: () => Date;
}
