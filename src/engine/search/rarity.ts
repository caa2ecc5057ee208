// How rare words are in what is searched.

import type { Store } from '../../ports/store.ts';

/** Words of a question that are looked up. */
const MAX_COUNTED = 64;

/** Inverse frequency of words among the chunks of the collections, where the store counts them. */
export async function rarityOf(
  store: Store,
  words: readonly string[],
  collections: readonly string[],
): Promise<Map<string, number> | undefined> {
  const asked = words.slice(0, MAX_COUNTED);
  const counted = await store.search.wordCounts(asked, collections);
  if (!counted) return undefined;
  const { chunks, having } = counted;
  return new Map(asked.map((word, at) => [word, Math.log(1 + (chunks + 0.5) / (having[at]! + 0.5))]));
}
