// The position of a hit, which orders equal scores.

import { compareText } from '../../../domain/text.ts';

export interface Place {
  collection: string;
  source: string;
  ordinal: number;
}

export function byPlace(a: Place, b: Place): number {
  return compareText(a.collection, b.collection) || compareText(a.source, b.source) || a.ordinal - b.ordinal;
}
