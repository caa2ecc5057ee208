// Entries of postings as they are read: those that have one of some words, and of each entry no other word.

import type { Binary, FindOptions } from 'mongodb';
import type { Database } from '../../database.ts';
import { type PostingsDocument } from '../../layout.ts';

/** So many are read for one search: about half a second. */
export const MAX_ENTRIES = 20_000;

/** A server ends a batch before 16 MB; one of less than this is all there is. */
const SURELY_WHOLE = 8 * 1024 * 1024;
/** What an entry has beside the places of words, roughly. */
const ENTRY_BYTES = 400;

/** Without `owners` not whose entry it is: enough to count. */
export async function readEntries(
  database: Database,
  names: readonly string[],
  terms: readonly string[],
  { limit = 0, owners = true }: { limit?: number; owners?: boolean } = {},
): Promise<PostingsDocument[]> {
  if (terms.length === 0 || names.length === 0) return [];
  const read = (options: FindOptions): Promise<PostingsDocument[]> =>
    database
      .own('postings')
      .find(
        { collection: { $in: [...names] }, tokens: { $in: [...terms] }, staged: { $ne: true } },
        {
          ...database.limits,
          projection: {
            ...(owners ? { collection: 1, doc: 1, source: 1, first: 1 } : { _id: 0, collection: 1 }),
            ...Object.fromEntries(terms.map((term) => [`terms.${term}`, 1])),
          },
          limit,
          batchSize: MAX_ENTRIES + 2,
          ...options,
        },
      )
      .toArray();
  // Without a cursor DocumentDB takes a fifth of the time.
  const entries = await read({ singleBatch: true });
  return bytesOf(entries) < SURELY_WHOLE ? entries : read({});
}

function bytesOf(entries: readonly PostingsDocument[]): number {
  return entries.reduce(
    (sum, { terms }) =>
      Object.values(terms as Record<string, Binary>).reduce((all, places) => all + places.position, sum),
    entries.length * ENTRY_BYTES,
  );
}
