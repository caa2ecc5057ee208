// The engine group `search`: question → retrievers → fusion → optional rerank → hits. The same for every door.

import { STOPWORDS } from '../../domain/stopwords.ts';
import { VaiError } from '../../domain/errors.ts';
import { parseFilter } from '../../domain/filter.ts';
import type { WordQuery } from '../../domain/query.ts';
import type { Scope } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { estimateTokens } from '../index/budget.ts';
import { openDatabase, resolveCollections, type CollectionView, type ProjectScope } from '../scope.ts';
import { decodeCursor, encodeCursor, fingerprint } from './cursor.ts';
import { explainEmpty } from './empty.ts';
import { gather } from './gather.ts';
import { toHits } from './hits.ts';
import { parseQuery } from './parse-query.ts';
import { termsOf } from './terms.ts';
import type { SearchHit, SearchMode, SearchRequest, SearchResult } from './types.ts';

export interface Search {
  run(call: Call, request: SearchRequest): Promise<SearchResult>;
}

const MAX_QUERY = 5000;

export function createSearch(deps: EngineDeps): Search {
  return { run: (call, request) => run(deps, call, request) };
}

async function run(deps: EngineDeps, call: Call, request: SearchRequest): Promise<SearchResult> {
  const started = performance.now();
  const text = checkQuery(request.query);
  const store = await openDatabase(deps, call, request.db);
  const resolved = await resolveCollections(deps, store, call, request.collections);
  const { collections, all, everything } = resolved;
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
  const { retrieval, found, second, selected, more } = await gather(asked);
  const page = await toHits(store, selected.chosen.slice(offset, wanted), {
    terms: request.marks === false ? undefined : termsOf(query, STOPWORDS),
    excerpt: request.excerpt,
  });
  const { hits, cut } = withinTokens(page, request.maxTokens);
  return {
    query: text,
    database: store.database,
    collection: all ? '*' : collections.map((c) => c.name).join(','),
    ...(resolved.scope ? { scope: resolved.scope } : {}),
    mode,
    hits,
    total: retrieval.words?.total ?? found,
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
      ...notInstalled(resolved.scope),
      ...query.notices.map((message) => ({ code: 'query', message })),
      ...retrieval.notices,
      ...(cut ? [{ code: 'max_tokens', message: `Only ${hits.length} hits fit into maxTokens.` }] : []),
      ...(hits.length === 0 && offset === 0 ? await explainEmpty({ store, collections, query, scope }) : []),
    ],
    warnings: [...retrieval.warnings, ...(second?.warnings ?? [])],
    timeMs: Math.round((performance.now() - started) * 100) / 100,
  };
}

function notInstalled(scope: ProjectScope | undefined): SearchResult['notices'] {
  if (!scope?.missing.length) return [];
  const names = scope.missing.slice(0, 10).join(', ');
  const message = `Of this project's collections, not installed yet: ${names}. \`vai sync\` installs them.`;
  return [{ code: 'not_installed', message }];
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

/** From here on vectors are trusted alone; weaker ones go together with words. */
const TRUSTED_ALONE = 0.75;

function defaultMode(deps: EngineDeps, collections: readonly CollectionView[], query: WordQuery): SearchMode {
  if (query.must.length > 0 || query.not.length > 0) return 'hybrid';
  const trusted = ({ embedding, stats }: CollectionView): boolean =>
    stats.vectors > 0 &&
    embedding !== undefined &&
    deps.models.traits(embedding.model).trust >= TRUSTED_ALONE;
  return collections.length > 0 && collections.every(trusted) ? 'meaning' : 'hybrid';
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

function withinTokens(hits: SearchHit[], maxTokens: number | undefined): { hits: SearchHit[]; cut: boolean } {
  if (maxTokens === undefined) return { hits, cut: false };
  let tokens = 0;
  const kept = hits.filter((hit, at) => (tokens += estimateTokens(hit.text)) <= maxTokens || at === 0);
  return { hits: kept, cut: kept.length < hits.length };
}
