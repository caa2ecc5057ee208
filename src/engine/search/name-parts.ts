// A name of several parts that no text contains as written (`Client.setTimeot`, `hx-swp-oob`, `server.http.port` where
// it is nested) is searched by its parts, a possessive by the word itself, and a notice says so. Operators are left alone.
// Hits are judged by the whole name: texts that contain a part of `useOptimistic` need not be about it.

import type { WordNode } from '../../domain/query.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import { splitIdentifier } from '../../domain/variants.ts';
import type { Searches } from '../../ports/store.ts';
import type { Corrected, Typed } from './spelling.ts';

/** Not addresses, paths of Windows or sums, whose parts say little. */
const SIGNED = /^[\p{L}\p{N}\p{M}]+(?:[.:_#/-]{1,2}[\p{L}\p{N}\p{M}]+)+$/u;
const HUMPED = /^\p{Ll}{2,}\p{N}*\p{Lu}[\p{L}\p{N}]*$/u;
/** `Kubernetes's` stands in few texts, and one misspelled in none. */
const POSSESSIVE = /^([\p{L}\p{N}\p{M}]+)['’]s$/u;
/** A question with more of them is pasted text, whose other words find enough. */
const MAX_COMPOUNDS = 8;

export async function takeApart(
  search: Searches,
  { query, collections }: Pick<Typed, 'query' | 'collections'>,
): Promise<Pick<Corrected, 'query' | 'notice'> | undefined> {
  if (query.must.length > 0 || query.not.length > 0) return undefined;
  const compounds = query.should.flatMap((node) =>
    node.kind === 'term' && !node.prefix && !node.field && !isOnePiece(node.text) ? [node.text] : [],
  );
  if (compounds.length === 0 || compounds.length > MAX_COMPOUNDS) return undefined;
  const holds = async (word: string): Promise<boolean> => {
    const asked = { should: [term(word)], must: [], not: [], headings: false, notices: [] };
    const { hits } = await search.words({ query: asked, scope: { collections }, limit: 1, any: true });
    return hits.length > 0;
  };
  /** A part may be a compound itself: of `Client.setTimeot` the name of the class stays whole. */
  const known = async (word: string): Promise<string[]> => {
    if (isOnePiece(word) || (await holds(word))) return [word];
    return (await Promise.all(partsOf(word).map(known))).flat();
  };
  const apart = new Map<string, string[]>();
  await Promise.all(
    compounds.map(async (word) => {
      const words = await known(word);
      if (words[0] !== word) apart.set(word, words);
    }),
  );
  if (apart.size === 0) return undefined;
  const names = [...apart.keys()].map((word) => `\`${word}\``).join(', ');
  return {
    query: { ...query, should: query.should.flatMap((node) => spread(node, apart)) },
    notice: `No text contains ${names} as written; the parts were searched instead.`,
  };
}

function spread(node: WordNode, apart: ReadonlyMap<string, readonly string[]>): WordNode[] {
  return (node.kind === 'term' && apart.get(node.text)?.map(term)) || [node];
}

function term(text: string): WordNode {
  return { kind: 'term', text };
}

function isOnePiece(word: string): boolean {
  return partsOf(word)[0] === word;
}

/** At its signs, or as code writes names at its humps; `PostgreSQL` is one word, and so are `4.9.2` and `UTF-8`. */
function partsOf(word: string): string[] {
  const owner = POSSESSIVE.exec(word)?.[1];
  if (owner !== undefined) return [STOPWORDS.has(owner.toLowerCase()) ? word : owner];
  if (HUMPED.test(word)) return splitIdentifier(word);
  const parts = SIGNED.test(word) ? word.split(/[.:_#/-]+/) : [];
  return parts.filter((part) => /\p{L}{2}/u.test(part)).length > 1 ? parts : [word];
}
