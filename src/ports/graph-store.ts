// The graph half of the store port. Entities and relations are kept per collection and merged by key over the
// collections a call may see, so a key limited to some collections sees no trace of the others.

import type { DocumentInfo } from '../domain/document.ts';
import type { Entity, EntityMention, Evidence, Relation, RelationMention } from '../domain/graph.ts';
import type { Edge } from '../domain/statements.ts';

/** What a chunk contributes to the graph. Keys are made by the engine (`entityKey` and its merging rules). */
export interface GraphWrites {
  entities?: (EntityMention & { key: string })[];
  relations?: (RelationMention & { sourceKey: string; targetKey: string })[];
}

/** The next chunks of a document whose names were not looked for yet, in the order of its text. */
export interface Unnamed {
  info: Pick<DocumentInfo, 'collection' | 'path' | 'title' | 'headings'>;
  /** At least one. */
  chunks: { id: string; text: string; headingPath: readonly string[] }[];
}

export type GraphScope = readonly string[] | undefined;

export interface EntityQuery {
  scope: GraphScope;
  /** Exact type, as spelled in the schema. */
  type?: string;
  /** All but these types. */
  except?: readonly string[];
  /** Case-insensitive substring of name or description. */
  query?: string;
  limit: number;
}

export interface GraphCounts {
  entities: number;
  relations: number;
  byType: Record<string, number>;
}

/** What the graph lacks, for an agent that would complete it. */
export interface GraphGaps {
  /** Entities that no relation touches. */
  unrelated: number;
  /** Documents that no entity is read from. */
  withoutEntities: number;
  /** Chunks that hold many entities and state little of them, the widest gap first. */
  sections: SparseSection[];
}

export interface SparseSection extends Omit<Evidence, 'by'> {
  entities: number;
  relations: number;
}

/** A relation by the keys of its ends. */
export type GraphEdge = Edge;

export type EntityLabel = Pick<Entity, 'name' | 'type'>;

export interface EdgeOptions {
  scope: GraphScope;
  limit: number;
  /** Only these types, or all but these; spelled as they are stored. */
  types?: { only: readonly string[] } | { except: readonly string[] };
  /** Only relations that are at least so sure. */
  minConfidence?: number;
}

export interface GraphReads {
  counts(scope: GraphScope): Promise<GraphCounts>;
  gaps(scope: GraphScope, limit: number): Promise<GraphGaps>;
  /** Most mentions first, then name. */
  entities(query: EntityQuery): Promise<{ total: number; entities: Entity[] }>;
  byKeys(keys: readonly string[], scope: GraphScope): Promise<Entity[]>;
  /** Name and type alone: what a walk shows of the nodes it passes. Keys of no entity are left out. */
  labels(keys: readonly string[], scope: GraphScope): Promise<Map<string, EntityLabel>>;
  /** Entities whose name (or alias) equals the text, exactly or ignoring case, or contains it. */
  named(text: string, how: 'exact' | 'ignore-case' | 'substring', scope: GraphScope): Promise<Entity[]>;
  /** Relations that touch any of the keys; the surest first, then most mentions, type and the keys of the ends. */
  relations(
    keys: readonly string[],
    direction: 'in' | 'out' | 'both',
    options: EdgeOptions,
  ): Promise<{ total: number; relations: Relation[] }>;
  /**
   * The same relations with nothing but their ends: what walking the graph needs, many keys at a time. In the order of
   * `relations` if the limit applies, in any order otherwise.
   */
  edges(
    keys: readonly string[],
    direction: 'in' | 'out' | 'both',
    options: EdgeOptions,
  ): Promise<GraphEdge[]>;
  /** Relations whose type, keywords, description or end names hold any of the words; most matches first. */
  relationsAbout(
    words: readonly string[],
    options: { scope: GraphScope; limit: number },
  ): Promise<Relation[]>;
  entityEvidence(
    keys: readonly string[],
    options: { scope: GraphScope; limit: number },
  ): Promise<Map<string, { total: number; evidence: Evidence[] }>>;
  relationEvidence(
    ids: readonly string[],
    options: { scope: GraphScope; limit: number },
  ): Promise<Map<string, { total: number; evidence: Evidence[] }>>;
  /**
   * Where the mention index is not complete: chunks of the scope without names, of about so many characters together.
   * A document comes in without names; looking for them is left to whoever needs them. Empty, and quickly so, when
   * there are none.
   */
  unnamed(scope: GraphScope, characters: number): Promise<Unnamed[]>;
  /**
   * Completes the mention index by the keys of chunks: normalised names, identifiers, links that occur in each, none
   * twice; an empty list where there are none. For chunks as `unnamed` gave them, in its order. One that is gone, or
   * that has its names by now, is left alone.
   */
  name(keys: ReadonlyMap<string, readonly string[]>): Promise<void>;
  /** The names each chunk holds. */
  mentionsOfChunks(ids: readonly string[]): Promise<Map<string, string[]>>;
  /** What each chunk contributed, as it was written: for copying to another store. */
  contributions(ids: readonly string[]): Promise<Map<string, GraphWrites>>;
  /** Chunk ids per key, at most `limit` each, in a stable order. */
  chunksWithMentions(
    keys: readonly string[],
    options: { scope: GraphScope; limit: number },
  ): Promise<Map<string, string[]>>;
  /**
   * Replaces what a document's chunks contribute to the typed graph, in the order of the chunks; text, words and
   * vectors stay. False when the document is not there or has another number of chunks: it has been rewritten
   * meanwhile.
   */
  annotate(collection: string, path: string, chunks: readonly GraphWrites[]): Promise<boolean>;
}
