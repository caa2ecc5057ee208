// What a search takes and gives, for every toolset.

import type { LineRange } from '../../domain/lines.ts';
import type { Metadata } from '../../domain/document.ts';
import type { VersionFields } from '../project/docs-version.ts';
import type { ProjectScope } from '../scope.ts';

/** `graph` is hybrid with relations: words, meaning and relations in one fusion. */
export type SearchMode = 'words' | 'meaning' | 'hybrid' | 'relations' | 'graph';

export interface SearchRequest {
  query: string;
  db?: string;
  /** None: the configured default collection, else every collection the caller may see. */
  collections?: string[];
  /** Only documentation of this version: 3 means 3.24.1 too. Never answered from another. */
  version?: string;
  mode?: SearchMode;
  limit: number;
  /** Where the last page ended. */
  cursor?: string;
  /** MongoDB-style filter as it came from outside; parsed and bounded by the engine. */
  filter?: unknown;
  /** Embedding model for the query; default: what the collection was embedded with. */
  model?: string;
  /** Reorder the first candidates: `true` for the default reranker, or its name. */
  rerank?: boolean | string;
  /** Reranking and hosted calls give up after this long; the first-stage order is returned then. */
  deadlineMs?: number;
  /** Hits whose texts together stay within about this many tokens. */
  maxTokens?: number;
  /** What hits may take together, in whatever they are shown as, and what one takes. */
  room?: { total: number; of(hit: SearchHit): number };
  /** In hybrid mode relations take part too, where the question names something that has a place of its own. */
  relations?: boolean;
  /** `false`: neighbouring passages of one section are hits of their own. */
  join?: boolean;
  /** At most this many hits of one document; default 3 in hybrid modes, unlimited in words. */
  perDocument?: number;
  /** Widen each hit to its heading block (at most 120 lines) and fold hits of one block. */
  blocks?: boolean;
  /** The snippet of each hit is an excerpt of about so many characters instead of whole lines. */
  excerpt?: number;
  /** Hits that are less likely to answer than this, 0 to 1, are left out. */
  minRelevance?: number;
  /** Relevance from the score by words alone, where every millisecond counts. */
  judgeByWords?: boolean;
  /** `false`: the query's words are not looked for in the hits again; `matchLines` and `snippet` stay empty. */
  marks?: boolean;
}

export interface SearchHit extends VersionFields {
  id: string;
  /** `collection[/path]:start-end@hash` */
  citation: string;
  collection: string;
  path: string;
  title: string;
  /** What a person calls the place: the specification's `source`. */
  source: string;
  origin?: string;
  headingPath: string[];
  lines: LineRange;
  /** Page of the file it begins on, where the file has pages (PDF); from 1. */
  page?: number;
  /** Lines that hold query words. */
  matchLines: number[];
  /** Whole lines around the densest match, a fence never cut open; or the excerpt that was asked for. */
  snippet: string;
  /** The complete text of the lines, unless `partial`: then a part of lines that are too long to be shown whole. */
  text: string;
  partial?: true;
  /** Orders one answer: 0 to 1, not comparable between calls. */
  score: number;
  /** How likely this passage answers, 0 to 1: comparable between calls, collections and modes. */
  relevance: number;
  /** The cosine with the question as it was searched, where vectors took part. */
  similarity?: number;
  /** Per retriever, scaled 0 to 1; the reranker's when it ran. */
  scores: { words?: number; meaning?: number; relations?: number; rerank?: number };
  metadata: Metadata;
  sha256: string;
  fetchedAt: string;
  chunkIndex: number;
  totalChunks: number;
}

/** What an answer is worth: the best of its first hits, against bounds learned on training projects. */
export type Verdict = 'answered' | 'weak' | 'nothing_relevant';

export interface SearchResult {
  query: string;
  verdict: Verdict;
  database: string;
  /** The collections searched; `*` when all. */
  collection: string;
  /** Where it was the project's collections that were searched, because none was named. */
  scope?: ProjectScope;
  mode: SearchMode;
  hits: SearchHit[];
  total: number;
  totalIsBound: boolean;
  nextCursor?: string;
  /** Embedding model used for the query, when meaning took part. */
  model?: string;
  dimensions?: number;
  reranked: boolean;
  rerankModel?: string;
  /** What relevance rests on, where that is not the whole of what ranked the hits. */
  relevanceFrom?: string;
  tokens: { embed: number; rerank: number };
  /** Why there are no hits, or what was read differently than written. */
  notices: { code: string; message: string }[];
  warnings: string[];
  timeMs: number;
}
