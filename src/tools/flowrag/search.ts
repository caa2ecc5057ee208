// flowrag_search: passages by meaning, entities, relations, or all of them.

import * as z from 'zod';
import { stableFence } from '../shared/fence.ts';
import type { GraphHit } from '../../engine/graph/types.ts';
import { oneLine, plural } from '../shared/text.ts';
import { defineTool } from '../tool.ts';
import { clamp, READS_OPEN, records, texts, upTo } from './fields.ts';
import { name, warningText } from './text.ts';

/** What an answer holds beside its results. */
const FRAME = 4_000;

const MOST = 50;

export const searchTool = defineTool({
  name: 'flowrag_search',
  title: 'Search the knowledge graph',
  description:
    'Finds passages. Modes: hybrid (words, meaning and relations together), local (about entities that the query names), global (that state relations on its theme), naive (nearest in meaning). Each result has its file, lines and relevance (how likely it answers). verdict is answered, weak or nothing_relevant.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(5000),
    mode: z.enum(['hybrid', 'local', 'global', 'naive']).default('hybrid'),
    limit: upTo(MOST, 5),
    version: z.string().min(1).max(40).optional(),
    collection: z.string().min(1).max(120).optional().describe('"*" for all'),
    minRelevance: z.number().min(0).max(1).optional(),
  }),
  output: z.object({
    query: z.string(),
    mode: z.string(),
    scoreKind: z.string(),
    verdict: z.string(),
    scope: z.record(z.string(), z.unknown()).optional(),
    results: records,
    warnings: texts,
  }),
  quotes: true,
  annotations: READS_OPEN,
  scope: 'read',
  async run(input, { engine, call }) {
    const limit = clamp('limit', input.limit, MOST);
    const answer = await engine.graph.search(call, { ...input, limit: limit.value });
    const { results: all, warnings: told, ...found } = answer;
    const warnings = [...told, ...limit.notices];
    const results = whole(all, engine.resultBudget - FRAME);
    const left = all.length - results.length;
    if (left > 0)
      warnings.push(`${plural(left, 'more result')} did not fit into this answer; ask for fewer.`);
    const fence = stableFence(JSON.stringify(results));
    const text = [
      `${plural(results.length, 'result')} (${found.mode}, ${found.scoreKind} scores${found.scope ? ", of the project's collections" : ''}). Verdict: ${found.verdict}.`,
      ...(results.length > 0 ? [fence.notice] : []),
      ...results.map((hit) => {
        const legs = Object.entries(hit.legs)
          .map(([leg, rank]) => `${leg} ${rank}`)
          .join(', ');
        const head = `${hit.rank}. relevance ${hit.relevance} score ${hit.score}${legs ? ` (${legs})` : ''}`;
        const place = [
          `cite: ${oneLine(hit.citation, 400)}`,
          hit.versionMatch ? `docs ${hit.docsVersion ?? 'of unknown version'} (${hit.versionMatch})` : '',
          hit.headingPath.map(name).join(' > '),
          hit.entities.length > 0 ? `entities: ${hit.entities.map(name).join(', ')}` : '',
        ].filter(Boolean);
        return [head, fence.wrap([...place, hit.content].join('\n'))].join('\n');
      }),
      ...warningText(warnings),
    ].join('\n');
    return { structured: { ...found, results, warnings }, text };
  },
});

/** The best results that fit, each with its whole content. */
function whole(
  all: readonly GraphHit[],
  room: number,
): (Omit<GraphHit, 'collection'> & { contentTruncated: boolean })[] {
  let size = 0;
  const fit = all.filter((hit) => (size += JSON.stringify(hit).length) <= room);
  return (fit.length > 0 ? fit : all.slice(0, 1)).map(({ collection: _, ...hit }) => ({
    ...hit,
    contentTruncated: false,
  }));
}
