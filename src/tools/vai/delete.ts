// vai_delete: removes a document. Off unless the user asked for the extra tools, and only for a key with
// the admin scope.

import * as z from 'zod';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { db } from './fields.ts';

export const deleteTool = defineTool({
  name: 'vai_delete',
  title: 'Delete a document',
  description:
    'Remove one document from a collection. Cannot be undone: ask the user first. vai_get lists documents.',
  input: z.strictObject({
    collection: z.string().min(1).max(120),
    path: z.string().min(1).max(1100).describe('Without the collection'),
    db,
  }),
  output: z.object({ collection: z.string(), documents: z.int(), chunks: z.int() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: 'admin',
  async run(input, { engine, call }) {
    const removed = await engine.collections.remove(call, input);
    const counts = `${plural(removed.documents, 'document')} (${plural(removed.chunks, 'chunk')})`;
    return { structured: { ...removed }, text: `Removed ${counts} from ${oneLine(removed.collection)}.` };
  },
});
