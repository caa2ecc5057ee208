// Why a search found nothing: an empty answer always says what the caller can do about it.

import type { WordNode, WordQuery } from '../../domain/query.ts';
import type { Store } from '../../ports/store.ts';
import type { CollectionView } from '../scope.ts';

export interface EmptySearch {
  store: Store;
  collections: readonly CollectionView[];
  query: WordQuery;
  filtered: boolean;
}

export async function explainEmpty({
  store,
  collections,
  query,
  filtered,
}: EmptySearch): Promise<{ code: string; message: string }[]> {
  if (collections.length === 0) {
    return [
      {
        code: 'collection_missing',
        message: 'There is nothing to search yet: add a document or a documentation source first.',
      },
    ];
  }
  if (collections.every((collection) => collection.stats.chunks === 0)) {
    return [{ code: 'collection_empty', message: `${names(collections)} holds no text yet.` }];
  }
  if (filtered) {
    return [
      {
        code: 'filter_excluded_all',
        message: 'No text passes the filter and matches; try without the filter.',
      },
    ];
  }
  const similar = await store.search.similarWords(wordsOf(query).slice(0, 8));
  const spellings = [...similar]
    .filter(([, found]) => found.length > 0)
    .map(([word, found]) => `${word} → ${found.slice(0, 3).join(', ')}`);
  const advice =
    spellings.length > 0 ? ` Near spellings: ${spellings.join('; ')}.` : ' Try fewer or other words.';
  return [{ code: 'no_match', message: `Searched ${names(collections)} and found nothing.${advice}` }];
}

function names(collections: readonly CollectionView[]): string {
  const shown = collections.slice(0, 3).map((collection) => `\`${collection.name}\``);
  return collections.length > 3 ? `${collections.length} collections` : shown.join(', ');
}

function wordsOf(query: WordQuery): string[] {
  const words: string[] = [];
  const visit = (node: WordNode): void => {
    if (node.kind === 'term') words.push(node.text.toLowerCase());
    else if (node.kind === 'phrase') words.push(...node.words.map((word) => word.toLowerCase()));
    else node.nodes.forEach(visit);
  };
  [...query.should, ...query.must].forEach(visit);
  return [...new Set(words)];
}
