// What a program that imports vai sees. Types alone and without imports: the build ships this file as it is.

export interface OpenOptions {
  /** Where data and configuration are kept; default: VAI_HOME, else ~/.vai. */
  home?: string;
  /** Default: the configured database. */
  db?: string;
}

export interface IngestReport {
  collection: string;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  chunks: number;
  failures: { path: string; message: string }[];
}

export interface Passage {
  /** `collection/path:start-end@hash`: give it to `cite`. */
  citation: string;
  collection: string;
  path: string;
  lines: { start: number; end: number };
  headingPath: string[];
  text: string;
  /** How likely it answers the question, 0 to 1; comparable between searches. */
  relevance: number;
}

export interface Cited {
  citation: string;
  lines: { start: number; end: number };
  headingPath: string[];
  text: string;
  /** Of a citation with a hash: whether the lines are the same, moved or changed since. */
  status?: string;
}

export interface Relation {
  source: string;
  type: string;
  target: string;
  description: string;
  /** Citations of the lines that state it. */
  evidence: string[];
}

export interface Knowledge {
  /** Files and folders; unchanged files are skipped. */
  ingest(paths: string | string[], options?: { collection?: string; sync?: boolean }): Promise<IngestReport>;
  /** A text under a name; the same name replaces it. */
  ingestText(text: string, options: { source: string; collection?: string }): Promise<{ chunks: number }>;
  search(
    query: string,
    options?: {
      collections?: string[];
      limit?: number;
      mode?: 'words' | 'meaning' | 'hybrid';
      rerank?: boolean;
    },
  ): Promise<Passage[]>;
  /** The exact lines of a citation. Rejects when there is no such document. */
  cite(citation: string): Promise<Cited>;
  graph: {
    /** Reads the documents of a collection for entities and relations. */
    build(collection: string): Promise<void>;
    /** What is stated about an entity; part of its name is enough. */
    relations(entity: string, options?: { collection?: string }): Promise<Relation[]>;
  };
  close(): Promise<void>;
}
