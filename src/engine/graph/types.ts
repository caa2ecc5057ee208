// What the graph methods take and give, for every toolset.

import type { Evidence } from '../../domain/graph.ts';
import type { VersionFields } from '../project/docs-version.ts';
import type { ProjectScope } from '../scope.ts';
import type { Verdict } from '../search/types.ts';
import type { ConfigChange } from './meta.ts';
import type { TraceDirection } from './trace.ts';

/** Evidence as it is shown: where, and how to cite it. */
export interface ShownEvidence {
  path: string;
  startLine: number;
  endLine: number;
  headingPath: string[];
  citation: string;
  /** Who read it there: an extractor, or an agent that stated it. */
  by?: string;
}

export interface Evidenced {
  evidence: ShownEvidence[];
  evidenceTotal: number;
}

export interface Resolved {
  input: string;
  name: string;
  how: 'exact' | 'case-insensitive' | 'substring';
  alsoMatched: string[];
}

export interface ShownEntity extends Evidenced {
  name: string;
  type: string;
  description: string;
  fields: Record<string, string>;
  aliases: string[];
  relationCount: number;
  /** Who read of it: extractors, or an agent that stated it. */
  by: string[];
}

export interface ShownRelation extends Evidenced {
  source: string;
  type: string;
  target: string;
  direction: 'in' | 'out';
  /** False: the two are only mentioned together. */
  stated: boolean;
  /** How sure it is that the lines say so, 0 to 1. */
  confidence: number;
  /** Who read it there: extractors, or an agent that stated it. */
  by: string[];
  description: string;
  keywords: string[];
  fields: Record<string, string>;
}

export interface EntityList {
  total: number;
  truncated: boolean;
  entities: ShownEntity[];
  warnings: string[];
}

export interface RelationList {
  resolved: Resolved;
  total: number;
  truncated: boolean;
  relations: ShownRelation[];
  warnings: string[];
}

export interface Trace {
  resolved: Resolved;
  direction: TraceDirection;
  depthReached: number;
  truncated: boolean;
  nodes: { name: string; type: string; depth: number }[];
  edges: ({ source: string; type: string; target: string; depth: number; stated: boolean } & Evidenced)[];
  warnings: string[];
}

export interface Path {
  from: Resolved;
  to: Resolved;
  found: boolean;
  directed: boolean;
  length: number;
  edges: ({
    source: string;
    type: string;
    target: string;
    forward: boolean;
    alsoTypes: string[];
    stated: boolean;
  } & Evidenced)[];
  searchedDepth: number;
  warnings: string[];
}

/** What an agent states of an entity, and the lines that say so. */
export interface ContributedEntity {
  name: string;
  type: string;
  description?: string | undefined;
  citation: string;
}

export interface ContributedRelation {
  source: string;
  type: string;
  target: string;
  description?: string | undefined;
  citation: string;
}

export interface Contributed {
  /** Statements that were kept, or taken back. */
  entities: number;
  relations: number;
  refused: { statement: string; citation: string; code: string; reason: string }[];
  warnings: string[];
}

/** A passage that names many entities and states little of them. */
export interface ShownGap {
  citation: string;
  headingPath: string[];
  entities: number;
  relations: number;
}

export interface GraphStats {
  documents: number;
  chunks: number;
  entities: number;
  relations: number;
  vectors: number;
  vectorsByKind: { chunk: number; entity: number; relation: number };
  entitiesByType: Record<string, number>;
  /** Entities that no relation touches, documents that no entity is read from. */
  unrelatedEntities: number;
  documentsWithoutEntities: number;
  /** Where an agent would add most by contributing relations. */
  sparseSections: ShownGap[];
  partialDocuments: number;
  /** Documents read by another extractor than the configured one. */
  otherExtractor: number;
  lastIndexedAt: string | null;
  embedder: string;
  extractor: string;
  configChanges: ConfigChange[];
  bytes: number;
  warnings: string[];
}

export type GraphSearchMode = 'hybrid' | 'local' | 'global' | 'naive';

export interface GraphHit extends VersionFields {
  rank: number;
  chunkId: string;
  collection: string;
  path: string;
  startLine: number;
  endLine: number;
  page?: number;
  headingPath: string[];
  citation: string;
  content: string;
  score: number;
  /** How likely it answers, 0 to 1, comparable between calls. */
  relevance: number;
  /** The cosine with the question, where there is a vector. */
  similarity?: number;
  /** Its rank in each leg that found it. */
  legs: { words?: number; naive?: number; local?: number; global?: number };
  entities: string[];
}

export interface GraphSearchResult {
  query: string;
  mode: GraphSearchMode;
  scoreKind: 'cosine' | 'evidence' | 'fused';
  scope?: ProjectScope;
  verdict: Verdict;
  results: GraphHit[];
  warnings: string[];
}

export type { Evidence };
