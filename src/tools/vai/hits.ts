// What vai_query and vai_search share: the search behind them, and its result as both channels of an answer, the same
// passages, scores and citations as fields and as text, within one size.

import * as z from 'zod';
import type { SearchHit, SearchRequest, SearchResult } from '../../engine/search/types.ts';
import { fitContents, type Cut } from '../shared/budget.ts';
import { createFence } from '../shared/fence.ts';
import { oneLine, plural } from '../shared/text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { record, records, truncated, warnings } from './fields.ts';

export const searchOutput = z.object({
  query: z.string(),
  results: records,
  metadata: record,
  notice: record.optional(),
  warnings,
  truncated,
});

interface Passage extends Cut {
  id: string;
  source: string;
  content: string;
  score: number;
  rerankedScore?: number;
  /** What each retriever gave, scaled 0 to 1. */
  scores: Record<string, number>;
  metadata: Record<string, unknown>;
  citation: string;
  headingPath: string[];
  page?: number;
}

interface SearchInput extends Omit<SearchRequest, 'collections'> {
  collection?: string;
}

/** `rerank` says whether the tool is one that reranks, whatever this call asked for. */
export async function answerSearch(
  { collection, ...request }: SearchInput,
  { engine, call }: ToolContext,
  options: { rerank: boolean },
): Promise<ToolResult> {
  const collections = collection ? { collections: [collection] } : {};
  const result = await engine.search.run(call, { ...request, ...collections, marks: false });
  return searchAnswer(result, engine.resultBudget, options);
}

export function searchAnswer(result: SearchResult, budget: number, options: { rerank: boolean }): ToolResult {
  const passages = result.hits.map(toPassage);
  const rest = about(result, options.rerank);
  const whole = { query: result.query, results: passages, ...rest };
  const size = JSON.stringify(whole).length;
  const text = render(result, passages);
  // Marks of what was cut, and escapes of what was kept, come on top.
  const marks = 200 + 50 * passages.length;
  // Most answers are far from the limit: where even both channels together are within it, nothing is cut.
  if (size + text.length + 2 * marks <= budget) return { structured: whole, size, text };
  const bare = passages.map((passage) => ({ ...passage, content: '' }));
  // Both channels are measured without contents; the longer one decides what is left for them.
  const frame = Math.max(JSON.stringify({ ...whole, results: bare }).length, render(result, bare).length);
  const results = fitContents(passages, Math.max(0, budget - frame - marks));
  return {
    structured: {
      ...whole,
      results,
      ...(results.some((passage) => passage.truncated) ? { truncated: true } : {}),
    },
    text: render(result, results),
  };
}

function toPassage(hit: SearchHit): Passage {
  const { scores } = hit;
  return {
    id: hit.id,
    source: hit.source,
    content: hit.text,
    score: round(hit.score),
    ...(scores.rerank === undefined ? {} : { rerankedScore: round(hit.score) }),
    scores: ofRetrievers(scores),
    metadata: {
      ...hit.metadata,
      title: hit.title,
      collection: hit.collection,
      chunkIndex: hit.chunkIndex,
      totalChunks: hit.totalChunks,
      ingestedAt: hit.fetchedAt,
    },
    citation: hit.citation,
    headingPath: hit.headingPath,
    ...(hit.page === undefined ? {} : { page: hit.page }),
  };
}

function ofRetrievers(scores: SearchHit['scores']): Record<string, number> {
  const rounded: Record<string, number> = {};
  for (const [name, value] of Object.entries(scores)) if (name !== 'rerank') rounded[name] = round(value);
  return rounded;
}

function about(result: SearchResult, rerank: boolean): Record<string, unknown> {
  const [notice, ...others] = result.hits.length === 0 ? result.notices.toReversed() : [];
  const messages = (result.hits.length === 0 ? others : result.notices).map(({ message }) => message);
  const warnings = [...messages, ...result.warnings];
  return {
    metadata: {
      database: result.database,
      collection: result.collection,
      ...(result.scope ? { scope: result.scope } : {}),
      model: result.model ?? 'none',
      ...(result.dimensions ? { dimensions: result.dimensions } : {}),
      mode: result.mode,
      ...(rerank ? { reranked: result.reranked } : {}),
      ...(result.rerankModel ? { rerankModel: result.rerankModel } : {}),
      retrievalTimeMs: Math.round(result.timeMs),
      resultCount: result.hits.length,
      tokens: rerank ? result.tokens : { embed: result.tokens.embed },
    },
    ...(notice ? { notice } : {}),
    ...(warnings.length ? { warnings } : {}),
  };
}

function render(result: SearchResult, passages: readonly Passage[]): string {
  const where = result.scope
    ? `the project's collections (${oneLine(result.collection, 200)}; collection "*" looks wider)`
    : result.collection === '*'
      ? 'all collections'
      : oneLine(result.collection);
  const how = [
    `mode ${result.mode}`,
    result.model ? `model ${oneLine(result.model)}` : 'no embedding model',
    result.reranked ? `reranked by ${oneLine(result.rerankModel ?? 'the reranker')}` : 'not reranked',
    `${Math.round(result.timeMs)} ms`,
  ].join(', ');
  const lines = [
    `${plural(passages.length, 'result')} from ${where} in database ${result.database} (${how}).`,
  ];
  for (const warning of [...result.notices.map(({ message }) => message), ...result.warnings])
    lines.push(`Note: ${oneLine(warning, 400)}`);
  if (passages.length === 0) return lines.join('\n');
  const fence = createFence();
  lines.push(fence.notice);
  passages.forEach((passage, at) => {
    const scores = [`score ${passage.score}`];
    if (passage.rerankedScore !== undefined) scores.push(`reranked ${passage.rerankedScore}`);
    for (const [name, value] of Object.entries(passage.scores)) scores.push(`${name} ${value}`);
    const whole = passage.truncated ? `, cut from ${passage.contentLength} characters` : '';
    lines.push(
      '',
      `${at + 1}. ${oneLine(passage.source)} (${scores.join(', ')}${whole})`,
      `   cite: ${oneLine(passage.citation, 400)}   id: ${oneLine(passage.id, 80)}${passage.page === undefined ? '' : `   page: ${passage.page}`}`,
      fence.wrap(
        [
          passage.headingPath.length ? `[${passage.headingPath.join(' > ')}]` : '',
          passage.content,
          `metadata: ${JSON.stringify(passage.metadata)}`,
        ]
          .filter(Boolean)
          .join('\n'),
      ),
    );
  });
  return lines.join('\n');
}

const round = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1e4) / 1e4;
