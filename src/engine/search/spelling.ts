// A second try when no word of a query occurs at all: each unknown word is replaced by the most frequent indexed word
// one edit away. It is said in a notice, and operators are left alone.

import type { WordNode, WordQuery } from '../../domain/query.ts';
import type { Scope, Searches } from '../../ports/store.ts';
import { nearWords } from './near-words.ts';

const MIN_LENGTH = 4;

export interface Corrected {
  query: WordQuery;
  notice: string;
}

export async function correctSpelling(
  search: Searches,
  query: WordQuery,
  scope: Scope,
): Promise<Corrected | undefined> {
  if (query.must.length > 0 || query.not.length > 0) return undefined;
  const words = plainTerms(query.should);
  if (words.length === 0) return undefined;
  const similar = await nearWords(search, words, scope);
  const replaced = new Map<string, string>();
  for (const word of words) {
    const best = similar.get(word)?.[0];
    if (best && best !== word) replaced.set(word, best);
  }
  if (replaced.size === 0) return undefined;
  // Words that nothing is near to stay: what lacks them holds less of the question.
  const should: WordNode[] = words.map((word) => ({ kind: 'term', text: replaced.get(word) ?? word }));
  const pairs = [...replaced].map(([from, to]) => `\`${from}\` → \`${to}\``).join(', ');
  return {
    query: { ...query, should },
    notice: `No text holds these words; searched near spellings: ${pairs}.`,
  };
}

function plainTerms(nodes: readonly WordNode[]): string[] {
  const words = nodes.flatMap((node): string[] => {
    if (node.kind === 'term') return node.prefix || node.field ? [] : [node.text.toLowerCase()];
    return node.kind === 'or' ? plainTerms(node.nodes) : [];
  });
  return [...new Set(words)].filter((word) => word.length >= MIN_LENGTH);
}
