// What the documentation group takes and gives, for the blz toolset and its command line.

import type { ArchivedVersion, HistoryEvent } from '../../ports/store.ts';
import type { CiteNotice } from '../cite/types.ts';
import type { ContextMode } from '../cite/context.ts';
import type { VersionFields } from '../project/docs-version.ts';
import type { ProjectScope } from '../scope.ts';
import type { Verdict } from '../search/types.ts';
import type { Incomplete } from './freshness.ts';

export interface Counts {
  totalLines: number;
  headings: number;
}

export interface InstalledSource extends Incomplete {
  alias: string;
  title: string;
  /** Null where the collection does not come from an address. */
  url: string | null;
  kind: 'installed';
  /** Of the library it documents, where that is known. */
  docsVersion?: string;
  /** Last successful check. */
  fetchedAt: string;
  metadata: Counts;
  /** Not checked for 30 days. */
  stale: boolean;
  /** Last change of its content. */
  changedAt?: string;
  /** When the oldest change was made, on disk or in a version that is held, that is not indexed. */
  unindexedSince?: string;
  category?: string;
  description?: string;
  tags?: string[];
  /** File or folder of a local source, as a client may see it. */
  location?: string;
}

export interface RegistrySource {
  alias: string;
  url: string;
  kind: 'registry';
  suggestedCommand: string;
  title: string;
  description: string;
  category: string;
}

export interface SourceDetails extends InstalledSource {
  /** Last time the content changed. */
  lastUpdated: string;
  documents: number;
  chunks: number;
  vectors: number;
  bytes: number;
  variant?: string;
  etag?: string;
  lastModified?: string;
  sha256?: string;
  diagnostics: string[];
}

export interface AddRequest {
  alias: string;
  /** An address; the registry is asked when it is left out. */
  url?: string;
  /** A file or folder of this machine, absolute; over the network only one that is open. */
  path?: string;
  /** The same as somebody typed it, for messages to them. */
  typed?: string;
  force?: boolean;
  name?: string;
  description?: string;
  category?: string;
  tags?: string[];
}

export interface AddResult {
  alias: string;
  url: string | null;
  message: string;
  metadata: Counts;
  notices?: string[];
}

/** What a source would be, without adding it. */
export interface Analysis {
  alias: string;
  finalUrl: string;
  contentType: string;
  variant: string;
  /** Of a source that is many documents. */
  documents?: number;
  fileSize: number;
  charCount: number;
  lineCount: number;
  headerCount: number;
  notices: string[];
}

export interface UpdateRequest {
  /** None: every source that can be refreshed. */
  aliases?: string[];
  /** Accept a text that lost most of its lines, and ask without validators. */
  force?: boolean;
  /** Cut and index the stored text again, without the network. */
  reindex?: boolean;
}

export interface UpdateResult {
  alias: string;
  /** `partial`: refreshed, but some of its pages or files could not be read. */
  status: 'refreshed' | 'partial' | 'unchanged' | 'reindexed' | 'held' | 'error';
  before: Counts;
  after: Counts;
  message: string;
  code?: string;
  notices: string[];
}

export interface FindRequest {
  query?: string;
  snippets?: string[];
  source?: string | string[];
  /** Only documentation of this version. */
  version?: string;
  contextMode?: ContextMode;
  linePadding?: number;
  maxResults?: number;
  /** Hits that are less likely to answer than this, 0 to 1, are left out. */
  minRelevance?: number;
  /** What the command line has beside the tool. */
  page?: number;
  /** Every hit that can be reached, whatever the size of the answer. */
  all?: boolean;
  /** Only hits under headings of these levels. */
  levels?: readonly number[];
  /** Only hits whose heading holds a word of the query. */
  headingsOnly?: boolean;
  /** Length of the excerpts. */
  maxChars?: number;
}

export interface FindHit extends VersionFields {
  alias: string;
  lines: string;
  /** Of a file that has pages (PDF). */
  page?: number;
  headingPath: string[];
  snippet: string;
  score: number;
  /** How likely it answers, 0 to 1, comparable between calls. */
  relevance: number;
  sourceUrl: string | null;
  matchLines: number[];
  pageUrl?: string;
  rev: string;
  fetchedAt: string;
  stale: boolean;
}

export interface FindSnippet {
  alias: string;
  lines: string;
  content: string;
  headingPath: string[];
  rev: string;
  requested?: string;
  truncated?: boolean;
  next?: string;
  status?: string;
  fetchedAt: string;
  stale: boolean;
}

export interface FindResult {
  hits: FindHit[];
  snippets: FindSnippet[];
  executed: { searched: boolean; retrievedSnippets: boolean };
  /** How many there are, whatever the page shows; at least so many where `totalIsBound`. */
  totalHits?: number;
  totalIsBound?: true;
  /** The project's collections, where those were searched because no source was named; `all` looks everywhere. */
  scope?: ProjectScope;
  /** What the hits are worth together. */
  verdict?: Verdict;
  /** The page that was asked for, and the one after it where there is one. */
  page?: number;
  nextPage?: number;
  notices?: CiteNotice[];
}

export interface OutlineEntry {
  headingPath: string[];
  level: number;
  lines: string;
  sectionLines: string;
  id: string;
  /** In a source of many files. */
  path?: string;
}

export interface ValidateReport {
  alias: string;
  status: 'healthy' | 'warning' | 'error';
  checksum_matches: boolean;
  days_since_update: number;
  issues: string[];
}

export interface DiffReport {
  alias: string;
  from: { rev: string; fetchedAt: string; totalLines: number } | null;
  to: { rev: string; fetchedAt: string; totalLines: number };
  moved: { headingPath: string[]; from: string; to: string }[];
  changed: { headingPath: string[]; from: string; to: string }[];
  added: { headingPath: string[]; lines: string }[];
  removed: { headingPath: string[]; lines: string }[];
}

export interface StatsReport {
  totalSources: number;
  totalLines: number;
  totalHeadings: number;
  indexBytes: number;
  cacheBytes: number;
  searches: number;
  averageSearchMs: number | null;
  sources: { alias: string; lines: number; bytes: number; ageDays: number }[];
}

export type { ArchivedVersion, HistoryEvent };
