// The typed graph as it changes with a document: what its chunks no longer state is withdrawn, what they state now is
// added, and the entities and relations touched are derived again, all inside the caller's transaction.

import type { EntityMention, RelationMention } from '../../../domain/graph.ts';
import {
  addStatement,
  longer,
  newDraft,
  relationText,
  statementOf,
  withdrawStatement,
  type Draft as Counted,
  type Statement,
} from '../../../domain/statements.ts';
import { confidenceOf, ranked, typeOf, writeTally } from '../../../domain/tally.ts';
import { foldCase } from '../../../domain/text.ts';
import type { GraphWrites } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import { documentRow } from '../rows.ts';
import { chunksOf } from '../ids.ts';

export interface GraphChange {
  removed: { first: number; count: number } | undefined;
  added: { first: number; chunks: readonly GraphWrites[] } | undefined;
}

/** A row of `entities` or `relations` while it changes. */
interface Draft extends Counted {
  id: number;
  /** Spellings before the change: what `entity_names` holds. */
  names: Set<string>;
}

interface Drafts {
  entities: Map<number, Draft>;
  relations: Map<number, Draft>;
}

export function updateGraph(connection: Connection, collection: number, change: GraphChange): void {
  const drafts = noDrafts();
  applyChange(connection, { collection, ...change }, drafts);
  save(connection, drafts);
}

function noDrafts(): Drafts {
  return { entities: new Map(), relations: new Map() };
}

function save(connection: Connection, { entities, relations }: Drafts): void {
  for (const draft of entities.values()) saveEntity(connection, draft);
  for (const draft of relations.values()) saveRelation(connection, draft);
}

function applyChange(
  connection: Connection,
  { collection, ...change }: GraphChange & { collection: number },
  { entities, relations }: Drafts,
): void {
  if (change.removed) {
    const { first, count } = change.removed;
    withdraw(connection, 'entity', { first, last: first + count - 1, drafts: entities });
    withdraw(connection, 'relation', { first, last: first + count - 1, drafts: relations });
  }
  change.added?.chunks.forEach((chunk, index) => {
    const id = change.added!.first + index;
    for (const mention of chunk.entities ?? []) {
      const row = entityRow(connection, collection, mention.key);
      state(connection, 'entity', {
        draft: draftOf(connection, 'entity', row, entities),
        chunk: id,
        mention,
      });
    }
    for (const mention of chunk.relations ?? []) {
      const row = relationRow(connection, collection, mention);
      state(connection, 'relation', {
        draft: draftOf(connection, 'relation', row, relations),
        chunk: id,
        mention,
      });
    }
  });
}

/** What the chunks of a document contribute from now on. */
export interface Annotation {
  collection: string;
  path: string;
  chunks: readonly GraphWrites[];
}

/**
 * Replaces what the chunks of each document contribute; false for a document that has other chunks by now. A name that
 * many of the documents mention is saved once for all of them.
 */
export function annotateDocuments(connection: Connection, annotations: readonly Annotation[]): boolean[] {
  const drafts = noDrafts();
  const done = annotations.map(({ collection, path, chunks }) => {
    const row = documentRow(connection, collection, path);
    if (row?.chunks !== chunks.length) return false;
    const had = row.graph === 1;
    const has = chunks.some((chunk) => weightOf(chunk) > 0);
    const removed = had ? { first: row.first_chunk, count: row.chunks } : undefined;
    const added = has ? { first: row.first_chunk, chunks } : undefined;
    applyChange(connection, { collection: row.collection, removed, added }, drafts);
    if (had !== has) connection.sql('UPDATE documents SET graph = ? WHERE id = ?').run(has ? 1 : 0, row.id);
    return true;
  });
  save(connection, drafts);
  return done;
}

/** How many statements a chunk makes. */
export function weightOf({ entities, relations }: GraphWrites): number {
  return (entities?.length ?? 0) + (relations?.length ?? 0);
}

/** Removes the typed graph of a collection; its chunks stay. */
export function clearGraph(connection: Connection, collection: number): void {
  const { sql } = connection;
  const range = chunksOf(collection);
  sql('DELETE FROM entity_mentions WHERE chunk BETWEEN ? AND ?').run(...range);
  sql('DELETE FROM relation_mentions WHERE chunk BETWEEN ? AND ?').run(...range);
  sql('DELETE FROM entity_names WHERE entity IN (SELECT id FROM entities WHERE collection = ?)').run(
    collection,
  );
  sql('DELETE FROM entities WHERE collection = ?').run(collection);
  sql('DELETE FROM relation_words WHERE rowid IN (SELECT id FROM relations WHERE collection = ?)').run(
    collection,
  );
  sql('DELETE FROM relations WHERE collection = ?').run(collection);
  sql('UPDATE documents SET graph = 0 WHERE collection = ?').run(collection);
}

function withdraw(
  connection: Connection,
  kind: 'entity' | 'relation',
  { first, last, drafts }: { first: number; last: number; drafts: Map<number, Draft> },
): void {
  const rows = connection
    .sql<{
      owner: number;
      said: string;
    }>(`SELECT ${kind} AS owner, said FROM ${kind}_mentions WHERE chunk BETWEEN ? AND ?`)
    .all(first, last);
  for (const row of rows)
    withdrawStatement(draftOf(connection, kind, row.owner, drafts), JSON.parse(row.said) as Statement);
  connection.sql(`DELETE FROM ${kind}_mentions WHERE chunk BETWEEN ? AND ?`).run(first, last);
}

function state(
  connection: Connection,
  kind: 'entity' | 'relation',
  { draft, chunk, mention }: { draft: Draft; chunk: number; mention: EntityMention | RelationMention },
): void {
  const statement = statementOf(mention);
  addStatement(draft, statement);
  connection
    .sql(`INSERT INTO ${kind}_mentions (${kind}, chunk, start_line, end_line, said) VALUES (?, ?, ?, ?, ?)`)
    .run(draft.id, chunk, mention.startLine, mention.endLine, JSON.stringify(statement));
}

function draftOf(
  connection: Connection,
  kind: 'entity' | 'relation',
  id: number,
  drafts: Map<number, Draft>,
): Draft {
  const known = drafts.get(id);
  if (known) return known;
  const table = kind === 'entity' ? 'entities' : 'relations';
  const row = connection
    .sql<{
      mentions: number;
      tally: string;
      description: string;
    }>(`SELECT mentions, tally, description FROM ${table} WHERE id = ?`)
    .get(id);
  const counted = newDraft(row);
  const draft = { id, ...counted, names: new Set(counted.tally.get('name')?.keys()) };
  drafts.set(id, draft);
  return draft;
}

function entityRow(connection: Connection, collection: number, key: string): number {
  const { sql } = connection;
  const row = sql<{ id: number }>('SELECT id FROM entities WHERE key = ? AND collection = ?').get(
    key,
    collection,
  );
  if (row) return row.id;
  const added = sql(
    `INSERT INTO entities (collection, key, name, type, description, mentions, tally)
     VALUES (?, ?, '', '', '', 0, '[]')`,
  ).run(collection, key);
  return Number(added.lastInsertRowid);
}

function relationRow(
  connection: Connection,
  collection: number,
  mention: { sourceKey: string; targetKey: string; type: string },
): number {
  const { sql } = connection;
  const { sourceKey, targetKey, type } = mention;
  const row = sql<{ id: number }>(
    'SELECT id FROM relations WHERE source = ? AND target = ? AND type = ? AND collection = ?',
  ).get(sourceKey, targetKey, type, collection);
  if (row) return row.id;
  const added = sql(
    `INSERT INTO relations (collection, source, target, type, description, mentions, tally)
     VALUES (?, ?, ?, ?, '', 0, '[]')`,
  ).run(collection, sourceKey, targetKey, type);
  return Number(added.lastInsertRowid);
}

function saveEntity(connection: Connection, draft: Draft): void {
  const { sql } = connection;
  const names = new Set(draft.tally.get('name')?.keys());
  for (const name of draft.names) {
    if (!names.has(name))
      sql('DELETE FROM entity_names WHERE folded = ? AND entity = ? AND name = ?').run(
        foldCase(name),
        draft.id,
        name,
      );
  }
  if (draft.mentions <= 0) {
    sql('DELETE FROM entities WHERE id = ?').run(draft.id);
    return;
  }
  for (const name of names) {
    if (!draft.names.has(name))
      sql('INSERT OR IGNORE INTO entity_names VALUES (?, ?, ?)').run(foldCase(name), name, draft.id);
  }
  sql('UPDATE entities SET name = ?, type = ?, description = ?, mentions = ?, tally = ? WHERE id = ?').run(
    ranked(draft.tally, 'name')[0] ?? '',
    typeOf(draft.tally),
    descriptionOf(connection, 'entity', draft),
    draft.mentions,
    writeTally(draft.tally),
    draft.id,
  );
}

function saveRelation(connection: Connection, draft: Draft): void {
  const { sql } = connection;
  sql('DELETE FROM relation_words WHERE rowid = ?').run(draft.id);
  if (draft.mentions <= 0) {
    sql('DELETE FROM relations WHERE id = ?').run(draft.id);
    return;
  }
  const description = descriptionOf(connection, 'relation', draft);
  sql('UPDATE relations SET description = ?, mentions = ?, tally = ?, confidence = ? WHERE id = ?').run(
    description,
    draft.mentions,
    writeTally(draft.tally),
    confidenceOf(draft.tally),
    draft.id,
  );
  const { type } = sql<{ type: string }>('SELECT type FROM relations WHERE id = ?').get(draft.id)!;
  const text = relationText(type, { ...draft, description });
  sql('INSERT INTO relation_words (rowid, said) VALUES (?, ?)').run(draft.id, text);
}

function descriptionOf(connection: Connection, kind: 'entity' | 'relation', draft: Draft): string {
  if (!draft.stale) return draft.description;
  const rows = connection
    .sql<{
      text: string | null;
    }>(`SELECT json_extract(said, '$.description') AS text FROM ${kind}_mentions WHERE ${kind} = ?`)
    .iterate(draft.id);
  let best = '';
  for (const { text } of rows) if (text !== null) best = longer(best, text);
  return best;
}
