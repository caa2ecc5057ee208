// The cosine of each hit with the question: from the search by meaning where it found the hit, else from its vector.

import { dot } from '../../domain/vectors.ts';
import type { Store } from '../../ports/store.ts';
import type { Retrieval } from './retrieve.ts';
import type { Chosen } from './select.ts';

export async function similarities(
  store: Store,
  { lists, asked }: Retrieval,
  hits: readonly Chosen[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  if (asked.length === 0) return found;
  for (const { retriever, hits } of lists)
    if (retriever === 'meaning') for (const { id, score } of hits) found.set(id, score);
  const chunks = hits.map(({ candidates }) => candidates[0]!.chunk);
  const missing = chunks.filter(({ id }) => !found.has(id));
  if (missing.length === 0) return found;
  const vectors = await store.search.vectorsOf(missing.map(({ id }) => id));
  for (const { id, collection } of missing) {
    const own = vectors.get(id);
    const question = asked.find(({ collections }) => collections.includes(collection))?.vector;
    if (own && question && own.length === question.length) found.set(id, dot(own, question));
  }
  return found;
}
