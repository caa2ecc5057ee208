// What vai_query and vai_search share: the search behind them, and its result as both channels of an answer: the same
// passages, figures and citations as fields and as text. Which hits fit is settled before either is written.

import * as z from 'zod';
import { versionOf, type VersionFields } from '../../engine/project/docs-version.ts';
import type { SearchHit, SearchRequest, SearchResult } from '../../engine/search/types.ts';
import { createFence, type Fence } from '../shared/fence.ts';
import { notes, oneLine, plural } from '../shared/text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { record, records, warned, warnings } from './fields.ts';

export const searchOutput = z.object({
  query: z.string(),
  results: records,
  metadata: record,
  notice: record.optional(),
  warnings,
});

export const relevanceFields = {
  minRelevance: z.number().min(0).max(1).optional().describe('Leave out hits below this'),
  cursor: z.string().max(64).optional().describe('metadata.cursor of the last answer'),
};

/** What an answer holds beside its hits. */
const FRAME = 4_000;
/** Metadata of a hit beyond this must not take the room of texts. */
const MAX_METADATA = 1_000;

interface SearchInput extends Omit<SearchRequest, 'collections'> {
  collection?: string;
}

/** `rerank` says whether the tool is one that reranks, whatever this call asked for. */
export async function answerSearch(
  { collection, ...request }: SearchInput,
  { engine, call }: ToolContext,
  options: { rerank: boolean },
): Promise<ToolResult> {
  const result = await engine.search.run(call, {
    ...request,
    // No name holds a comma.
    ...(collection ? { collections: collection.split(',').map((name) => name.trim()) } : {}),
    marks: false,
    room: { total: Math.max(0, engine.resultBudget - FRAME), of: sizeOf },
  });
  return searchAnswer(result, options);
}

export function searchAnswer(result: SearchResult, { rerank }: { rerank: boolean }): ToolResult {
  const [notice, ...others] = noticesOf(result);
  const warnings = [...others.map(({ message }) => message), ...result.warnings];
  return {
    structured: {
      query: result.query,
      results: result.hits.map(toPassage),
      metadata: about(result, rerank),
      ...(notice ? { notice } : {}),
      ...warned(warnings),
    },
    text: render(result),
  };
}

/** The one that says what the answer is worth comes first. */
function noticesOf({ notices, verdict, hits }: SearchResult): SearchResult['notices'] {
  if (hits.length === 0) return notices.toReversed();
  const telling = notices.filter(({ code }) => code === verdict);
  return [...telling, ...notices.filter(({ code }) => code !== verdict)];
}

/** The longer of what a hit takes in the two channels. */
function sizeOf(hit: SearchHit): number {
  return Math.max(
    JSON.stringify(toPassage(hit)).length,
    describe(hit, 100, createFence('x'.repeat(12))).length + 2,
  );
}

function toPassage(hit: SearchHit) {
  const { scores, similarity, metadata } = hit;
  return {
    id: hit.id,
    source: hit.source,
    title: hit.title,
    collection: hit.collection,
    content: hit.text,
    relevance: round(hit.relevance),
    score: round(hit.score),
    ...(scores.rerank === undefined ? {} : { rerankedScore: round(hit.score) }),
    ...(similarity === undefined ? {} : { similarity: Math.round(similarity * 1e4) / 1e4 }),
    scores: ofRetrievers(scores),
    metadata: {
      chunkIndex: hit.chunkIndex,
      totalChunks: hit.totalChunks,
      ingestedAt: hit.fetchedAt,
      ...within(metadata, MAX_METADATA),
    },
    citation: hit.citation,
    headingPath: hit.headingPath,
    ...(hit.page === undefined ? {} : { page: hit.page }),
    ...versionOf(hit),
    ...(hit.partial ? { truncated: true } : {}),
  };
}

/** As many entries as fit; what is left out is named. */
function within(metadata: SearchHit['metadata'], most: number): Record<string, unknown> {
  if (JSON.stringify(metadata).length <= most) return metadata;
  const kept: Record<string, unknown> = {};
  const omitted: string[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(metadata)) {
    size += key.length + JSON.stringify(value).length;
    if (size <= most) kept[key] = value;
    else if (omitted.length < 20) omitted.push(key.slice(0, 40));
  }
  return { ...kept, omitted };
}

function ofRetrievers(scores: SearchHit['scores']): Record<string, number> {
  const rounded: Record<string, number> = {};
  for (const [name, value] of Object.entries(scores)) if (name !== 'rerank') rounded[name] = round(value);
  return rounded;
}

function about(result: SearchResult, rerank: boolean): Record<string, unknown> {
  return {
    verdict: result.verdict,
    database: result.database,
    collection: result.collection,
    ...(result.scope ? { scope: result.scope } : {}),
    model: result.model ?? 'none',
    ...(result.dimensions ? { dimensions: result.dimensions } : {}),
    mode: result.mode,
    ...(rerank ? { reranked: result.reranked } : {}),
    ...(result.rerankModel ? { rerankModel: result.rerankModel } : {}),
    ...(result.relevanceFrom ? { relevanceFrom: result.relevanceFrom } : {}),
    retrievalTimeMs: Math.round(result.timeMs),
    resultCount: result.hits.length,
    ...(result.nextCursor ? { cursor: result.nextCursor } : {}),
    tokens: rerank ? result.tokens : { embed: result.tokens.embed },
  };
}

function render(result: SearchResult): string {
  const { hits } = result;
  const where = result.scope
    ? `the project's collections (${oneLine(result.collection || 'none installed', 200)}; collection "*" looks wider)`
    : result.collection === '*'
      ? 'all collections'
      : oneLine(result.collection || 'no collection');
  const how = [
    `mode ${result.mode}`,
    result.model ? `model ${oneLine(result.model)}` : 'no embedding model',
    result.reranked ? `reranked by ${oneLine(result.rerankModel ?? 'the reranker')}` : 'not reranked',
    `${Math.round(result.timeMs)} ms`,
  ].join(', ');
  const lines = [
    `${plural(hits.length, 'result')} from ${where} in database ${result.database} (${how}). Verdict: ${result.verdict}.`,
  ];
  if (result.relevanceFrom) lines.push(`Relevance rests on ${result.relevanceFrom}.`);
  lines.push(...notes([...noticesOf(result).map(({ message }) => message), ...result.warnings]));
  if (result.nextCursor) lines.push(`More with cursor ${result.nextCursor}`);
  if (hits.length === 0) return lines.join('\n');
  const fence = createFence();
  lines.push(fence.notice);
  hits.forEach((hit, at) => lines.push('', describe(hit, at + 1, fence)));
  return lines.join('\n');
}

function versionText({ docsVersion, installedVersion, versionMatch }: VersionFields): string {
  if (versionMatch === undefined) return '';
  const of = (version: string | undefined): string => oneLine(version ?? 'unknown', 40);
  return `   docs of version ${of(docsVersion)}, installed ${of(installedVersion)} (${versionMatch})`;
}

function describe(hit: SearchHit, rank: number, fence: Fence): string {
  const { content, metadata, relevance, score, similarity, scores } = toPassage(hit);
  const figures = [
    `relevance ${relevance}`,
    `score ${score}`,
    ...(similarity === undefined ? [] : [`similarity ${similarity}`]),
    ...Object.entries(scores).map(([name, value]) => `${name} ${value}`),
    ...(hit.partial ? ['truncated'] : []),
  ];
  const title = hit.title === hit.source ? [] : [`title: ${hit.title}`];
  const heading = hit.headingPath.length ? [`[${hit.headingPath.join(' > ')}]`] : [];
  const page = hit.page === undefined ? '' : `   page: ${hit.page}`;
  // Whoever wrote the text chose its name too, and a citation is made of names.
  const named = [
    oneLine(hit.source),
    `cite: ${oneLine(hit.citation, 400)}   id: ${oneLine(hit.id, 80)}${page}${versionText(hit)}`,
  ];
  const quoted = [...named, ...title, ...heading, content, `metadata: ${JSON.stringify(metadata)}`].join(
    '\n',
  );
  return `${rank}. ${figures.join(', ')}\n${fence.wrap(quoted)}`;
}

const round = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1e4) / 1e4;
