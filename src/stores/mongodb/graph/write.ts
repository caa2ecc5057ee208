// The typed graph as it changes with a document: what its chunks no longer state is withdrawn, what they state now is
// added, and the entities and relations touched are derived again, all inside the caller's transaction and in a few
// round trips however many there are.

import type { AnyBulkWriteOperation, ClientSession, Document } from 'mongodb';
import { parseRelationId, relationId } from '../../../domain/graph.ts';
import { inGroups } from '../../../domain/few-at-a-time.ts';
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
import { stem } from '../../../domain/stem.ts';
import { confidenceOf, ranked, typeOf, writeTally } from '../../../domain/tally.ts';
import { foldAccents, foldCase } from '../../../domain/text.ts';
import type { GraphWrites } from '../../../ports/graph-store.ts';
import type { Database } from '../database.ts';
import {
  NAMES,
  type ChunkDocument,
  type EntityDocument,
  type MentionDocument,
  type RelationDocument,
} from '../layout.ts';

export interface GraphChange {
  collection: string;
  /** Version of the document whose statements are withdrawn. */
  removed: string | undefined;
  added:
    | { doc: string; chunks: readonly (GraphWrites & { headingPath: string[] })[]; ids: readonly string[] }
    | undefined;
  session: ClientSession;
}

type Kind = 'entity' | 'relation';

interface Draft extends Counted {
  owner: string;
}

const BATCH = 1000;
const STORES = {
  entity: { owners: NAMES.entities, mentions: NAMES.entityMentions },
  relation: { owners: NAMES.relations, mentions: NAMES.relationMentions },
} as const;

export async function updateGraph(database: Database, change: GraphChange): Promise<void> {
  if (change.removed === undefined && !change.added) return;
  await updateKind(database, change, 'entity');
  await updateKind(database, change, 'relation');
}

async function updateKind(database: Database, change: GraphChange, kind: Kind): Promise<void> {
  const { collection, session, removed } = change;
  const mentions = database.collection<MentionDocument>(STORES[kind].mentions);
  const gone = removed === undefined ? [] : await mentions.find({ doc: removed }, { session }).toArray();
  const fresh = change.added ? freshMentions(collection, change.added, kind) : [];
  if (gone.length === 0 && fresh.length === 0) return;
  const drafts = await loadDrafts(
    database,
    { collection, kind, session },
    [...gone, ...fresh].map((m) => m.owner),
  );
  for (const { owner, said } of gone) withdrawStatement(drafts.get(owner)!, JSON.parse(said) as Statement);
  for (const { owner, said } of fresh) addStatement(drafts.get(owner)!, JSON.parse(said) as Statement);
  if (gone.length) await mentions.deleteMany({ doc: removed! }, { session });
  for (const batch of inGroups(fresh, BATCH)) await mentions.insertMany(batch, { session });
  await refreshDescriptions(database, { collection, kind, session }, [...drafts.values()]);
  await saveDrafts(database, { collection, kind, session }, [...drafts.values()]);
}

interface Where {
  collection: string;
  kind: Kind;
  session: ClientSession;
}

function freshMentions(
  collection: string,
  added: NonNullable<GraphChange['added']>,
  kind: Kind,
): MentionDocument[] {
  return added.chunks.flatMap((chunk, at) => {
    const place = {
      collection,
      doc: added.doc,
      chunk: added.ids[at]!,
      ordinal: at,
      headingPath: chunk.headingPath,
    };
    const mentions =
      kind === 'entity'
        ? (chunk.entities ?? []).map((mention) => ({ owner: mention.key, mention }))
        : (chunk.relations ?? []).map((mention) => ({
            owner: relationId({ source: mention.sourceKey, target: mention.targetKey, type: mention.type }),
            mention,
          }));
    return mentions.map(({ owner, mention }) => ({
      ...place,
      owner,
      startLine: mention.startLine,
      endLine: mention.endLine,
      said: JSON.stringify(statementOf(mention)),
    }));
  });
}

/** The row a mention belongs to. */
function ownerFilter(collection: string, kind: Kind, owner: string): Document {
  if (kind === 'entity') return { collection, key: owner };
  return { collection, ...parseRelationId(owner)! };
}

async function loadDrafts(
  database: Database,
  where: Where,
  owners: readonly string[],
): Promise<Map<string, Draft>> {
  const { collection, kind, session } = where;
  const drafts = new Map<string, Draft>();
  for (const owner of owners) drafts.set(owner, { owner, ...newDraft() });
  const store = database.collection<EntityDocument | RelationDocument>(STORES[kind].owners);
  for (const batch of inGroups([...drafts.keys()], BATCH)) {
    const filter =
      kind === 'entity'
        ? { collection, key: { $in: batch } }
        : { collection, source: { $in: [...new Set(batch.map((id) => parseRelationId(id)!.source))] } };
    for await (const row of store.find(filter, { session })) {
      const owner = kind === 'entity' ? (row as EntityDocument).key : relationId(row as RelationDocument);
      const draft = drafts.get(owner);
      if (!draft) continue;
      const { mentions, tally, description } = row;
      Object.assign(draft, newDraft({ mentions, tally, description }));
    }
  }
  return drafts;
}

async function refreshDescriptions(database: Database, where: Where, drafts: Draft[]): Promise<void> {
  const stale = new Map(drafts.filter((draft) => draft.stale).map((draft) => [draft.owner, draft]));
  if (stale.size === 0) return;
  for (const draft of stale.values()) draft.description = '';
  const mentions = database.collection<MentionDocument>(STORES[where.kind].mentions);
  const rows = mentions.find(
    { collection: where.collection, owner: { $in: [...stale.keys()] } },
    { session: where.session, projection: { owner: 1, said: 1 } },
  );
  for await (const row of rows) {
    const { description } = JSON.parse(row.said) as Statement;
    const draft = stale.get(row.owner)!;
    if (description !== undefined) draft.description = longer(draft.description, description);
  }
}

async function saveDrafts(database: Database, where: Where, drafts: Draft[]): Promise<void> {
  const { collection, kind, session } = where;
  const store = database.collection(STORES[kind].owners);
  const operations = drafts.map((draft): AnyBulkWriteOperation => {
    const filter = ownerFilter(collection, kind, draft.owner);
    if (draft.mentions <= 0) return { deleteOne: { filter } };
    const replacement = kind === 'entity' ? entityRow(collection, draft) : relationRow(collection, draft);
    return { replaceOne: { filter, replacement, upsert: true } };
  });
  for (const batch of inGroups(operations, BATCH)) await store.bulkWrite(batch, { session });
}

function entityRow(collection: string, { owner, mentions, tally, description }: Draft): EntityDocument {
  const names = ranked(tally, 'name');
  return {
    collection,
    key: owner,
    name: names[0] ?? '',
    names,
    folded: [...new Set(names.map(foldCase))],
    type: typeOf(tally),
    description,
    mentions,
    tally: writeTally(tally),
  };
}

function relationRow(collection: string, draft: Draft): RelationDocument {
  const { owner, mentions, tally, description } = draft;
  const edge = parseRelationId(owner)!;
  return {
    collection,
    ...edge,
    description,
    mentions,
    confidence: confidenceOf(tally),
    tally: writeTally(tally),
    words: [...new Set(stems(relationText(edge.type, draft)))],
  };
}

export function stems(text: string): string[] {
  const plain = foldAccents(text);
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

/** Replaces what the chunks of a document contribute; false where they are not those chunks any more. */
export async function annotateDocument(
  database: Database,
  place: { collection: string; path: string },
  writes: readonly GraphWrites[],
  session: ClientSession,
): Promise<boolean> {
  const documents = database.own('documents');
  const owner = await documents.findOne(place, { session });
  if (!owner || owner.chunks !== writes.length) return false;
  const rows = await database
    .collection<ChunkDocument>(place.collection)
    .find({ '_vai.doc': owner._id }, { session, projection: { '_vai.headingPath': 1 } })
    .sort({ '_vai.ordinal': 1 })
    .toArray();
  const has = writes.some((chunk) => (chunk.entities?.length ?? 0) + (chunk.relations?.length ?? 0) > 0);
  const chunks = writes.map((chunk, at) => ({ ...chunk, headingPath: rows[at]?._vai.headingPath ?? [] }));
  await updateGraph(database, {
    collection: place.collection,
    removed: owner.graph ? owner._id : undefined,
    added: has ? { doc: owner._id, chunks, ids: rows.map((row) => row._id) } : undefined,
    session,
  });
  if (has !== (owner.graph === true))
    await documents.updateOne({ _id: owner._id }, { $set: { graph: has } }, { session });
  return true;
}
