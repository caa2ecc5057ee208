// The graph as a picture needs it: every entity and relation in few words, the most connected first. Evidence is left
// out; it is asked for where somebody looks closer.

import type { GraphScope } from '../../ports/graph-store.ts';
import type { Store } from '../../ports/store.ts';

export interface GraphMap {
  /** Of all there are, drawn or not. */
  totals: { entities: number; relations: number; byType: Record<string, number> };
  entities: { name: string; type: string; relationCount: number }[];
  relations: { source: string; type: string; target: string }[];
}

const MOST = 100_000;

export async function graphMap(
  { graph }: Pick<Store, 'graph'>,
  scope: GraphScope,
  limit: number,
): Promise<GraphMap> {
  const [{ entities: count, relations: stated, byType }, { entities }] = await Promise.all([
    graph.counts(scope),
    graph.entities({ scope, limit: MOST }),
  ]);
  const keys = entities.map(({ key }) => key);
  const { relations } = await graph.relations(keys, 'out', { scope, limit: MOST });
  const degree = new Map<string, number>();
  for (const { source, target } of relations)
    for (const { key } of [source, target]) degree.set(key, (degree.get(key) ?? 0) + 1);
  const chosen = entities
    .map(({ key, name, type }) => ({ key, name, type, relationCount: degree.get(key) ?? 0 }))
    .sort((a, b) => b.relationCount - a.relationCount)
    .slice(0, limit);
  const shown = new Map(chosen.map(({ key, name }) => [key, name]));
  return {
    totals: { entities: count, relations: stated, byType },
    entities: chosen.map(({ key: _, ...entity }) => entity),
    relations: relations.flatMap(({ source, type, target }) => {
      const [from, to] = [shown.get(source.key), shown.get(target.key)];
      return from === undefined || to === undefined ? [] : [{ source: from, type, target: to }];
    }),
  };
}
