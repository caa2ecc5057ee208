// The knowledge graph: entities and relations, each backed by the chunks that state it. Type, description and fields of
// an entity are derived from its mentions, so that the graph does not depend on the order in which files were read.

export const OTHER_TYPE = 'OTHER';

export interface GraphSchema {
  entityTypes: string[];
  relationTypes: string[];
  documentFields: Record<string, FieldDefinition>;
  entityFields: Record<string, FieldDefinition>;
  relationFields: Record<string, FieldDefinition>;
  /** Relation types whose flow runs from target to source. */
  reverseFlow: string[];
  /** Names known to be of a type, for the rules extractor. */
  lexicon?: Record<string, string[]>;
  /** Stated aliases: other names of an entity, by the name it is kept under. */
  aliases?: Record<string, string[]>;
}

export interface FieldDefinition {
  type: 'string' | 'enum';
  values?: string[];
  default?: string;
  filterable?: boolean;
}

/** What one chunk says of an entity. */
export interface EntityMention {
  name: string;
  type: string;
  description?: string;
  fields?: Record<string, string>;
  /** The name it is kept under, where the text writes it differently. */
  of?: string;
  /** Lines that say so, inside the chunk's own range. */
  startLine: number;
  endLine: number;
  by?: string;
  quote?: string;
}

/** An agent's own statements are kept under this name, beside what an extractor found. */
export const AGENT = 'agent';

/** A chunk of more entities than this lists names and states nothing of them. */
export const LISTING = 30;

/** What one chunk says of a relation; both ends are names. */
export interface RelationMention {
  source: string;
  target: string;
  type: string;
  description?: string;
  keywords?: string[];
  fields?: Record<string, string>;
  /** How sure it is that the lines say so, 0 to 1. */
  confidence?: number;
  startLine: number;
  endLine: number;
  /** Who read it there: an extractor's model, or `AGENT`. */
  by?: string;
  /** SHA-256 of the lines an agent cited: the statement goes when they change. */
  quote?: string;
}

/** Where something is stated. */
export interface Evidence {
  collection: string;
  path: string;
  startLine: number;
  endLine: number;
  headingPath: string[];
  chunkId: string;
  /** Who read it there: an extractor's model, or `AGENT`. */
  by?: string;
}

export interface Entity {
  /** Identity key: see `entityKey`. */
  key: string;
  name: string;
  type: string;
  description: string;
  fields: Record<string, string>;
  /** Other spellings that were merged into this one. */
  aliases: string[];
  mentions: number;
  relations: number;
  /** Who read it: extractors, `AGENT`. */
  by: string[];
}

export interface Relation {
  id: string;
  source: { key: string; name: string };
  target: { key: string; name: string };
  type: string;
  description: string;
  keywords: string[];
  fields: Record<string, string>;
  mentions: number;
  /** How sure it is, over all the places that say so. */
  confidence: number;
  by: string[];
}

/** Identity of a name: Unicode NFC, white space collapsed, case ignored, spaces and separators inside dropped. */
export function entityKey(name: string): string {
  return name
    .normalize('NFC')
    .trim()
    .slice(0, 256)
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, '');
}

/** Identity of a relation: the keys of its ends and its type, the same in every store. */
export function relationId(edge: { source: string; target: string; type: string }): string {
  return JSON.stringify([edge.source, edge.target, edge.type]);
}

export function parseRelationId(id: string): { source: string; target: string; type: string } | undefined {
  try {
    const parts = JSON.parse(id) as unknown;
    if (!Array.isArray(parts) || parts.length !== 3) return undefined;
    if (!parts.every((part) => typeof part === 'string')) return undefined;
    const [source, target, type] = parts as [string, string, string];
    return { source, target, type };
  } catch {
    return undefined;
  }
}
