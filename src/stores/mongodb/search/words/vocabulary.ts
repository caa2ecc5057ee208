// Words of the postings: those with the same beginning, and those one typing error away.

import type { Document } from 'mongodb';
import type { Leaf } from '../../../../domain/words/plan.ts';
import type { Database } from '../../database.ts';
import { escaped } from '../../filter.ts';

/** Words that the beginning of one may stand for; the commonest. */
const MAX_ENDINGS = 500;

/** What the beginnings among the leaves stand for in these collections. */
export async function endingsOf(
  database: Database,
  collections: readonly string[],
  leaves: readonly Leaf[],
): Promise<Map<string, string[]>> {
  const endings = new Map<string, string[]>();
  const beginnings = new Set(leaves.filter((leaf) => leaf.prefix).map((leaf) => leaf.terms.at(-1)!));
  for (const beginning of beginnings) {
    const pattern = `^${escaped(beginning)}`;
    const words = await wordsIn(database, {
      match: { collection: { $in: [...collections] }, tokens: { $regex: pattern } },
      keep: { $regexMatch: { input: '$$token', regex: pattern } },
      limit: MAX_ENDINGS,
    });
    endings.set(beginning, words);
  }
  return endings;
}

/** Words of the entries that match, most frequent first. */
export async function wordsIn(
  database: Database,
  { match, keep, limit }: { match: Document; keep: Document; limit: number },
): Promise<string[]> {
  const rows = await database
    .own('postings')
    .aggregate<{ _id: string }>(
      [
        { $match: { ...match, staged: { $ne: true } } },
        { $project: { found: { $filter: { input: '$tokens', as: 'token', cond: keep } } } },
        { $unwind: '$found' },
        { $group: { _id: '$found', n: { $sum: 1 } } },
        { $sort: { n: -1, _id: 1 } },
        { $limit: limit },
      ],
      database.limits,
    )
    .toArray();
  return rows.map(({ _id }) => _id);
}
