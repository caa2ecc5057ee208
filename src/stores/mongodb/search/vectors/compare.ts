// Search by meaning without an index: every vector of a collection is compared with the question. They are kept in memory
// by the version of the document they belong to, so that a search reads only what is new.

import type { Document } from 'mongodb';
import type { Filter } from '../../../../domain/filter.ts';
import { inGroups } from '../../../../domain/few-at-a-time.ts';
import { compareText } from '../../../../domain/text.ts';
import { cosine } from '../../../../domain/vectors.ts';
import { readVector } from '../../chunks.ts';
import type { Database } from '../../database.ts';
import { toMongoFilter } from '../../filter.ts';
import { FOREIGN, foreignSource } from '../../foreign.ts';
import { type ChunkDocument } from '../../layout.ts';
import { MAX_COMPARED_BYTES } from '../../server.ts';
import type { SearchTarget } from '../scope.ts';
import type { Searching } from './search.ts';
import type { VectorRow } from './through-index.ts';

/** The vectors of one version of a document, one after the other. */
interface Block {
  ids: string[];
  ordinals: number[];
  data: Float32Array;
}

export interface VectorMemory {
  /** The blocks of these versions; those that are not remembered are read. */
  blocks(collection: string, versions: readonly string[], dimensions: number): Promise<Map<string, Block>>;
}

/** Documents whose vectors are read at once. */
const BATCH = 100;
/** Chunks that a filter is asked of first; each time after that, four times as many. */
const FIRST_ASKED = 200;

export function createVectorMemory(database: Database): VectorMemory {
  // In the order of their last use.
  const known = new Map<string, Block>();
  let bytes = 0;

  function remember(version: string, block: Block): void {
    known.set(version, block);
    bytes += block.data.byteLength;
    for (const [oldest, { data }] of known) {
      if (bytes <= MAX_COMPARED_BYTES || oldest === version) break;
      known.delete(oldest);
      bytes -= data.byteLength;
    }
  }

  return {
    async blocks(collection, versions, dimensions) {
      const found = new Map<string, Block>();
      const missing: string[] = [];
      for (const version of versions) {
        const block = known.get(version);
        if (!block) {
          missing.push(version);
          continue;
        }
        known.delete(version);
        known.set(version, block);
        found.set(version, block);
      }
      for (const batch of inGroups(missing, BATCH)) {
        const read = await readBlocks(database, { collection, versions: batch, dimensions });
        for (const [version, block] of read) {
          remember(version, block);
          found.set(version, block);
        }
      }
      return found;
    },
  };
}

async function readBlocks(
  database: Database,
  {
    collection,
    versions,
    dimensions,
  }: { collection: string; versions: readonly string[]; dimensions: number },
): Promise<Map<string, Block>> {
  const { field } = database;
  const rows = await database
    .collection<ChunkDocument>(collection)
    .find(
      { '_vai.doc': { $in: [...versions] }, '_vai.staged': { $ne: true } },
      { ...database.limits, projection: { [field]: 1, '_vai.doc': 1, '_vai.ordinal': 1 }, batchSize: 5000 },
    )
    .toArray();
  return new Map(
    [...Map.groupBy(rows, (row) => row._vai.doc)].map(([version, members]) => {
      const vectors = members.flatMap((row) => {
        const vector = readVector(row[field]);
        return vector?.length === dimensions ? [{ row, vector }] : [];
      });
      const data = new Float32Array(vectors.length * dimensions);
      vectors.forEach(({ vector }, at) => data.set(vector, at * dimensions));
      const ids = vectors.map(({ row }) => row._id);
      return [version, { ids, ordinals: vectors.map(({ row }) => row._vai.ordinal), data }];
    }),
  );
}

/** Undefined where there is more than may be compared. */
export async function compareAll(
  searching: Searching,
  target: SearchTarget,
): Promise<VectorRow[] | undefined> {
  const { database, search, memory } = searching;
  if (target.foreign) return compareForeign(searching, target);
  const dimensions = search.vector.length;
  const owners = await database
    .own('documents')
    .find(
      { collection: target.name, vectors: { $gt: 0 } },
      { ...database.limits, projection: { path: 1, vectors: 1 }, batchSize: 10_000 },
    )
    .toArray();
  const count = owners.reduce((sum, owner) => sum + owner.vectors, 0);
  if (count * dimensions * Float32Array.BYTES_PER_ELEMENT > MAX_COMPARED_BYTES) return undefined;
  const blocks = await memory.blocks(
    target.name,
    owners.map((owner) => owner._id),
    dimensions,
  );
  const scored = owners.flatMap(({ _id, path }) => {
    const block = blocks.get(_id);
    return block ? [{ path, block, scores: dots(block.data, search.vector) }] : [];
  });
  const all = Float32Array.from(scored.flatMap(({ scores }) => [...scores])).sort();
  /** The best so many, and those that score like the last of them. */
  const best = (wanted: number): VectorRow[] => {
    const least = all[Math.max(0, all.length - wanted)] ?? Infinity;
    const rows = scored.flatMap(({ path, block, scores }) =>
      block.ids.flatMap((id, at): VectorRow[] =>
        scores[at]! >= least ? [{ id, score: scores[at]!, source: path, ordinal: block.ordinals[at]! }] : [],
      ),
    );
    return inOrder(rows);
  };
  const { filter } = search.scope;
  if (!filter) return best(search.limit);
  return passing(best, { database, name: target.name, filter, wanted: search.limit, count: all.length });
}

/** The cosine of unit vectors stored one after the other. */
function dots(data: Float32Array, vector: Float32Array): Float32Array {
  const { length } = vector;
  const scores = new Float32Array(data.length / length);
  for (let at = 0, start = 0; at < scores.length; at += 1, start += length) {
    let dot = 0;
    for (let index = 0; index < length; index += 1) dot += data[start + index]! * vector[index]!;
    scores[at] = dot;
  }
  return scores;
}

/** Chunks of others may be changed under the same id, so they are read each time. */
async function compareForeign(
  { database, search }: Searching,
  { name }: SearchTarget,
): Promise<VectorRow[] | undefined> {
  const { field } = database;
  const most = Math.floor(MAX_COMPARED_BYTES / (search.vector.length * Float32Array.BYTES_PER_ELEMENT));
  const { filter } = search.scope;
  const rows = await database
    .collection(name)
    .find<Document>(
      { $and: [FOREIGN, { [field]: { $exists: true } }, ...(filter ? [toMongoFilter(filter)] : [])] },
      {
        ...database.limits,
        projection: { [field]: 1, source: 1, 'metadata.source': 1 },
        limit: most + 1,
        batchSize: 5000,
      },
    )
    .toArray();
  if (rows.length > most) return undefined;
  const compared = rows.flatMap((row): VectorRow[] => {
    const vector = readVector(row[field]);
    if (vector?.length !== search.vector.length) return [];
    return [{ id: row._id, score: cosine(search.vector, vector), source: foreignSource(row), ordinal: 0 }];
  });
  return inOrder(compared).slice(0, search.limit);
}

interface Passing {
  database: Database;
  name: string;
  filter: Filter;
  wanted: number;
  /** How many there are to choose from. */
  count: number;
}

/** The best that pass a filter: it is asked of the best in turn, until as many passed as are wanted. */
async function passing(
  best: (wanted: number) => VectorRow[],
  { database, name, filter, wanted, count }: Passing,
): Promise<VectorRow[]> {
  const kept: VectorRow[] = [];
  let asked = 0;
  for (let size = FIRST_ASKED; asked < count && kept.length < wanted; size *= 4) {
    const next = best(size).slice(asked);
    const rows = await database
      .collection<ChunkDocument>(name)
      .find(
        { $and: [{ _id: { $in: next.map((row) => row.id as string) } }, toMongoFilter(filter)] } as Document,
        { ...database.limits, projection: { _id: 1 }, batchSize: next.length + 1 },
      )
      .toArray();
    const passed = new Set<unknown>(rows.map((row) => row._id));
    kept.push(...next.filter((row) => passed.has(row.id)));
    asked += next.length;
  }
  return kept.slice(0, wanted);
}

function inOrder(rows: VectorRow[]): VectorRow[] {
  return rows.sort((a, b) => b.score - a.score || compareText(a.source, b.source) || a.ordinal - b.ordinal);
}
