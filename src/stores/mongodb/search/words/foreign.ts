// Search by words in a collection that ours did not write, on a server without Atlas Search: its texts are read and
// ranked as they are, while they are few.

import type { Binary, Document } from 'mongodb';
import type { Filter } from '../../../../domain/filter.ts';
import type { QueryPlan } from '../../../../domain/words/plan.ts';
import type { Database } from '../../database.ts';
import { toMongoFilter } from '../../filter.ts';
import { foreignSource, foreignText, FOREIGN } from '../../foreign.ts';
import type { Place } from '../place.ts';
import { readPostings, toPostings } from './postings.ts';
import { matchesIn, type Group } from './rank.ts';

/** So many are read for a search. */
const MAX_FOREIGN = 2000;

export interface ForeignSearch {
  plan: QueryPlan;
  filter: Filter | undefined;
  notices: string[];
}

export interface ForeignMatch extends Place {
  id: unknown;
  score: number;
}

export async function foreignMatches(
  database: Database,
  name: string,
  { plan, filter, notices }: ForeignSearch,
): Promise<ForeignMatch[]> {
  const rows = await database
    .collection(name)
    .find<Document>(FOREIGN, {
      ...database.limits,
      projection: { text: 1, content: 1, source: 1, 'metadata.source': 1 },
      limit: MAX_FOREIGN + 1,
      batchSize: MAX_FOREIGN + 1,
    })
    .toArray();
  if (rows.length > MAX_FOREIGN) {
    notices.push(
      `index_missing: \`${name}\` was not written by vai and has more than ${MAX_FOREIGN.toLocaleString('en')} chunks, so words were not searched there. \`vai copy\` makes a copy of it that can be.`,
    );
    return [];
  }
  const passed = filter && (await idsThatPass(database, name, filter));
  const groups = new Map<Group, unknown>();
  let words = 0;
  for (const row of rows) {
    const text = foreignText(row);
    if (text === undefined) continue;
    const owner = { collection: name, doc: '', source: foreignSource(row), staged: false };
    const made = toPostings(owner, [{ id: '', fields: ['', '', text, ''] }]);
    words += made.words;
    const terms = made.rows.flatMap((entry) => [...((entry.terms ?? new Map()) as Map<string, Binary>)]);
    groups.set(
      {
        doc: '',
        source: owner.source,
        first: 0,
        terms: new Map(terms.map(([term, places]) => [term, readPostings(places)])),
      },
      row._id,
    );
  }
  const all = [...new Set([...groups.keys()].flatMap(({ terms }) => [...terms.keys()]))];
  const endings = { get: (beginning: string) => all.filter((term) => term.startsWith(beginning)) };
  const statistics = { chunks: groups.size, words };
  return matchesIn([...groups.keys()], { plan, endings, statistics }).flatMap(({ group, score }) => {
    const id = groups.get(group);
    return passed && !passed.has(String(id))
      ? []
      : [{ id, score, collection: name, source: group.source, ordinal: 0 }];
  });
}

async function idsThatPass(database: Database, name: string, filter: Filter): Promise<Set<string>> {
  const rows = await database
    .collection(name)
    .find<Document>(
      { $and: [FOREIGN, toMongoFilter(filter)] },
      { ...database.limits, projection: { _id: 1 }, limit: MAX_FOREIGN + 1 },
    )
    .toArray();
  return new Set(rows.map((row) => String(row._id)));
}
