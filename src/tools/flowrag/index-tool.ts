// flowrag_index: the folder becomes the collection.

import * as z from 'zod';
import type { IndexReport } from '../../engine/index/types.ts';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { record, records, texts } from './fields.ts';
import { fenced } from './text.ts';

export const indexTool = defineTool({
  name: 'flowrag_index',
  title: 'Index the documents',
  description:
    'Updates the knowledge base from the configured docs folder: new, edited, renamed and deleted files. Unchanged files are skipped. Call it first, after edits, and again if it was interrupted.',
  input: z.strictObject({
    force: z.boolean().default(false).describe('Rebuild every document, even if unchanged'),
  }),
  output: z.object({
    run: record,
    totals: record,
    calls: record,
    failures: records,
    failuresTotal: z.int(),
    durationMs: z.int(),
    warnings: texts,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  scope: 'write',
  deadlineMs: 3_600_000,
  isLong: () => true,
  async run({ force }, { engine, call }) {
    const report = await engine.graph.index(call, { force });
    const { totals, calls, failures, failuresTotal, durationMs } = report;
    const skipped = report.run.skipped.map(({ reason, count }) => ({ reason, count }));
    const warnings = report.warnings.slice(0, 50).map((warning) => oneLine(warning, 500));
    return {
      structured: {
        run: { ...report.run, skipped },
        totals,
        calls,
        failures,
        failuresTotal,
        durationMs,
        warnings,
      },
      text: indexText({ ...report, warnings }),
    };
  },
});

function indexText({
  run,
  totals,
  calls,
  failures,
  failuresTotal,
  durationMs,
  warnings,
}: IndexReport): string {
  const skipped = run.skipped.map(({ reason, count }) => `${count} ${reason}`).join(', ');
  const before = [
    `Indexed in ${(durationMs / 1000).toFixed(1)} s: ${run.added} added, ${run.changed} changed, ${run.renamed} renamed, ${run.deleted} deleted, ${run.unchanged} unchanged, ${run.failed} failed, ${run.partial} partial.`,
    ...(skipped ? [`Passed over: ${skipped}.`] : []),
    `Now: ${plural(totals.documents, 'document')}, ${plural(totals.chunks, 'chunk')}, ${plural(totals.entities, 'entity', 'entities')}, ${plural(totals.relations, 'relation')}, ${plural(totals.vectors, 'vector')}.`,
    `Calls: ${plural(calls.embedRequests, 'embedding request')} for ${plural(calls.embeddedTexts, 'text')}, ${plural(calls.extractRequests, 'extraction request')} (${calls.extractCacheHits} from cache), ${calls.inputTokens} tokens in, ${calls.outputTokens} out.`,
    ...(failuresTotal > 0
      ? [
          `${plural(failuresTotal, 'failure')}${failuresTotal > failures.length ? `, the first ${failures.length}` : ''}:`,
        ]
      : []),
  ];
  const lines = failures.map(
    (one) =>
      `- ${oneLine(one.path, 300)}:${one.startLine}-${one.endLine} ${one.stage}: ${one.code} ${oneLine(one.message, 300)}`,
  );
  return fenced(before, lines, warnings);
}
