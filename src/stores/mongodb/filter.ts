// Filters in MongoDB's own language, which they came from. Null means null or missing on every store; a comparison
// sees values of its own type only.

import type { Document } from 'mongodb';
import type { Filter } from '../../domain/filter.ts';

/** Documents that belong to these collections; to any where none are named. */
export function inScope(collections: readonly string[] | undefined): { collection?: { $in: string[] } } {
  return collections ? { collection: { $in: [...collections] } } : {};
}

/** A text as part of a pattern. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

export function toMongoFilter(filter: Filter): Document {
  switch (filter.op) {
    case 'and':
    case 'or':
    case 'nor':
      return { [`$${filter.op}`]: filter.filters.map(toMongoFilter) };
    case 'not':
      return { $nor: [toMongoFilter(filter.filter)] };
    case 'in':
    case 'nin':
      return { [filter.path]: { [`$${filter.op}`]: filter.values } };
    default:
      return { [filter.path]: { [`$${filter.op}`]: filter.value } };
  }
}
