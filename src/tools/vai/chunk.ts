// vai_chunk: how a text would be chunked. Off unless the user asked for the extra tools.

import * as z from 'zod';
import { CHUNK_STRATEGIES } from '../../domain/chunk.ts';
import { fitContents } from '../shared/budget.ts';
import { createFence } from '../shared/fence.ts';
import { plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { READS_LOCAL, record, records, truncated } from './fields.ts';

export const chunkTool = defineTool({
  name: 'vai_chunk',
  title: 'Preview chunks',
  description:
    'Split a text into chunks as vai_ingest would, without embedding or storing. Use to choose a strategy and size.',
  input: z.strictObject({
    text: z.string().min(1).max(200_000),
    chunkStrategy: z.enum(CHUNK_STRATEGIES).optional().meta({ default: 'recursive' }),
    chunkSize: z.int().min(100).max(8000).optional().meta({ default: 512, description: 'Characters' }),
    overlap: z.int().min(0).max(4000).optional(),
  }),
  output: z.object({ chunks: records, count: z.int(), profile: record, truncated }),
  quotes: true,
  annotations: READS_LOCAL,
  scope: 'read',
  async run({ text, chunkStrategy, chunkSize, overlap }, { engine, call }) {
    const { profile, chunks } = engine.ingest.preview(call, {
      text,
      chunk: {
        ...(chunkStrategy ? { strategy: chunkStrategy } : {}),
        ...(chunkSize ? { size: chunkSize } : {}),
        ...(overlap === undefined ? {} : { overlap }),
      },
    });
    const shown = chunks.slice(0, 200).map(({ text: content, lines, headingPath }, index) => ({
      index,
      content,
      lines: `${lines.start}-${lines.end}`,
      headingPath,
    }));
    const frame = JSON.stringify(shown.map((chunk) => ({ ...chunk, content: '' }))).length + 1_000;
    const fitted = fitContents(shown, Math.max(0, engine.resultBudget - Math.max(frame, shown.length * 120)));
    const fence = createFence();
    const cut = fitted.length < chunks.length || fitted.some((chunk) => chunk.truncated);
    return {
      structured: { count: chunks.length, chunks: fitted, profile, ...(cut ? { truncated: true } : {}) },
      text: [
        `${plural(chunks.length, 'chunk')} by ${profile.strategy}, ${profile.size} characters, overlap ${profile.overlap}.`,
        fence.notice,
        ...fitted.map(
          (chunk) =>
            `${chunk.index}. lines ${chunk.lines}${chunk.truncated ? ' (truncated)' : ''}\n${fence.wrap(chunk.content)}`,
        ),
      ].join('\n'),
    };
  },
});
