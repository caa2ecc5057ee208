// The engine group `search`: question → retrievers → fusion → optional rerank → hits. The same for every door.

import { STOPWORDS } from '../../domain/stopwords.ts';
import { throwIfAborted, VaiError } from '../../domain/errors.ts';
import { parseFilter } from '../../domain/filter.ts';
import type { WordQuery } from '../../domain/query.ts';
import type { Scope, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { estimateTokens } from '../index/budget.ts';
import { openDatabase, resolveCollections, type CollectionView } from '../scope.ts';
import { decodeCursor, encodeCursor, fingerprint } from './cursor.ts';
import { fuse } from './fuse.ts';
import { selector, shownScores, toHits } from './hits.ts';
import { explainEmpty } from './empty.ts';
import { parseQuery } from './parse-query.ts';
import { rerank, RERANK_POOL, type Candidate } from './rerank.ts';
import { POOL, retrieve } from './retrieve.ts';
import { termsOf } from './terms.ts';
import type { SearchHit, SearchMode, SearchRequest, SearchResult } from './types.ts';

export interface Search {
  run(call: Call, request: SearchRequest): Promise<SearchResult>;
}

const MAX_QUERY = 5000;
/** Read beyond a page, because some hits will be folded into others. */
const SPARE = 4;
/** How much wider the second look is, where folding left a page short. */
const WIDER = 8;
const MAX_POOL = 1000;

export function createSearch(deps: EngineDeps): Search {
  return { run: (call, request) => run(deps, call, request) };
}

async function run(deps: EngineDeps, call: Call, request: SearchRequest): Promise<SearchResult> {
  const started = performance.now();
  const text = checkQuery(request.query);
  const store = await openDatabase(deps, call, request.db);
  const { collections, all, everything } = await resolveCollections(deps, store, call, request.collections);
  const filter = request.filter === undefined ? undefined : parseFilter(request.filter);
  const scope: Scope = {
    ...(everything ? {} : { collections: collections.map((c) => c.name) }),
    ...(filter ? { filter } : {}),
  };
  const query = parseQuery(text);
  const { mode, notices } = chooseMode(request.mode ?? defaultMode(deps, collections, query), query);
  const print = fingerprint([
    text,
    scope,
    mode,
    request.rerank ?? false,
    request.blocks ?? false,
    request.perDocument,
  ]);
  const offset = decodeCursor(request.cursor, print);
  const wanted = offset + request.limit;
  const asked = { deps, store, call, request, query, text, mode, scope, collections, wanted, started };
  const { retrieval, fused, second, selected, more } = await gather(asked);
  const chosen = selected.chosen.slice(0, wanted);
  const scores = shownScores(chosen).slice(offset);
  const page = await toHits(store, chosen.slice(offset), {
    terms: request.marks === false ? undefined : termsOf(query, STOPWORDS),
    scores,
    excerpt: request.excerpt,
  });
  const { hits, cut } = withinTokens(page, request.maxTokens);
  return {
    query: text,
    database: store.database,
    collection: all ? '*' : collections.map((c) => c.name).join(','),
    mode,
    hits,
    total: retrieval.words?.total ?? fused.length,
    totalIsBound: retrieval.words?.totalIsBound ?? true,
    ...(more && !cut && selected.chosen.length > offset
      ? { nextCursor: encodeCursor(Math.min(wanted, selected.chosen.length), print) }
      : {}),
    ...(retrieval.model ? { model: retrieval.model, dimensions: retrieval.dimensions } : {}),
    reranked: second?.reranked ?? false,
    ...(second?.model ? { rerankModel: second.model } : {}),
    tokens: { embed: retrieval.tokens, rerank: second?.tokens ?? 0 },
    notices: [
      ...notices,
      ...query.notices.map((message) => ({ code: 'query', message })),
      ...retrieval.notices,
      ...(cut ? [{ code: 'max_tokens', message: `Only ${hits.length} hits fit into maxTokens.` }] : []),
      ...(hits.length === 0 && offset === 0 ? await explainEmpty({ store, collections, query, scope }) : []),
    ],
    warnings: [...retrieval.warnings, ...(second?.warnings ?? [])],
    timeMs: Math.round((performance.now() - started) * 100) / 100,
  };
}

interface Asked {
  deps: EngineDeps;
  store: Store;
  call: Call;
  request: SearchRequest;
  query: WordQuery;
  text: string;
  mode: SearchMode;
  scope: Scope;
  collections: CollectionView[];
  /** Hits from the start to the end of the page. */
  wanted: number;
  started: number;
}

/** Candidates, ranked and chosen from, up to the end of the page; `more` says that the next page may have some too. */
async function gather(asked: Asked) {
  const { mode, request, wanted } = asked;
  const wordsOnly = mode === 'words' && !request.rerank;
  // Hits of one block are folded into one, so more of them are asked for at once.
  const spare = request.blocks ? SPARE + wanted : SPARE;
  const pool = Math.min(MAX_POOL, wordsOnly ? wanted + spare : Math.max(POOL, wanted * 2));
  const first = await gatherFrom(asked, pool);
  const left = (found: typeof first, asked: number): boolean =>
    wordsOnly && asked < MAX_POOL && (found.retrieval.words?.hits.length ?? 0) >= asked;
  if (!left(first, pool) || first.selected.chosen.length >= wanted) {
    return { ...first, more: first.selected.full || left(first, pool) };
  }
  // Copies were folded and took the room of what comes after them. One wider look is cheap; a page that is still short
  // says where to go on.
  const wider = Math.min(MAX_POOL, pool * WIDER);
  const second = await gatherFrom(asked, wider);
  return { ...second, more: second.selected.full || left(second, wider) };
}

async function gatherFrom(asked: Asked, pool: number) {
  const { deps, store, call, request, text, mode, collections, wanted, started } = asked;
  const { model, deadlineMs } = request;
  const retrieval = await retrieve({ ...asked, model, deadlineMs, pool });
  const lists = retrieval.lists.filter((list) => list.hits.length > 0);
  const fused = mode === 'words' ? wordOrder(lists[0]?.hits ?? []) : fuse(lists);
  const second = request.rerank
    ? await rerank(
        deps,
        call,
        rerankRequest(request, text, performance.now() - started),
        await hydrate(store, fused.slice(0, Math.max(RERANK_POOL, wanted * 2))),
      )
    : undefined;
  const selected = selector({
    collections,
    perDocument: request.perDocument ?? (mode === 'words' ? Infinity : undefined),
    blocks: request.blocks ?? false,
    count: wanted + 1,
  });
  if (second) selected.add(second.candidates);
  else {
    // Chunks are read in small batches: most searches need little more than a page, and one that folds blocks a few more.
    for (let from = 0; from < fused.length && !selected.full;) {
      throwIfAborted(call.signal);
      const to = from + (from === 0 && !request.blocks ? wanted + 1 : wanted + SPARE);
      selected.add(await hydrate(store, fused.slice(from, to)));
      from = to;
    }
  }
  return { retrieval, fused, second, selected };
}

function checkQuery(query: string): string {
  const text = query.trim();
  if (text === '' || text.length > MAX_QUERY) {
    throw new VaiError(
      'INVALID_INPUT',
      text === '' ? 'The query is empty.' : 'The query is longer than 5,000 characters.',
      {
        hint: 'Ask in a sentence or a few words.',
      },
    );
  }
  return text;
}

/** Vectors of a hosted model are trusted alone; those of the built-in one go together with words. */
function defaultMode(deps: EngineDeps, collections: readonly CollectionView[], query: WordQuery): SearchMode {
  if (query.must.length > 0 || query.not.length > 0) return 'hybrid';
  const hosted = ({ embedding, stats }: CollectionView): boolean => {
    const provider = embedding && deps.models.info(embedding.model)?.provider;
    return stats.vectors > 0 && provider !== undefined && provider !== 'builtin' && provider !== 'local';
  };
  return collections.length > 0 && collections.every(hosted) ? 'meaning' : 'hybrid';
}

/** Required and excluded words are a matter of words: vectors cannot obey them. */
function chooseMode(
  mode: SearchMode,
  query: WordQuery,
): { mode: SearchMode; notices: SearchResult['notices'] } {
  if (mode === 'words' || (query.must.length === 0 && query.not.length === 0)) return { mode, notices: [] };
  if (mode === 'meaning') {
    const message = 'Search by meaning cannot require or exclude words; mode words can.';
    return { mode, notices: [{ code: 'operators_ignored', message }] };
  }
  const message = 'The query uses required or excluded words, so it was searched by words only.';
  return { mode: 'words', notices: [{ code: 'words_only', message }] };
}

function wordOrder(hits: readonly { id: string; score: number }[]) {
  const best = hits[0]?.score ?? 1;
  return hits.map(({ id, score }) => ({ id, score, scores: { words: best > 0 ? score / best : 0 } }));
}

/** In the order given, which is the same on every store: each settles equal scores by place. */
async function hydrate(store: Store, fused: ReturnType<typeof fuse>): Promise<Candidate[]> {
  const byId = new Map(fused.map((entry) => [entry.id, entry]));
  const chunks = await store.search.chunks(fused.map((entry) => entry.id));
  return chunks.map((chunk) => ({ chunk, fused: byId.get(chunk.id)! }));
}

function rerankRequest(request: SearchRequest, query: string, elapsedMs: number) {
  return {
    query,
    ...(typeof request.rerank === 'string' ? { model: request.rerank } : {}),
    ...(request.deadlineMs ? { deadlineMs: Math.max(1, Math.round(request.deadlineMs - elapsedMs)) } : {}),
  };
}

function withinTokens(hits: SearchHit[], maxTokens: number | undefined): { hits: SearchHit[]; cut: boolean } {
  if (maxTokens === undefined) return { hits, cut: false };
  let tokens = 0;
  const kept = hits.filter((hit, at) => (tokens += estimateTokens(hit.text)) <= maxTokens || at === 0);
  return { hits: kept, cut: kept.length < hits.length };
}
