// vai_index: search indexes of collections. Off unless the user asked for the extra tools; making and dropping needs a key
// with the admin scope, which the engine checks.

import * as z from 'zod';
import { VaiError } from '../../domain/errors.ts';
import type { IndexInfo } from '../../ports/store.ts';
import { oneLine, table } from '../shared/text.ts';
import { defineTool, type ToolResult } from '../tool.ts';
import { collection, db, records } from './fields.ts';

export const indexTool = defineTool({
  name: 'vai_index',
  title: 'Manage search indexes',
  description:
    'List, create or drop the search indexes of a collection. The embedded store keeps its own; use with MongoDB.',
  input: z.strictObject({
    action: z.enum(['list', 'create', 'drop']).default('list'),
    db,
    collection,
    type: z.enum(['vector', 'text']).default('vector'),
    name: z.string().min(1).max(120).optional(),
    dimensions: z.int().min(1).max(8192).optional(),
    filterFields: z.array(z.string().min(1).max(200)).max(50).optional(),
  }),
  output: z.object({ action: z.string(), database: z.string(), indexes: records }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: 'write',
  deadlineMs: 300_000,
  async run({ action, type, name, dimensions, filterFields, ...place }, { engine, call }) {
    if (action !== 'list') {
      const target = { ...place, collection: required(place.collection, 'collection') };
      if (action === 'drop') await engine.indexes.drop(call, { ...target, name: required(name, 'name') });
      else await engine.indexes.create(call, { ...target, type, name, dimensions, filterFields });
    }
    const { database, collections } = await engine.indexes.list(call, place);
    const indexes = collections.flatMap((entry) =>
      entry.indexes.map((index) => ({ collection: entry.name, ...index })),
    );
    return answer(action, database, indexes);
  },
});

function answer(
  action: string,
  database: string,
  indexes: (IndexInfo & { collection: string })[],
): ToolResult {
  const rows = indexes.map((index) => [
    index.collection,
    index.name,
    index.type,
    index.status,
    index.field,
    String(index.dimensions ?? '-'),
    index.filterFields.join(', '),
  ]);
  const done = action === 'list' ? '' : `Done: ${action}. `;
  return {
    structured: { action, database, indexes },
    text: `${done}Indexes of database ${oneLine(database)}:\n${table(['collection', 'index', 'type', 'status', 'field', 'dimensions', 'filter paths'], rows)}`,
  };
}

function required(value: string | undefined, field: string): string {
  if (value === undefined) throw new VaiError('INVALID_INPUT', `\`${field}\` is needed for this action.`);
  return value;
}
