// Rewrites a query whose words no text contains as written: names are searched by their parts, words in the spelling
// that texts use.

import type { WordQuery } from '../../domain/query.ts';
import type { Searches } from '../../ports/store.ts';
import { takeApart } from './name-parts.ts';
import { standTogether } from './occurrence.ts';
import { correctSpelling, type Corrected, type Typed } from './spelling.ts';

export interface Rewritten {
  query: WordQuery;
  /** Where words were replaced: hits are judged by it. */
  spelled?: Corrected;
  notices: { code: string; message: string }[];
}

export async function rewrite(search: Searches, typed: Typed): Promise<Rewritten | undefined> {
  const apart = await takeApart(search, typed);
  const rewritten = await spelledOut(search, typed, apart);
  const isKept = !apart || (await partsFit(search, typed, rewritten!.query));
  return isKept ? rewritten : spelledOut(search, typed);
}

async function spelledOut(
  search: Searches,
  typed: Typed,
  apart?: Pick<Corrected, 'query' | 'notice'>,
): Promise<Rewritten | undefined> {
  const spelled = await correctSpelling(search, { ...typed, ...apart });
  const last = spelled ?? apart;
  const notices = [
    ...(apart ? [{ code: 'parts', message: apart.notice }] : []),
    ...(spelled ? [{ code: 'spelling', message: spelled.notice }] : []),
  ];
  return last && { query: last.query, ...(spelled ? { spelled } : {}), notices };
}

/** Parts of a name from elsewhere stand in many texts: beside other words they count where one text holds them all. */
async function partsFit(search: Searches, typed: Typed, { should }: WordQuery): Promise<boolean> {
  const parts = should.filter((node) => !typed.query.should.includes(node));
  return parts.length === should.length || standTogether(search, parts, typed.collections);
}
