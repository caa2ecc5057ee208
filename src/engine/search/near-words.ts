// Near spellings a caller may be told: of the collections that were searched, never of others.

import type { Scope, Searches } from '../../ports/store.ts';

const MAX_WORDS = 8;
const MAX_NEAR = 3;

export async function nearWords(
  search: Searches,
  words: readonly string[],
  scope: Scope,
): Promise<Map<string, string[]>> {
  const similar = await search.similarWords(words.slice(0, MAX_WORDS), scope.collections);
  const near = new Map<string, string[]>();
  for (const [word, found] of similar) if (found.length > 0) near.set(word, found.slice(0, MAX_NEAR));
  return near;
}
