// What chunks state about entities and relations, and what follows from it: votes are counted as statements come and go,
// and an entity or relation is derived from its votes. The arithmetic of every store.

import { relationId, type Entity, type EntityMention, type Relation, type RelationMention } from './graph.ts';
import {
  addFields,
  addVote,
  fieldsOf,
  mergeTallies,
  ranked,
  readTally,
  sureness,
  typeOf,
  type Tally,
} from './tally.ts';
import { compareText } from './text.ts';

/** What one mention states, apart from its place: an entity has a name, a relation two ends. */
export type Statement = Partial<
  Pick<EntityMention, 'name' | 'type'> &
    Pick<RelationMention, 'source' | 'target' | 'keywords' | 'confidence'> &
    Pick<EntityMention, 'description' | 'fields' | 'by' | 'quote'>
>;

export function statementOf(mention: EntityMention | RelationMention): Statement {
  const { description, fields, by, quote } = mention;
  const shared = { description, fields, by, quote };
  if ('name' in mention) return { name: mention.name, type: mention.type, ...shared };
  const { source, target, keywords, confidence } = mention;
  return { source, target, keywords, confidence, ...shared };
}

/** The mention that was stored: what it states, and its place. */
export function storedMention<Said>(stored: { said: string; startLine: number; endLine: number }) {
  const { said, startLine, endLine } = stored;
  return { ...(JSON.parse(said) as Said), startLine, endLine };
}

/** An entity or a relation while statements about it change. */
export interface Draft {
  mentions: number;
  tally: Tally;
  description: string;
  /** The longest description may have been withdrawn: it has to be looked for among those that are left. */
  stale: boolean;
}

export function newDraft(stored?: { mentions: number; tally: string; description: string }): Draft {
  return stored
    ? { ...stored, tally: readTally(stored.tally), stale: false }
    : { mentions: 0, tally: new Map(), description: '', stale: false };
}

export function addStatement(draft: Draft, statement: Statement): void {
  count(draft, statement, 1);
  if (statement.description !== undefined)
    draft.description = longer(draft.description, statement.description);
}

export function withdrawStatement(draft: Draft, statement: Statement): void {
  count(draft, statement, -1);
  if (statement.description !== undefined && statement.description === draft.description) draft.stale = true;
}

function count(draft: Draft, statement: Statement, by: 1 | -1): void {
  const { tally } = draft;
  const vote = (aspect: string, value: string | undefined): void => {
    if (value !== undefined) addVote(tally, aspect, value, by);
  };
  draft.mentions += by;
  vote('name', statement.name);
  vote('type', statement.type);
  vote('source', statement.source);
  vote('target', statement.target);
  for (const keyword of statement.keywords ?? []) vote('keyword', keyword);
  if (statement.source !== undefined) vote('sure', sureness(statement.confidence));
  vote('by', statement.by);
  addFields(tally, statement.fields, by);
}

/** The longer of two descriptions; of two equally long ones the first in the alphabet. */
export function longer(a: string, b: string): string {
  if (a.length !== b.length) return a.length > b.length ? a : b;
  return a < b ? a : b;
}

interface Stored {
  tally: string;
  description: string;
}

/** One entity of what several collections store under its key. */
export function mergedEntity(
  key: string,
  stored: readonly (Stored & { mentions: number })[],
  relations: number,
): Entity {
  const tally = mergeTallies(stored.map((row) => readTally(row.tally)));
  const [name = '', ...aliases] = ranked(tally, 'name');
  return {
    key,
    name,
    type: typeOf(tally),
    description: stored.map((row) => row.description).reduce(longer),
    fields: fieldsOf(tally),
    aliases,
    mentions: stored.reduce((sum, row) => sum + row.mentions, 0),
    relations,
    by: ranked(tally, 'by'),
  };
}

/** A relation by the keys of its ends, with what orders it. */
export interface Edge {
  source: string;
  target: string;
  type: string;
  mentions: number;
  confidence: number;
}

/** One relation of what several collections store about it; `labels` name its ends where they are entities. */
export function mergedRelation(
  { source, target, type, mentions, confidence }: Edge,
  stored: readonly Stored[],
  labels: ReadonlyMap<string, { name: string }>,
): Relation {
  const tally = mergeTallies(stored.map((row) => readTally(row.tally)));
  const end = (key: string, aspect: 'source' | 'target') => ({
    key,
    name: labels.get(key)?.name ?? ranked(tally, aspect)[0] ?? key,
  });
  return {
    id: relationId({ source, target, type }),
    source: end(source, 'source'),
    target: end(target, 'target'),
    type,
    description: stored.map((row) => row.description).reduce(longer),
    keywords: ranked(tally, 'keyword'),
    fields: fieldsOf(tally),
    mentions,
    confidence,
    by: ranked(tally, 'by'),
  };
}

/** What a search for relations by words looks into. */
export function relationText(type: string, { description, tally }: Draft): string {
  return [
    type,
    description,
    ...['keyword', 'source', 'target'].flatMap((aspect) => ranked(tally, aspect)),
  ].join('\n');
}

/** The surest first, then most mentions, type and the keys of the ends. */
export function compareEdges(a: Edge, b: Edge): number {
  return (
    b.confidence - a.confidence ||
    b.mentions - a.mentions ||
    compareText(a.type, b.type) ||
    compareText(a.source, b.source) ||
    compareText(a.target, b.target)
  );
}
