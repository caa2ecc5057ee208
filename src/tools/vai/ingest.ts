// vai_ingest: the only one of the ten that writes. Takes text, never a path of the server.

import * as z from 'zod';
import { CHUNK_STRATEGIES } from '../../domain/chunk.ts';
import { notes, oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { collection, db, model, record, warned, warnings, WRITES } from './fields.ts';

/** Large texts wait for a hosted model; progress is reported and a repeated call pays nothing twice. */
const DEADLINE_MS = 300_000;
/** Characters that no model embeds while somebody waits. */
const LONG = 100_000;

export const ingestTool = defineTool({
  name: 'vai_ingest',
  title: 'Add a document',
  description:
    'Add a text to a collection: chunk, embed, store. Re-ingesting a source replaces its earlier text. Use when the user gives content to keep (notes, documents, snippets). Takes text, not file paths. Modifies data.',
  input: z.strictObject({
    text: z.string().min(1).max(2_000_000),
    db,
    collection: collection.describe('Default from config, else knowledge'),
    source: z.string().min(1).max(1024).optional().describe('File name or URL, used in citations'),
    metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Stored with the text; usable in filters'),
    chunkStrategy: z.enum(CHUNK_STRATEGIES).optional().meta({ default: 'recursive' }),
    chunkSize: z.int().min(100).max(8000).optional().meta({ default: 512, description: 'Characters' }),
    model: model.describe('Fixed by the first text of a collection'),
    onExisting: z.enum(['replace', 'append', 'skip']).optional().meta({ default: 'replace' }),
  }),
  output: z.object({
    source: z.string(),
    chunksCreated: z.int(),
    collection: z.string(),
    model: z.string(),
    metadata: record,
    database: z.string(),
    path: z.string(),
    docId: z.string(),
    dimensions: z.int(),
    inserted: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    replaced: z.boolean(),
    index: record.optional(),
    tokens: z.int(),
    timeMs: z.int(),
    warnings,
  }),
  annotations: WRITES,
  scope: 'write',
  deadlineMs: DEADLINE_MS,
  isLong: ({ text }) => text.length > LONG,
  async run(input, { engine, call }) {
    const { chunkStrategy, chunkSize, ...rest } = input;
    const chunk = {
      ...(chunkStrategy ? { strategy: chunkStrategy } : {}),
      ...(chunkSize ? { size: chunkSize } : {}),
    };
    const result = await engine.ingest.text(call, { ...rest, chunk });
    const { warnings, ...fields } = result;
    const done = result.chunksCreated
      ? `${plural(result.chunksCreated, 'chunk')} created from ${oneLine(result.source)}`
      : `Nothing written for ${oneLine(result.source)}: ${plural(result.unchanged, 'chunk')} unchanged`;
    return {
      structured: { ...fields, ...warned(warnings) },
      text: [
        `${done}, in collection ${oneLine(result.collection)} of database ${result.database}.`,
        `Model ${oneLine(result.model)} (${result.dimensions} dimensions), ${result.tokens} tokens, ${result.timeMs} ms. Inserted ${result.inserted}, unchanged ${result.unchanged}, removed ${result.removed}. docId ${result.docId}, path ${oneLine(result.path)}, metadata ${oneLine(JSON.stringify(result.metadata), 2_000)}`,
        ...(result.index ? [`Vector index ${oneLine(result.index.name)}: ${result.index.status}.`] : []),
        ...notes(warnings),
      ].join('\n'),
    };
  },
});
