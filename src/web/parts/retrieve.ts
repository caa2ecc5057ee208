// The best answer there is, and the four ways to search as columns of the same shape. Relations come from two graph searches, by the entities and by
// the relations a query touches, scaled to the best of each and added up.

import { citationKey, parseCitation } from '../core/citation.ts';
import type { Server } from '../core/server.ts';

const METHODS = ['hybrid', 'words', 'meaning', 'relations'] as const;
export type Method = (typeof METHODS)[number];

export const ABOUT: Record<Method, { label: string; hint: string }> = {
  hybrid: { label: 'Hybrid', hint: 'combined' },
  words: { label: 'Words', hint: 'keyword' },
  meaning: { label: 'Meaning', hint: 'semantic' },
  relations: { label: 'Relations', hint: 'through the graph' },
};

export interface Hit {
  citation: string;
  /** Equal for the same passage in every column. */
  key: string;
  title: string;
  headingPath: string[];
  content: string;
  score: number;
  /** How probable it is that the passage answers, 0 to 1, where the server says it. */
  relevance?: number;
  version?: string;
  /** When the text was fetched or ingested. */
  fetchedAt?: string;
  entities: string[];
}

export type Verdict = 'answered' | 'weak' | 'nothing_relevant';

export interface Found {
  hits: Hit[];
  verdict?: Verdict;
  /** The server's own time where it says it. */
  ms: number;
  notes: string[];
}

export interface Asked {
  query: string;
  collection: string;
  /** Only documentation of this version; empty: any. */
  version: string;
  limit: number;
  signal: AbortSignal;
}

interface VaiAnswer {
  results: {
    title: string;
    content: string;
    score: number;
    relevance?: number;
    docsVersion?: string;
    citation: string;
    headingPath: string[];
    metadata: { ingestedAt?: string };
  }[];
  metadata: { retrievalTimeMs: number; verdict?: Verdict };
  notice?: { message: string };
  warnings?: string[];
}

export interface GraphAnswer {
  results: {
    path: string;
    headingPath: string[];
    citation: string;
    content: string;
    score: number;
    entities: string[];
  }[];
  warnings?: string[];
}

export function available(tools: ReadonlySet<string>): Method[] {
  return METHODS.filter((method) => tools.has(method === 'relations' ? 'flowrag_search' : 'vai_search'));
}

/** The ranking agents are given. */
export function ask(server: Server, tools: ReadonlySet<string>, asked: Asked): Promise<Found> {
  return bySearch(server, tools.has('vai_query') ? 'vai_query' : 'vai_search', {}, asked);
}

export function retrieve(server: Server, method: Method, asked: Asked): Promise<Found> {
  return method === 'relations'
    ? byRelations(server, asked)
    : bySearch(server, 'vai_search', { mode: method }, asked);
}

async function bySearch(
  server: Server,
  tool: 'vai_query' | 'vai_search',
  how: { mode?: Method },
  { query, collection, version, limit, signal }: Asked,
): Promise<Found> {
  const answer = await server.call<VaiAnswer>(
    tool,
    { query, limit, ...how, collection: collection || undefined, version: version || undefined },
    { signal },
  );
  return {
    hits: answer.results.map((result) => ({
      citation: result.citation,
      key: citationKey(result.citation),
      title: result.title,
      headingPath: result.headingPath,
      content: result.content,
      score: result.score,
      relevance: result.relevance,
      version: result.docsVersion,
      fetchedAt: result.metadata.ingestedAt,
      entities: [],
    })),
    verdict: answer.metadata.verdict,
    ms: answer.metadata.retrievalTimeMs,
    notes: [...(answer.notice ? [answer.notice.message] : []), ...(answer.warnings ?? [])],
  };
}

async function byRelations(server: Server, asked: Asked): Promise<Found> {
  const { query, limit, signal } = asked;
  const start = performance.now();
  const ask = (mode: string) =>
    server.call<GraphAnswer>('flowrag_search', { query, mode, limit: Math.min(50, limit) }, { signal });
  const answers = await Promise.all([ask('local'), ask('global')]);
  return {
    hits: mergeGraph(answers, asked.collection).slice(0, limit),
    ms: performance.now() - start,
    notes: [...new Set(answers.flatMap((answer) => answer.warnings ?? []))],
  };
}

export function mergeGraph(answers: readonly GraphAnswer[], collection: string): Hit[] {
  const merged = new Map<string, Hit>();
  for (const { results } of answers) {
    const best = Math.max(...results.map((result) => result.score), 1e-9);
    for (const result of results) {
      if (collection && parseCitation(result.citation)?.collection !== collection) continue;
      const key = citationKey(result.citation);
      const hit = merged.get(key) ?? {
        citation: result.citation,
        key,
        title: result.headingPath[0] ?? result.path,
        headingPath: result.headingPath,
        content: result.content,
        score: 0,
        entities: [],
      };
      hit.score += Math.max(0, result.score) / best / answers.length;
      hit.entities = [...new Set([...hit.entities, ...result.entities])];
      merged.set(key, hit);
    }
  }
  return [...merged.values()].sort((a, b) => b.score - a.score || a.key.localeCompare(b.key));
}
