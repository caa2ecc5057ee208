// What agents stated of a text, kept beside what an extractor finds in it as long as the lines they cited are there.

import { AGENT, OTHER_TYPE } from '../../domain/graph.ts';
import type { GraphWrites } from '../../ports/graph-store.ts';
import type { DocumentWrite, Store, StoredChunk } from '../../ports/store.ts';
import { holderOf, type Contributing } from './annotate.ts';

/** Some of what chunks contribute. */
export type Stated = Required<GraphWrites>;
type Mention = Stated['entities'][number] | Stated['relations'][number];

/** Everything that is stated of the chunks, to be changed and written again. */
export async function statementsOf(
  store: Store,
  chunks: readonly StoredChunk[],
): Promise<(Contributing & Stated)[]> {
  const stated = await store.graph.contributions(chunks.map((chunk) => chunk.id));
  return chunks.map(({ id, startLine, endLine }) => {
    const { entities = [], relations = [] } = stated.get(id) ?? {};
    return { startLine, endLine, entities, relations };
  });
}

/** Adds an agent's statements to the chunks that hold their first lines; what it stated already is replaced. */
export function addStatements(chunks: readonly Contributing[], { entities, relations }: Stated): void {
  const holder = holderOf(chunks);
  const add = (chunk: Contributing, entity: Stated['entities'][number]): void => {
    chunk.entities = [...without(chunk.entities, entity), entity];
  };
  for (const entity of entities) {
    const chunk = holder(entity.startLine);
    if (chunk) add(chunk, entity);
  }
  for (const relation of relations) {
    const chunk = holder(relation.startLine);
    if (!chunk) continue;
    chunk.relations = [...without(chunk.relations, relation), relation];
    // No relation dangles: an end that the chunk does not mention is an entity of no known type.
    for (const end of endsOf(relation))
      if (!chunk.entities?.some(({ key }) => key === end.key)) add(chunk, end);
  }
}

export function withdrawStatements(chunks: readonly Contributing[], { entities, relations }: Stated): void {
  for (const chunk of chunks) {
    for (const relation of relations) chunk.relations = without(chunk.relations, relation);
    const ends = new Set(
      (chunk.relations ?? [])
        .filter(isAgents)
        .flatMap(endsOf)
        .map(({ key }) => key),
    );
    for (const entity of entities)
      if (!ends.has(entity.key)) chunk.entities = without(chunk.entities, entity);
    // Ends that were added for its sake go with a relation.
    for (const end of relations.flatMap(endsOf))
      if (!ends.has(end.key))
        chunk.entities = chunk.entities?.filter(
          (other) => without([other], end).length > 0 || other.type !== OTHER_TYPE || other.description,
        );
  }
}

function endsOf(relation: Stated['relations'][number]): Stated['entities'] {
  const { startLine, endLine, by, quote } = relation;
  const place = { type: OTHER_TYPE, startLine, endLine, by, quote };
  return [
    { key: relation.sourceKey, name: relation.source, ...place },
    { key: relation.targetKey, name: relation.target, ...place },
  ];
}

/** All but what the agent stated before of the same thing by the same lines. */
function without<T extends Mention>(mentions: readonly T[] | undefined, one: Mention): T[] {
  return (mentions ?? []).filter(
    (other) => other.by !== AGENT || other.quote !== one.quote || subjectOf(other) !== subjectOf(one),
  );
}

function subjectOf(mention: Mention): string {
  return 'key' in mention
    ? mention.key
    : JSON.stringify([mention.sourceKey, mention.type, mention.targetKey, mention.keywords]);
}

/** Adds what agents stated of the chunks to what an extractor found in them: the chunks are the same. */
export async function keptStatements(
  store: Store,
  chunks: readonly StoredChunk[],
  writes: readonly Contributing[],
): Promise<void> {
  for (const stated of await statementsOf(store, chunks)) addStatements(writes, ofAgents(stated));
}

/** Adds what agents stated of the text that a document replaces, where the lines they cited are still there. */
export async function movedStatements(store: Store, { info, text, chunks }: DocumentWrite): Promise<void> {
  const { collection, path } = info;
  const old = await store.documents.chunks(collection, path);
  const stated = (await statementsOf(store, old)).map(ofAgents);
  if (stated.every(({ entities, relations }) => entities.length + relations.length === 0)) return;
  const before = (await store.documents.text(collection, path))?.split('\n') ?? [];
  const lines = text.split('\n');
  const placed = <T extends Mention>(mentions: readonly T[]): T[] =>
    mentions.flatMap((mention) => {
      const { startLine, endLine } = mention;
      const start = placeOf(before.slice(startLine - 1, endLine), lines, startLine);
      return start === undefined
        ? []
        : [{ ...mention, startLine: start, endLine: start + endLine - startLine }];
    });
  for (const { entities, relations } of stated)
    addStatements(chunks, { entities: placed(entities), relations: placed(relations) });
}

function ofAgents({ entities, relations }: Stated): Stated {
  return { entities: entities.filter(isAgents), relations: relations.filter(isAgents) };
}

function isAgents({ by }: Mention): boolean {
  return by === AGENT;
}

/** The line at which some lines begin now: of several such places the nearest to where they were. */
function placeOf(quoted: readonly string[], lines: readonly string[], from: number): number | undefined {
  let best: number | undefined;
  for (let start = 1; start <= lines.length - quoted.length + 1; start += 1) {
    if (lines[start - 1] !== quoted[0] || !quoted.every((line, at) => lines[start - 1 + at] === line))
      continue;
    if (best === undefined || Math.abs(start - from) < Math.abs(best - from)) best = start;
  }
  return best;
}
