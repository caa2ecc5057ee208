// Words of a query that no text holds: each is replaced by the most frequent indexed word one edit away. It is said in a
// notice, and operators are left alone.

import type { WordNode, WordQuery } from '../../domain/query.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import { wordVariants } from '../../domain/variants.ts';
import type { Searches } from '../../ports/store.ts';
import { nearWords } from './near-words.ts';

const MIN_LENGTH = 4;
/** Beside words that do occur: one of them may be a name that only this question knows. */
const MIN_LENGTH_BESIDE = 6;

export interface Corrected {
  query: WordQuery;
  /** The question with those words in place of its own. */
  text: string;
  notice: string;
}

export async function correctSpelling(
  search: Searches,
  { query, text, collections }: { query: WordQuery; text: string; collections: readonly string[] },
): Promise<Corrected | undefined> {
  if (query.must.length > 0 || query.not.length > 0) return undefined;
  const words = plainTerms(query.should);
  const unknown = await unknownOf(search, words, collections);
  const alone = unknown.length === query.should.length;
  const shortest = alone ? MIN_LENGTH : MIN_LENGTH_BESIDE;
  const wrong = unknown.filter((word) => word.length >= shortest);
  if (wrong.length === 0) return undefined;
  const near = await nearWords(search, wrong, { collections });
  const replaced = new Map(
    [...near].flatMap(([word, [best]]) => (best && best !== word ? [[word, best]] : [])),
  );
  if (replaced.size === 0) return undefined;
  const should = query.should.map((node) => withWords(node, replaced));
  // A word from elsewhere is near to something, too: a guess among words that do occur is kept where it fits them.
  if (!alone && !(await standTogether(search, should, collections))) return undefined;
  const pairs = [...replaced].map(([from, to]) => `\`${from}\` → \`${to}\``).join(', ');
  return {
    // Words that nothing is near to stay: what lacks them holds less of the question.
    query: { ...query, should },
    text: text.replaceAll(/[\p{L}\p{N}]+/gu, (word) => replaced.get(word.toLowerCase()) ?? word),
    notice: `Words that no text holds were searched by a near spelling: ${pairs}.`,
  };
}

/** The words that no text holds. */
export async function unknownOf(
  search: Searches,
  words: readonly string[],
  collections: readonly string[],
): Promise<string[]> {
  const counted = words.length > 0 ? await search.wordCounts(words, collections) : undefined;
  return counted ? words.filter((_, at) => counted.having[at] === 0) : [];
}

/** Whether one text holds all words that say something. */
async function standTogether(
  search: Searches,
  nodes: readonly WordNode[],
  collections: readonly string[],
): Promise<boolean> {
  const must = nodes.filter((node) => node.kind !== 'term' || !STOPWORDS.has(node.text.toLowerCase()));
  const query = { should: [], must, not: [], headings: false, notices: [] };
  const { hits } = await search.words({ query, scope: { collections }, limit: 1 });
  return hits.length > 0;
}

function withWords(node: WordNode, replaced: ReadonlyMap<string, string>): WordNode {
  if (node.kind === 'or') return { ...node, nodes: node.nodes.map((one) => withWords(one, replaced)) };
  if (node.kind !== 'term' || node.prefix || node.field) return node;
  return { ...node, text: replaced.get(node.text.toLowerCase()) ?? node.text };
}

/** Words with no other spelling that may be found instead. */
function plainTerms(nodes: readonly WordNode[]): string[] {
  const words = nodes.flatMap((node): string[] => {
    if (node.kind === 'term')
      return node.prefix || node.field || wordVariants(node.text).length > 1 ? [] : [node.text.toLowerCase()];
    return node.kind === 'or' ? plainTerms(node.nodes) : [];
  });
  return [...new Set(words)];
}
