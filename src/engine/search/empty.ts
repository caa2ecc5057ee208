// Why a search found nothing: an empty answer always says what the caller can do about it.

import { wordsOf, type WordQuery } from '../../domain/query.ts';
import type { Scope, Store } from '../../ports/store.ts';
import type { CollectionView } from '../scope.ts';
import { nearWords } from './near-words.ts';
import { unknownOf } from './occurrence.ts';

export interface EmptySearch {
  store: Store;
  collections: readonly CollectionView[];
  query: WordQuery;
  /** Where was searched, the filter included. */
  scope: Scope;
}

const WORDLESS = {
  code: 'wordless_query',
  message: 'The query contains no word to search for.',
};

/** Signs alone are in no index: what a collection holds makes no difference. */
export function wordlessNotice(query: WordQuery): { code: string; message: string }[] {
  const { whole, beginnings } = wordsOf(query);
  return whole.length + beginnings.length === 0 ? [WORDLESS] : [];
}

export async function explainEmpty({
  store,
  collections,
  query,
  scope,
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
    return [{ code: 'collection_empty', message: `There is no text yet in ${names(collections)}.` }];
  }
  const wordless = wordlessNotice(query);
  if (wordless.length > 0) return wordless;
  if (scope.filter) {
    return [
      {
        code: 'filter_excluded_all',
        message: 'No text matches both the query and the filter; try without the filter.',
      },
    ];
  }
  const { whole, beginnings } = wordsOf(query);
  const words = new Set([...whole, ...beginnings].map((word) => word.toLowerCase()));
  const searched = collections.map(({ name }) => name);
  const unknown = await unknownOf(store.search, [...words], searched);
  const similar = unknown.length > 0 ? await nearWords(store.search, unknown, scope) : [];
  const spellings = [...similar].map(([word, found]) => `${word} → ${found.join(', ')}`);
  const advice = [
    ...(query.must.some(({ kind }) => kind === 'phrase')
      ? ['Without the quotes, the words may stand apart.']
      : []),
    ...(spellings.length > 0 ? [`Near spellings: ${spellings.join('; ')}.`] : []),
  ];
  const message = `Searched ${names(collections)} and found nothing. ${advice.join(' ') || 'Try fewer or other words.'}`;
  return [{ code: 'no_match', message }];
}

function names(collections: readonly CollectionView[]): string {
  const shown = collections.slice(0, 3).map((collection) => `\`${collection.name}\``);
  return collections.length > 3 ? `${collections.length} collections` : shown.join(', ');
}
