// The position of a hit, which orders equal scores, and the paths a filter may name.

import { VaiError } from '../../../domain/errors.ts';
import { filterPaths, type Filter } from '../../../domain/filter.ts';
import { compareText } from '../../../domain/text.ts';

export interface Place {
  collection: string;
  source: string;
  ordinal: number;
}

export function byPlace(a: Place, b: Place): number {
  return compareText(a.collection, b.collection) || compareText(a.source, b.source) || a.ordinal - b.ordinal;
}

const ROOTS = new Set(['source', 'metadata']);

/** A filter names `source` or something under `metadata`; anything else is a mistake worth telling. */
export function checkRoots(filter: Filter): void {
  const unknown = filterPaths(filter).find((path) => !ROOTS.has(path.split('.', 1)[0]!));
  if (unknown === undefined) return;
  throw new VaiError('FILTER_NOT_INDEXED', `There is no field \`${unknown}\` to filter by.`, {
    hint: `Filter by \`source\` or by \`metadata.<key>\`, for example \`metadata.${unknown}\`.`,
  });
}
