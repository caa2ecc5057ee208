// Indexes as a person sees them. Here they are part of the tables: always there, always ready, nothing to create.

import { VaiError } from '../../domain/errors.ts';
import type { IndexInfo, Indexes } from '../../ports/store.ts';
import type { Connection } from './connection.ts';
import { requireCollectionRow } from './rows.ts';

const NAMES = { vector: 'vector_index', text: 'text_index' } as const;

export function createIndexes(connection: Connection): Indexes {
  function infos(collection: string): IndexInfo[] {
    const row = requireCollectionRow(connection, collection);
    const text: IndexInfo = {
      name: NAMES.text,
      type: 'text',
      status: 'ready',
      field: 'text',
      filterFields: ['source', 'metadata.*'],
    };
    if (row.dimensions === null) return [text];
    const vector: IndexInfo = {
      name: NAMES.vector,
      type: 'vector',
      status: 'ready',
      field: 'embedding',
      dimensions: row.dimensions,
      filterFields: ['source', 'metadata.*'],
    };
    return [text, vector];
  }

  return {
    async list(collection) {
      return connection.read(() => infos(collection));
    },
    async create(collection, type, options) {
      return connection.read(() => {
        const found = infos(collection).find((info) => info.type === type);
        if (found && (options.dimensions === undefined || options.dimensions === found.dimensions))
          return found;
        throw new VaiError(
          found ? 'DIMENSION_MISMATCH' : 'INDEX_MISSING',
          found
            ? `\`${collection}\` holds vectors of ${found.dimensions} dimensions.`
            : `\`${collection}\` has no vectors yet.`,
          { hint: 'The embedded store keeps its indexes by itself: add documents with a model and search.' },
        );
      });
    },
    async drop() {
      throw new VaiError(
        'NOT_ALLOWED',
        'The indexes of the embedded store are part of it and cannot be dropped.',
        {
          hint: 'Remove the collection instead.',
        },
      );
    },
  };
}
