// The typed graph as it changes with a document: what its chunks no longer say is taken back, what they say now is
// added, and the entities and relations touched are derived anew, all inside the caller's transaction.

import type { EntityMention, RelationMention } from '../../../domain/graph.ts';
import { foldCase } from '../../../domain/text.ts';
import type { GraphWrites } from '../../../ports/graph-store.ts';
import type { Connection } from '../connection.ts';
import type { DocumentRow } from '../rows.ts';
import { CHUNK_SPAN } from '../ids.ts';
import {
  addFields,
  addVote,
  confidenceOf,
  fuller,
  ranked,
  readTally,
  sureness,
  typeOf,
  writeTally,
  type Tally,
} from './tally.ts';

export interface GraphChange {
  removed: { first: number; count: number } | undefined;
  added: { first: number; chunks: readonly GraphWrites[] } | undefined;
}

/** A row of `entities` or `relations` while it changes. */
interface Draft {
  id: number;
  mentions: number;
  tally: Tally;
  description: string;
  /** The fullest description may have been taken back. */
  stale: boolean;
  /** Spellings before the change: what `entity_names` holds. */
  names: Set<string>;
}

type Said = Pick<
  EntityMention & RelationMention,
  'name' | 'type' | 'description' | 'fields' | 'by' | 'quote'
> &
  Pick<RelationMention, 'source' | 'target' | 'keywords' | 'confidence'>;

export function updateGraph(connection: Connection, collection: number, change: GraphChange): void {
  if (!change.removed && !change.added) return;
  const entities = new Map<number, Draft>();
  const relations = new Map<number, Draft>();
  if (change.removed) {
    const { first, count } = change.removed;
    takeBack(connection, 'entity', { first, last: first + count - 1, drafts: entities });
    takeBack(connection, 'relation', { first, last: first + count - 1, drafts: relations });
  }
  change.added?.chunks.forEach((chunk, index) => {
    const id = change.added!.first + index;
    for (const mention of chunk.entities ?? []) {
      const row = entityRow(connection, collection, mention.key);
      say(connection, 'entity', { draft: draftOf(connection, 'entity', row, entities), chunk: id, mention });
    }
    for (const mention of chunk.relations ?? []) {
      const row = relationRow(connection, collection, mention);
      say(connection, 'relation', {
        draft: draftOf(connection, 'relation', row, relations),
        chunk: id,
        mention,
      });
    }
  });
  for (const draft of entities.values()) saveEntity(connection, draft);
  for (const draft of relations.values()) saveRelation(connection, draft);
}

/** Replaces what the chunks of a document contribute; false where they are not those chunks any more. */
export function annotateDocument(
  connection: Connection,
  row: DocumentRow | undefined,
  chunks: readonly GraphWrites[],
): boolean {
  if (!row || row.chunks !== chunks.length) return false;
  const had = row.graph === 1;
  const has = chunks.some((chunk) => (chunk.entities?.length ?? 0) + (chunk.relations?.length ?? 0) > 0);
  updateGraph(connection, row.collection, {
    removed: had ? { first: row.first_chunk, count: row.chunks } : undefined,
    added: has ? { first: row.first_chunk, chunks } : undefined,
  });
  if (had !== has) connection.sql('UPDATE documents SET graph = ? WHERE id = ?').run(has ? 1 : 0, row.id);
  return true;
}

/** Removes the typed graph of a collection; its chunks stay. */
export function clearGraph(connection: Connection, collection: number): void {
  const { sql } = connection;
  const range = [collection * CHUNK_SPAN, (collection + 1) * CHUNK_SPAN - 1] as const;
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

function takeBack(
  connection: Connection,
  kind: 'entity' | 'relation',
  { first, last, drafts }: { first: number; last: number; drafts: Map<number, Draft> },
): void {
  const rows = connection
    .sql(`SELECT ${kind} AS owner, said FROM ${kind}_mentions WHERE chunk BETWEEN ? AND ?`)
    .all(first, last) as { owner: number; said: string }[];
  for (const row of rows) {
    const draft = draftOf(connection, kind, row.owner, drafts);
    const said = JSON.parse(row.said) as Said;
    vote(draft, kind, said, -1);
    if (said.description !== undefined && said.description === draft.description) draft.stale = true;
  }
  connection.sql(`DELETE FROM ${kind}_mentions WHERE chunk BETWEEN ? AND ?`).run(first, last);
}

function say(
  connection: Connection,
  kind: 'entity' | 'relation',
  { draft, chunk, mention }: { draft: Draft; chunk: number; mention: EntityMention | RelationMention },
): void {
  const { startLine, endLine, description, fields, type, by, quote } = mention;
  const shared = { description, fields, by, quote };
  const said: Partial<Said> =
    'name' in mention
      ? { name: mention.name, type, ...shared }
      : {
          source: mention.source,
          target: mention.target,
          keywords: mention.keywords,
          confidence: mention.confidence,
          ...shared,
        };
  vote(draft, kind, said as Said, 1);
  if (description !== undefined) draft.description = fuller(draft.description, description);
  connection
    .sql(`INSERT INTO ${kind}_mentions (${kind}, chunk, start_line, end_line, said) VALUES (?, ?, ?, ?, ?)`)
    .run(draft.id, chunk, startLine, endLine, JSON.stringify(said));
}

function vote(draft: Draft, kind: 'entity' | 'relation', said: Said, by: 1 | -1): void {
  draft.mentions += by;
  if (kind === 'entity') {
    addVote(draft.tally, 'name', said.name, by);
    addVote(draft.tally, 'type', said.type, by);
  } else {
    addVote(draft.tally, 'source', said.source, by);
    addVote(draft.tally, 'target', said.target, by);
    for (const keyword of said.keywords ?? []) addVote(draft.tally, 'keyword', keyword, by);
    addVote(draft.tally, 'sure', sureness(said.confidence), by);
  }
  if (said.by !== undefined) addVote(draft.tally, 'by', said.by, by);
  addFields(draft.tally, said.fields, by);
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
  const row = connection.sql(`SELECT mentions, tally, description FROM ${table} WHERE id = ?`).get(id) as {
    mentions: number;
    tally: string;
    description: string;
  };
  const tally = readTally(row.tally);
  const names = new Set(tally.get('name')?.keys());
  const draft = { id, mentions: row.mentions, tally, description: row.description, stale: false, names };
  drafts.set(id, draft);
  return draft;
}

function entityRow(connection: Connection, collection: number, key: string): number {
  const { sql } = connection;
  const row = sql('SELECT id FROM entities WHERE key = ? AND collection = ?').get(key, collection);
  if (row) return row['id'] as number;
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
  const row = sql(
    'SELECT id FROM relations WHERE source = ? AND target = ? AND type = ? AND collection = ?',
  ).get(sourceKey, targetKey, type, collection);
  if (row) return row['id'] as number;
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
  const { type } = sql('SELECT type FROM relations WHERE id = ?').get(draft.id) as { type: string };
  const said = [type, description, ...['keyword', 'source', 'target'].flatMap((a) => ranked(draft.tally, a))];
  sql('INSERT INTO relation_words (rowid, said) VALUES (?, ?)').run(draft.id, said.join('\n'));
}

function descriptionOf(connection: Connection, kind: 'entity' | 'relation', draft: Draft): string {
  if (!draft.stale) return draft.description;
  const rows = connection
    .sql(`SELECT json_extract(said, '$.description') AS text FROM ${kind}_mentions WHERE ${kind} = ?`)
    .iterate(draft.id) as IterableIterator<{ text: string | null }>;
  let best = '';
  for (const { text } of rows) if (text !== null) best = fuller(best, text);
  return best;
}
