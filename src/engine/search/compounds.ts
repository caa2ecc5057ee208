// Words that one text writes as one and another as two: "login" and "log in", "whitespace" and "white space". A word
// that no text contains as typed is searched in the spelling that texts use.

import type { WordNode } from '../../domain/query.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import type { Searches } from '../../ports/store.ts';
import { knownOf, standTogether } from './occurrence.ts';

export type Pair = [first: string, second: string];

const PART = /^\p{L}{2,}$/u;
const SHORTEST = 5;
const LONGEST = 30;
/** Of a question. */
const MAX_PAIRS = 16;
/** Ways to take a word apart that are looked for in the texts. */
const MAX_WAYS = 3;
/** Words that say little by themselves, but end a compound: "log in", "time out", "set up". */
const PARTICLES = new Set(['in', 'out', 'on', 'off', 'up', 'down', 'over']);

/** By the place of the first one: two words that stand side by side in no text, where a text has them as one word. */
export async function writtenAsOne(
  search: Searches,
  nodes: readonly WordNode[],
  collections: readonly string[],
): Promise<Map<number, Pair>> {
  const pairs = new Map<number, Pair>();
  for (let at = 1; at < nodes.length && pairs.size < MAX_PAIRS; at += 1) {
    const pair: Pair = [plainText(nodes[at - 1]!), plainText(nodes[at]!)];
    if (mayBeOne(pair)) pairs.set(at - 1, pair);
  }
  const joined = [...pairs.values()].map((pair) => pair.join(''));
  const known = new Set(await knownOf(search, joined, collections));
  for (const [at, pair] of pairs) {
    // A word is part of one compound only.
    const isKept =
      !pairs.has(at - 1) && known.has(pair.join('')) && !(await standSideBySide(search, pair, collections));
    if (!isKept) pairs.delete(at);
  }
  return pairs;
}

/** Two telling words that stand side by side in some text and are this word when written as one. */
export async function writtenAsTwo(
  search: Searches,
  word: string,
  collections: readonly string[],
): Promise<Pair | undefined> {
  const ways = Array.from(word, (_, at): Pair => [word.slice(0, at), word.slice(at)]).filter(
    (pair) => mayBeOne(pair) && !STOPWORDS.has(pair[1]),
  );
  const known = new Set(await knownOf(search, ways.flat(), collections));
  const likely = ways.filter((pair) => pair.every((part) => known.has(part)));
  for (const pair of likely.slice(0, MAX_WAYS))
    if (await standSideBySide(search, pair, collections)) return pair;
  return undefined;
}

function standSideBySide(search: Searches, words: Pair, collections: readonly string[]): Promise<boolean> {
  return standTogether(search, [{ kind: 'phrase', words }], collections);
}

function mayBeOne([first, second]: Pair): boolean {
  const length = first.length + second.length;
  return (
    length >= SHORTEST &&
    length <= LONGEST &&
    PART.test(first) &&
    PART.test(second) &&
    !STOPWORDS.has(first) &&
    (!STOPWORDS.has(second) || PARTICLES.has(second))
  );
}

/** Empty for what is no plain word. */
function plainText(node: WordNode): string {
  return node.kind === 'term' && !node.prefix && !node.field ? node.text.toLowerCase() : '';
}
