// Which collections a search goes over, with what it must know of each: ours by their record, foreign ones by a look
// at one of their documents.

import type { Document } from 'mongodb';
import type { Stamp } from '../counts.ts';
import type { Database } from '../database.ts';
import { foreignModel } from '../foreign.ts';
import { isHidden } from '../layout.ts';

export interface SearchTarget {
  name: string;
  foreign: boolean;
  model: string | undefined;
  dimensions: number | undefined;
  /** What its counts are remembered by; none of a foreign one. */
  record: string;
}

export function stampOf({ name, record }: SearchTarget): Stamp {
  return { _id: name, record };
}

export async function targetsOf(
  database: Database,
  names: readonly string[] | undefined,
): Promise<SearchTarget[]> {
  const [records, listed] = await Promise.all([
    database
      .own('collections')
      .find({ ...(names ? { _id: { $in: [...names] } } : {}) }, database.limits)
      .toArray(),
    names ? undefined : visibleNames(database),
  ]);
  const ours = new Set(records.map((row) => row._id));
  const others = names?.filter((name) => !ours.has(name));
  const foreign =
    listed?.filter((name) => !ours.has(name)) ??
    (others!.length === 0 ? [] : await visibleNames(database, others));
  const targets: SearchTarget[] = records
    .filter((row) => !row.removing)
    .map((row) => ({
      name: row._id,
      foreign: false,
      model: row.revectoring ? undefined : row.model,
      dimensions: row.revectoring ? undefined : row.dimensions,
      record: row.record,
    }));
  for (const name of foreign) targets.push(await lookAt(database, name));
  return targets.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Collections of chunks: ours, and those that others made. */
export async function visibleNames(database: Database, among?: readonly string[]): Promise<string[]> {
  const listed = await database
    .db()
    .listCollections(
      { type: 'collection', ...(among ? { name: { $in: [...among] } } : {}) },
      { nameOnly: true },
    )
    .toArray();
  return listed.map(({ name }) => name).filter((name) => !isHidden(name));
}

async function lookAt(database: Database, name: string): Promise<SearchTarget> {
  const row = await database.collection(name).findOne({ _type: { $ne: 'index_meta' } } as Document, {
    ...database.limits,
    projection: { text: 0, content: 0 },
  });
  return {
    name,
    foreign: true,
    model: row ? foreignModel(row) : undefined,
    dimensions: undefined,
    record: '',
  };
}
