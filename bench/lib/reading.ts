// What a reader gets out of an answer: how many of the right documents are in its first so many tokens, for each tool, and
// how well relevance tells questions a collection answers from those of others.

import { estimateTokens } from '../../src/domain/tokens.ts';
import { localCall } from '../../src/engine/call.ts';
import type { Engine } from '../../src/engine/engine.ts';

export const BUDGETS = [500, 1_000, 2_000, 4_000] as const;

interface Shown {
  path: string;
  text: string;
}

type Ask = (engine: Engine, collection: string, query: string) => Promise<Shown[]>;

const call = localCall();
const LIMIT = 30;

/** As the tools ask; "ten whole chunks" is what a plain retriever hands over. */
export const READERS: Record<string, Ask> = {
  'ten whole chunks': async (engine, collection, query) =>
    (
      await engine.search.run(call, {
        query,
        collections: [collection],
        mode: 'hybrid',
        limit: 10,
        perDocument: Infinity,
        join: false,
      })
    ).hits,
  vai_query: async (engine, collection, query) =>
    (
      await engine.search.run(call, {
        query,
        collections: [collection],
        limit: LIMIT,
        rerank: true,
        relations: true,
      })
    ).hits,
  vai_search: async (engine, collection, query) =>
    (await engine.search.run(call, { query, collections: [collection], limit: LIMIT })).hits,
  find: async (engine, collection, query) =>
    (await engine.docs.find(call, { query, source: collection, maxResults: LIMIT })).hits.map(
      ({ alias, snippet }) => ({ path: alias.slice(collection.length + 1), text: snippet }),
    ),
  flowrag_search: async (engine, collection, query) =>
    (await engine.graph.search(call, { query, mode: 'hybrid', limit: LIMIT, collection })).results.map(
      ({ path, content }) => ({ path, text: content }),
    ),
};

/** Share of the right documents that are begun within each budget. */
export function recallWithin(
  shown: readonly Shown[],
  right: (path: string) => boolean,
  all: number,
): number[] {
  let tokens = 0;
  const ends = shown.map(({ path, text }) => ({ path, tokens: (tokens += estimateTokens(text)) }));
  return BUDGETS.map((budget) => {
    const read = new Set(
      ends.filter((hit) => hit.tokens <= budget && right(hit.path)).map(({ path }) => path),
    );
    return read.size / all;
  });
}

/** The best relevance of an answer, and whether it was called worth nothing. */
export async function bestRelevance(
  engine: Engine,
  collection: string,
  query: string,
): Promise<{ best: number; refused: boolean }> {
  const { hits, verdict } = await engine.search.run(call, {
    query,
    collections: [collection],
    limit: 10,
    rerank: true,
    relations: true,
  });
  return {
    best: Math.max(0, ...hits.map(({ relevance }) => relevance)),
    refused: verdict === 'nothing_relevant',
  };
}

/** How often a value of the first kind is above one of the second; equal ones count half. */
export function auc(own: readonly number[], other: readonly number[]): number {
  let above = 0;
  for (const a of own) for (const b of other) above += a > b ? 1 : a === b ? 0.5 : 0;
  return above / (own.length * other.length);
}
