// What agents stated of a text, kept while the lines they cited stay as they are.

import { AGENT } from '../../domain/graph.ts';
import type { GraphWrites } from '../../ports/graph-store.ts';
import type { Store, StoredChunk } from '../../ports/store.ts';

/** Adds what agents stated of the chunks to what an extractor found in them: the chunks are the same. */
export async function keptStatements(
  store: Store,
  chunks: readonly StoredChunk[],
  writes: readonly GraphWrites[],
): Promise<void> {
  const stated = await store.graph.contributions(chunks.map((chunk) => chunk.id));
  chunks.forEach(({ id }, at) => {
    const { entities = [], relations = [] } = stated.get(id) ?? {};
    const write = writes[at]!;
    for (const entity of entities) if (entity.by === AGENT) (write.entities ??= []).push(entity);
    for (const relation of relations) if (relation.by === AGENT) (write.relations ??= []).push(relation);
  });
}
