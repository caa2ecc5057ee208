// Words of a query that no text contains. If texts write them as two words, or as one, they are searched that way;
// others are replaced by the most frequent indexed word one edit away. A notice says so. Operators are left alone.

import type { WordNode, WordQuery } from '../../domain/query.ts';
import { wordVariants } from '../../domain/variants.ts';
import type { Searches } from '../../ports/store.ts';
import { writtenAsOne, writtenAsTwo, type Pair } from './compounds.ts';
import { nearWords } from './near-words.ts';
import { standTogether, unknownOf } from './occurrence.ts';

const MIN_LENGTH = 4;
/** Unknown words that are looked for as two; text that was pasted may hold many. */
const MOST_APART = 8;
/** Beside words that do occur: one of them may be a name that only this question knows. */
const MIN_LENGTH_BESIDE = 6;

export interface Typed {
  query: WordQuery;
  text: string;
  collections: readonly string[];
}

export interface Corrected {
  query: WordQuery;
  /** The question with those words in place of its own. */
  text: string;
  notice: string;
}

type Change = [from: string, to: string];

export async function correctSpelling(search: Searches, asked: Typed): Promise<Corrected | undefined> {
  const { query, collections } = asked;
  if (query.must.length > 0 || query.not.length > 0) return undefined;
  const joined = await writtenAsOne(search, query.should, collections);
  const should = query.should.flatMap((node, at) => {
    const pair = joined.get(at);
    return joined.has(at - 1) ? [] : pair ? [asOne(pair)] : [node];
  });
  const replaced = await respelled(search, should, collections);
  if (joined.size + replaced.size === 0) return undefined;
  const changes: Change[] = [
    ...[...joined.values()].map((pair): Change => [pair.join(' '), pair.join('')]),
    ...[...replaced].map(([from, to]): Change => [from, to.join(' ')]),
  ];
  const told = changes.map(([from, to]) => `\`${from}\` → \`${to}\``).join(', ');
  return {
    // Words that nothing is near to stay: what lacks them holds less of the question.
    query: { ...query, should: should.map((node) => withWords(node, replaced)) },
    text: changes.reduce(respell, asked.text),
    notice: `No text contains these words as typed, so near spellings were searched: ${told}.`,
  };
}

/** What takes the place of words that no text holds: two words side by side, or one. */
async function respelled(
  search: Searches,
  nodes: readonly WordNode[],
  collections: readonly string[],
): Promise<Map<string, string[]>> {
  const unknown = await unknownOf(search, plainTerms(nodes), collections);
  const replaced = new Map<string, string[]>();
  for (const word of unknown.slice(0, MOST_APART)) {
    const pair = await writtenAsTwo(search, word, collections);
    if (pair) replaced.set(word, pair);
  }
  const alone = unknown.length === nodes.length;
  const shortest = alone ? MIN_LENGTH : MIN_LENGTH_BESIDE;
  const wrong = unknown.filter((word) => !replaced.has(word) && word.length >= shortest);
  const near = wrong.length > 0 ? await nearWords(search, wrong, { collections }) : [];
  const guessed = new Map(replaced);
  for (const [word, [best]] of near) if (best && best !== word) guessed.set(word, [best]);
  // A word from elsewhere is near to something, too: a guess among words that do occur is kept where it fits them.
  const fits =
    alone ||
    guessed.size === replaced.size ||
    (await standTogether(
      search,
      nodes.map((node) => withWords(node, guessed)),
      collections,
    ));
  return fits ? guessed : replaced;
}

/** The compound, or both of its words. */
function asOne(pair: Pair): WordNode {
  const both = pair.map((text): WordNode => ({ kind: 'term', text }));
  return {
    kind: 'or',
    nodes: [
      { kind: 'term', text: pair.join('') },
      { kind: 'and', nodes: both },
    ],
  };
}

const WORDS = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)?$/u;

function respell(text: string, [from, to]: Change): string {
  if (!WORDS.test(from)) return text;
  const typed = new RegExp(`(?<![\\p{L}\\p{N}])${from.replace(' ', '\\s+')}(?![\\p{L}\\p{N}])`, 'giu');
  return text.replaceAll(typed, to);
}

function withWords(node: WordNode, replaced: ReadonlyMap<string, string[]>): WordNode {
  if (node.kind === 'or') return { ...node, nodes: node.nodes.map((one) => withWords(one, replaced)) };
  if (node.kind !== 'term' || node.prefix || node.field) return node;
  const words = replaced.get(node.text.toLowerCase());
  if (!words) return node;
  return words.length === 1 ? { ...node, text: words[0]! } : { kind: 'phrase', words };
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
