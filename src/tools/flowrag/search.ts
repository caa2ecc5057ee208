// flowrag_search: passages by meaning, entities, relations, or all of them.

import * as z from 'zod';
import { fitContents } from '../shared/budget.ts';
import { stableFence } from '../shared/fence.ts';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { READS, records, texts } from './fields.ts';
import { name, warningText } from './text.ts';

/** Characters of a result beside its content. */
const FRAME = 700;

export const searchTool = defineTool({
  name: 'flowrag_search',
  title: 'Search the knowledge graph',
  description:
    'Finds passages. hybrid: words, meaning and relations together. local: passages about entities the query names. global: passages that state relations on the theme. naive: nearest by meaning. Each result names its file and lines.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(5000),
    mode: z.enum(['hybrid', 'local', 'global', 'naive']).default('hybrid'),
    limit: z.int().min(1).max(50).default(5),
    collection: z.string().min(1).max(120).optional().describe('"*": all'),
  }),
  output: z.object({
    query: z.string(),
    mode: z.string(),
    scoreKind: z.string(),
    scope: z.record(z.string(), z.unknown()).optional(),
    results: records,
    warnings: texts,
  }),
  quotes: true,
  annotations: { ...READS, openWorldHint: true },
  scope: 'read',
  async run(input, { engine, call }) {
    const found = await engine.graph.search(call, input);
    const room = engine.resultBudget - found.results.length * FRAME;
    const results = fitContents(found.results, Math.max(2000, room)).map(
      ({ collection: _, truncated, contentLength, ...hit }) => ({
        ...hit,
        contentTruncated: truncated === true,
        ...(contentLength ? { contentLength } : {}),
      }),
    );
    const fence = stableFence(JSON.stringify(results));
    const text = [
      `${plural(results.length, 'result')} (${found.mode}, ${found.scoreKind} scores${found.scope ? ", of the project's collections" : ''}).`,
      ...(results.length > 0 ? [fence.notice] : []),
      ...results.map((hit) => {
        const legs = Object.entries(hit.legs)
          .map(([leg, rank]) => `${leg} ${rank}`)
          .join(', ');
        const head = `${hit.rank}. ${oneLine(hit.citation, 400)} score ${hit.score}${legs ? ` (${legs})` : ''}`;
        const place = [
          hit.headingPath.map(name).join(' > '),
          hit.entities.length > 0 ? `entities: ${hit.entities.map(name).join(', ')}` : '',
        ].filter(Boolean);
        return [
          head,
          fence.wrap([...place, hit.content].join('\n')),
          ...(hit.contentTruncated ? ['(content shortened)'] : []),
        ].join('\n');
      }),
      ...warningText(found.warnings),
    ].join('\n');
    return {
      structured: {
        query: found.query,
        mode: found.mode,
        scoreKind: found.scoreKind,
        ...(found.scope ? { scope: found.scope } : {}),
        results,
        warnings: found.warnings,
      },
      text,
    };
  },
});
