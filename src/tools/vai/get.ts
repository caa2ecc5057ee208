// vai_get: opens a citation, a document or its outline, or lists the documents of a collection.

import * as z from 'zod';
import type { Opened } from '../../engine/cite/open.ts';
import { OPEN_VIEWS } from '../../engine/cite/open.ts';
import { formatRange } from '../../domain/lines.ts';
import { fitRows } from '../shared/budget.ts';
import { createFence } from '../shared/fence.ts';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool, type ToolResult } from '../tool.ts';
import { citationView } from './citation-view.ts';
import { db, READS_LOCAL, records, truncated, warned, warnings } from './fields.ts';

export const getTool = defineTool({
  name: 'vai_get',
  title: 'Open a citation',
  description:
    'Read the lines of a citation, its section, document or outline, or list the documents of a collection. Use for more context.',
  input: z.strictObject({
    target: z.string().min(1).max(2048).describe('collection[/path[:12-30]]'),
    view: z.enum(OPEN_VIEWS).optional(),
    db,
    cursor: z.string().max(2048).optional(),
  }),
  output: z.object({
    database: z.string(),
    passages: records.optional(),
    outline: records.optional(),
    documents: records.optional(),
    cursor: z.string().optional(),
    truncated,
    warnings,
  }),
  quotes: true,
  view: citationView,
  annotations: READS_LOCAL,
  scope: 'read',
  async run(input, { engine, call }) {
    const opened = await engine.cite.open(call, input);
    if (opened.kind === 'text') return textAnswer(opened);
    return opened.kind === 'outline'
      ? outlineAnswer(opened, engine.resultBudget)
      : documentsAnswer(opened, engine.resultBudget);
  },
});

function textAnswer({ database, document, read }: Opened & { kind: 'text' }): ToolResult {
  const warnings = read.notices.map(({ message }) => message);
  const passages = read.snippets.map((snippet) => ({
    citation: snippet.citation,
    title: document.title,
    lines: formatRange(snippet.range),
    totalLines: document.lines,
    headingPath: snippet.headingPath,
    content: snippet.content,
    ...(snippet.status ? { status: snippet.status } : {}),
    ...(snippet.next ? { next: snippet.next } : {}),
  }));
  const cut = read.snippets.some((snippet) => snippet.truncated);
  const fence = createFence();
  return {
    structured: {
      database,
      passages,
      ...(cut ? { truncated: true } : {}),
      ...warned(warnings),
    },
    // Whoever wrote a document chose its name too, and a citation is made of names.
    text: [
      fence.notice,
      ...passages.map((passage) =>
        [
          `Lines ${passage.lines} of ${passage.totalLines}${passage.status ? `, ${passage.status}` : ''}:`,
          fence.wrap(
            [
              `cite: ${oneLine(passage.citation, 400)}`,
              `[${[...new Set([passage.title, ...passage.headingPath])].join(' > ')}]`,
              passage.content,
              ...(passage.next ? [`more: ${oneLine(passage.next, 400)}`] : []),
            ].join('\n'),
          ),
        ].join('\n'),
      ),
      ...(warnings.length
        ? [fence.wrap(warnings.map((warning) => `note: ${oneLine(warning, 400)}`).join('\n'))]
        : []),
    ].join('\n'),
  };
}

function outlineAnswer(
  { database, document, headings }: Opened & { kind: 'outline' },
  budget: number,
): ToolResult {
  const all = headings.map(({ level, text, section }) => ({
    level,
    heading: text,
    lines: formatRange(section),
  }));
  const outline = fitRows(all, budget, 20);
  const fence = createFence();
  const left = all.length - outline.length;
  return {
    structured: { database, outline, ...(left > 0 ? { truncated: true } : {}) },
    text: [
      `${plural(all.length, 'heading')} in ${plural(document.lines, 'line')}${left > 0 ? `; the last ${left} are not shown` : ''}.`,
      fence.notice,
      fence.wrap(
        outline.map(({ level, heading, lines }) => `${'#'.repeat(level)} ${heading} :${lines}`).join('\n'),
      ),
    ].join('\n'),
  };
}

function documentsAnswer(opened: Opened & { kind: 'documents' }, budget: number): ToolResult {
  const { database, collection, next } = opened;
  const all = opened.documents.map(({ path, title, lines, chunks, fetchedAt }) => ({
    target: path ? `${collection}/${path}` : collection,
    title,
    lines,
    chunks,
    fetchedAt,
  }));
  const documents = fitRows(all, budget, 20);
  const cursor = documents.length < all.length ? opened.documents[documents.length - 1]?.path : next;
  const fence = createFence();
  return {
    structured: { database, documents, ...(cursor ? { cursor, truncated: true } : {}) },
    text: [
      `${plural(documents.length, 'document')}${cursor ? ', and more with the cursor' : ''}.`,
      fence.notice,
      fence.wrap(
        [
          ...documents.map(
            ({ target, title, lines }) => `${target}  ${oneLine(title)}  (${plural(lines, 'line')})`,
          ),
          ...(cursor ? [`cursor: ${cursor}`] : []),
        ].join('\n'),
      ),
    ].join('\n'),
  };
}
