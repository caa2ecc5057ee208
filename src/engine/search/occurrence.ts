// Whether words occur in the collections that are searched, and whether one text holds several of them.

import type { WordNode } from '../../domain/query.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import type { Searches } from '../../ports/store.ts';

/** The words that no text holds; none where the store does not count them. */
export async function unknownOf(...asked: Asked): Promise<string[]> {
  return withCount(asked, (count) => count === 0);
}

/** The words that some text holds; none where the store does not count them. */
export async function knownOf(...asked: Asked): Promise<string[]> {
  return withCount(asked, (count) => count > 0);
}

type Asked = [search: Searches, words: readonly string[], collections: readonly string[]];

async function withCount(
  [search, words, collections]: Asked,
  isMeant: (count: number) => boolean,
): Promise<string[]> {
  const counted = words.length > 0 ? await search.wordCounts(words, collections) : undefined;
  return counted ? words.filter((_, at) => isMeant(counted.having[at]!)) : [];
}

/** Whether one text holds all of it, leaving out words that say nothing. */
export async function standTogether(
  search: Searches,
  nodes: readonly WordNode[],
  collections: readonly string[],
): Promise<boolean> {
  const must = nodes.filter((node) => node.kind !== 'term' || !STOPWORDS.has(node.text.toLowerCase()));
  const query = { should: [], must, not: [], headings: false, notices: [] };
  const { hits } = await search.words({ query, scope: { collections }, limit: 1, any: true });
  return hits.length > 0;
}
