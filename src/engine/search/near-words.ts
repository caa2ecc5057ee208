// Near spellings a caller may be told. A store knows the words of all its collections; one that occurs only where the
// search did not look is no help, and where the caller may not look it is a secret.

import type { WordQuery } from '../../domain/query.ts';
import type { Scope, Searches } from '../../ports/store.ts';

const MAX_WORDS = 8;
const MAX_NEAR = 3;

export async function nearWords(
  search: Searches,
  words: readonly string[],
  scope: Scope,
): Promise<Map<string, string[]>> {
  const similar = await search.similarWords(words.slice(0, MAX_WORDS));
  const near = new Map<string, string[]>();
  for (const [word, found] of similar) {
    const kept: string[] = [];
    for (const one of found) {
      if (kept.length === MAX_NEAR) break;
      if (scope.collections === undefined || (await occurs(search, one, scope))) kept.push(one);
    }
    if (kept.length > 0) near.set(word, kept);
  }
  return near;
}

async function occurs(search: Searches, word: string, scope: Scope): Promise<boolean> {
  const query: WordQuery = {
    should: [{ kind: 'term', text: word }],
    must: [],
    not: [],
    headings: false,
    notices: [],
  };
  return (await search.words({ query, scope, limit: 1 })).hits.length > 0;
}
