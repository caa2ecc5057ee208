// A collection: a named set of documents with one embedding model.

import type { ChunkProfile } from './chunk.ts';
import { VaiError } from './errors.ts';
import { didYouMean } from './nearest.ts';

export interface EmbeddingStamp {
  model: string;
  dimensions: number;
  /** Of the model, where it says one: vectors of two revisions do not compare. */
  revision?: number;
}

/** Where a collection is refreshed from, and what the last refresh saw. */
export interface SourceState {
  kind: 'url' | 'repository' | 'website' | 'file' | 'folder';
  /** Address or path; a path never leaves the machine. */
  location: string;
  /** The URL that answered, after redirects and variants. */
  url?: string;
  variant?: 'llms-full' | 'llms' | 'pages' | 'custom' | 'file';
  etag?: string;
  lastModified?: string;
  /** Of a repository: the commit, and what the address of a file's page begins with. */
  revision?: string;
  pageBase?: string;
  /** Of a source of many pages: how many there are, could not be read the last time, were beyond the limits. */
  pages?: { total: number; failed: number; pending: number };
  /** Last successful check and last change of content (ISO). */
  fetchedAt: string;
  changedAt: string;
  /** Since when a new version is there that lost most of the old and waits for somebody to confirm it. */
  heldSince?: string;
  sha256?: string;
}

/** A folder of this machine that files were ingested from, and what the paths of their documents begin with. */
export interface IngestedFolder {
  root: string;
  prefix: string;
  /** Not the whole folder: files in it that were named one by one. */
  some?: true;
}

export interface Collection {
  name: string;
  title?: string;
  description?: string;
  category?: string;
  tags?: string[];
  /** None until the first vector is written. */
  embedding?: EmbeddingStamp;
  /** How its documents are chunked by default; set only when a user asks for it. */
  chunking?: ChunkProfile;
  source?: SourceState;
  /** Where its files were ingested from, the latest last; like a location, they never leave the machine. */
  folders?: IngestedFolder[];
  /** An indexing run that began and has not ended: the index is incomplete, unless the run is still going. */
  run?: { startedAt: string; files: number };
  /** Left out of searches over several collections unless it is named: vai's own manual beside the user's documents. */
  onlyNamed?: true;
  /** Free record of a toolset (FlowRAG's meta, registry id); small, JSON. */
  extra?: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

export interface CollectionStats {
  documents: number;
  chunks: number;
  vectors: number;
  lines: number;
  headings: number;
  bytes: number;
}

export const DEFAULT_COLLECTION = 'knowledge';
export const DEFAULT_DATABASE = 'vai';

/** Names are path-free and shell-friendly, so that `collection/path:lines` can be parsed back. */
export function checkCollectionName(name: string): string {
  if (
    !/^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,119}$/u.test(name) ||
    name.endsWith('.') ||
    name.startsWith('_vai_')
  ) {
    throw new VaiError(
      'INVALID_INPUT',
      'A collection name has 1 to 120 letters, digits, spaces, `_`, `-` or `.`.',
      {
        hint: 'Begin with a letter, digit or underscore and leave out `/`, `:` and `@`.',
      },
    );
  }
  return name;
}

export function checkDatabaseName(name: string): string {
  if (!/^[A-Za-z0-9_-]{1,63}$/.test(name)) {
    throw new VaiError('INVALID_INPUT', 'A database name has 1 to 63 letters, digits, `_` or `-`.');
  }
  return name;
}

const NAMED = 10;

/** For a hint: the first of them, and how many there are besides. */
export function fewNames(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return (
    names
      .slice(0, NAMED)
      .map((name) => `\`${name}\``)
      .join(', ') + more
  );
}

export function collectionNotFound(
  name: string,
  { suggestions = [], hint }: { suggestions?: string[]; hint?: string } = {},
): VaiError {
  return new VaiError('COLLECTION_NOT_FOUND', `There is no collection \`${name.slice(0, 120)}\`.`, {
    hint: didYouMean(suggestions) ?? hint ?? 'List the collections first, or add a document to create it.',
    suggestions,
  });
}
