// What an agent states about documents it has read. Each statement is checked against the lines it cites and kept as the
// agent's own, beside what an extractor found; it goes when those lines change.

import { toVaiError, VaiError } from '../../domain/errors.ts';
import { AGENT, OTHER_TYPE, type GraphSchema } from '../../domain/graph.ts';
import type { Store } from '../../ports/store.ts';
import { requireScope, type Call } from '../call.ts';
import { locate, type Located } from '../cite/locate.ts';
import { withRunLock } from '../index/lock.ts';
import { keyMaker } from './annotate.ts';
import { citedLines, naming, refusal, type Cited } from './cited.ts';
import { knownEntity } from './resolve.ts';
import { addStatements, statementsOf, withdrawStatements, type Stated } from './statements.ts';
import type { Contributed, ContributedEntity, ContributedRelation } from './types.ts';
import type { View } from './view.ts';

export interface Contribution {
  entities: readonly ContributedEntity[];
  relations: readonly ContributedRelation[];
  /** Takes back what was stated before. */
  remove: boolean;
}

const NO_STATEMENT =
  'There is no statement in this call: give `entities` or `relations`, each with the lines that state it.';

type Item = ContributedEntity | ContributedRelation;

interface Job {
  view: View;
  schema: GraphSchema;
  keyOf: (name: string) => string;
  remove: boolean;
  answer: Contributed;
}

/** One after another in this process; another process is told to wait by the lock of the collection. */
const turns = new WeakMap<Store, Promise<unknown>>();

export async function contribute(
  view: View,
  schema: GraphSchema,
  call: Call,
  { entities, relations, remove }: Contribution,
): Promise<Contributed> {
  requireScope(call.principal, 'write');
  const answer: Contributed = { entities: 0, relations: 0, refused: [], warnings: [...view.warnings] };
  if (entities.length + relations.length === 0) answer.warnings.push(NO_STATEMENT);
  const job: Job = { view, schema, keyOf: keyMaker(schema), remove, answer };
  const documents = await byDocument(job, [...entities, ...relations]);
  for (const items of documents.values()) {
    const { collection } = items[0]!.located.info;
    const before = turns.get(view.store) ?? Promise.resolve();
    const turn = before
      .catch(() => undefined)
      .then(() => withRunLock(view.store, collection, () => write(job, items)));
    turns.set(view.store, turn);
    await turn;
  }
  return answer;
}

interface Placed {
  item: Item;
  located: Located;
}

async function byDocument(job: Job, items: readonly Item[]): Promise<Map<string, Placed[]>> {
  const documents = new Map<string, Placed[]>();
  for (const item of items) {
    try {
      const located = await locate(job.view.store, job.view.collections, item.citation, []);
      const key = JSON.stringify([located.info.collection, located.info.path]);
      documents.set(key, [...(documents.get(key) ?? []), { item, located }]);
    } catch (thrown) {
      refuse(job, item, thrown);
    }
  }
  return documents;
}

/** What is stated of one document, in one transaction. */
async function write(job: Job, items: readonly Placed[]): Promise<void> {
  const { store } = job.view;
  const { collection, path } = items[0]!.located.info;
  const text = await store.documents.text(collection, path);
  const lines = text?.split('\n') ?? [];
  const chunks = await store.documents.chunks(collection, path);
  const writes = await statementsOf(store, chunks);
  const accepted: Item[] = [];
  for (const { item, located } of items) {
    try {
      const stated = await read(job, item, citedLines(located, lines));
      if (job.remove) withdrawStatements(writes, stated);
      else addStatements(writes, stated);
      accepted.push(item);
    } catch (thrown) {
      refuse(job, item, thrown);
    }
  }
  if (accepted.length === 0) return;
  if (await store.graph.annotate(collection, path, writes)) {
    for (const item of accepted) job.answer['name' in item ? 'entities' : 'relations'] += 1;
    return;
  }
  const changed = new VaiError('INDEX_BUSY', 'The document was replaced in the meantime.', {
    hint: 'Read it again and call again.',
  });
  for (const item of accepted) refuse(job, item, changed);
}

/** A statement as it is kept; throws why it cannot be. */
async function read(job: Job, item: Item, cited: Cited): Promise<Stated> {
  const named = naming(cited, job.keyOf);
  const place = { startLine: cited.start, endLine: cited.end, by: AGENT, quote: cited.quote };
  const described = item.description ? { description: item.description } : {};
  if ('name' in item) {
    const { name, key } = await end(job, item.name, named);
    const type = typeAmong(job.schema.entityTypes, item.type);
    return { entities: [{ key, name, type: type ?? OTHER_TYPE, ...described, ...place }], relations: [] };
  }
  const source = await end(job, item.source, named);
  const target = await end(job, item.target, named);
  if (source.key === target.key)
    throw refusal('Both ends are the same entity.', 'Name two different entities.');
  const type = typeAmong(job.schema.relationTypes, item.type);
  return {
    entities: [],
    relations: [
      {
        source: source.name,
        target: target.name,
        sourceKey: source.key,
        targetKey: target.key,
        type: type ?? OTHER_TYPE,
        // A type that the schema does not have is kept as the word for it.
        ...(type ? {} : { keywords: [item.type.toLowerCase().replaceAll('_', ' ')] }),
        ...described,
        ...place,
      },
    ],
  };
}

/** One end of a statement: the entity it is, where there is one, which the lines must name by any of its names. */
async function end(
  { view, keyOf }: Job,
  written: string,
  named: (keys: readonly string[], written: string) => boolean,
): Promise<{ key: string; name: string }> {
  const known = await knownEntity(view.store.graph, written, view.scope);
  const name = known?.name ?? written.trim();
  const key = known?.key ?? keyOf(name);
  const keys = [key, ...[name, written, ...(known?.aliases ?? [])].map(keyOf)];
  if (key === '' || !named(keys, written.trim()))
    throw refusal(
      `The cited lines do not name \`${written.slice(0, 120)}\`.`,
      'Cite lines that name it; include the heading if only the heading does.',
    );
  return { key, name };
}

/** A type as the schema spells it, however it is written. */
export function typeAmong(types: readonly string[], given: string): string | undefined {
  return types.find((type) => type.toLowerCase() === given.trim().toLowerCase());
}

function refuse({ answer }: Job, item: Item, thrown: unknown): void {
  const error = toVaiError(thrown);
  if (error.ends === 'call') throw error;
  const statement = 'name' in item ? item.name : `${item.source} ${item.type} ${item.target}`;
  answer.refused.push({
    statement,
    citation: item.citation,
    code: error.code,
    reason: error.messageAndHint,
  });
}
