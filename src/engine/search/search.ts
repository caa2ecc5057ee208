// The engine group `search`: question → retrievers → fusion → optional rerank → hits. The same for every toolset.

import { STOPWORDS } from '../../domain/stopwords.ts';
import { VaiError } from '../../domain/errors.ts';
import { parseFilter, type Filter } from '../../domain/filter.ts';
import type { WordQuery } from '../../domain/query.ts';
import type { Scope } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { versionFields } from '../project/docs-version.ts';
import { openDatabase, resolveCollections, type CollectionView, type ProjectScope } from '../scope.ts';
import { decodeCursor, encodeCursor, fingerprint } from './cursor.ts';
import { explainEmpty } from './empty.ts';
import { inFolders, namedFolders } from './folders.ts';
import { gather } from './gather.ts';
import { toHits } from './hits.ts';
import { pack } from './pack.ts';
import { asTyped, parseQuery, withoutPhrases } from './parse-query.ts';
import { asPasted, isPasted } from './pasted.ts';
import { chunkCount, rate, verdictNotice } from './relevance.ts';
import { CODE_POOL } from './rank-code.ts';
import type { Candidate } from './rerank.ts';
import { similarities } from './similarity.ts';
import { termsOf } from './terms.ts';
import type { SearchHit, SearchMode, SearchRequest, SearchResult } from './types.ts';

export interface Search {
  run(call: Call, request: SearchRequest): Promise<SearchResult>;
  /** The passages of an answer, best first, without what is shown of them: for who ranks them further. */
  rank(call: Call, request: SearchRequest): Promise<Ranked>;
}

export interface Ranked {
  hits: (Pick<SearchHit, 'id' | 'score' | 'scores'> & Pick<Candidate, 'asked'>)[];
  /** The question as its hits are to be judged: with the words that texts hold in place of its own. */
  judgedBy: string;
  warnings: string[];
}

const MAX_QUERY = 5000;

export function createSearch(deps: EngineDeps): Search {
  return {
    run: (call, request) => run(deps, call, request),
    async rank(call, request) {
      const { chosen, query, notices, text, retrieval } = await findPassages(deps, call, request);
      return {
        hits: chosen.map(({ candidates, score }) => {
          const { chunk, fused, asked } = candidates[0]!;
          return { id: chunk.id, score, scores: fused.scores, ...(asked ? { asked } : {}) };
        }),
        judgedBy: retrieval.respelled?.text ?? text,
        warnings: [
          ...query.notices,
          ...[...notices, ...retrieval.notices].map(({ message }) => message),
          ...retrieval.warnings,
        ],
      };
    },
  };
}

/** From a request to the passages that answer it. */
async function findPassages(deps: EngineDeps, call: Call, request: SearchRequest) {
  const started = performance.now();
  const text = checkQuery(request.query);
  const store = await openDatabase(deps, call, request.db);
  const { names, folders } = namedFolders(request.collections);
  const resolved = await resolveCollections(deps, store, call, { names, version: request.version });
  const { collections, everything } = resolved;
  const filter = bothFilters(parseFilter(request.filter), await inFolders(store, collections, folders));
  const scope: Scope = {
    ...(everything ? {} : { collections: collections.map((c) => c.name) }),
    ...(filter ? { filter } : {}),
  };
  const query = parseQuery(text);
  const wantedMode = request.mode ?? defaultMode(deps, collections, query);
  const print = fingerprint([
    text,
    scope,
    chooseMode(wantedMode, query).mode,
    request.rerank ?? false,
    request.blocks ?? false,
    request.perDocument,
    request.relations ?? false,
  ]);
  const offset = decodeCursor(request.cursor, print);
  const wanted = offset + request.limit;
  const search = async (query: WordQuery) => {
    const { mode, notices } = chooseMode(wantedMode, query);
    const asked = { deps, store, call, request, query, text, mode, scope, collections, wanted, started };
    return { ...asked, ...(await gather(asked)), resolved, notices, print, offset };
  };
  const strict = await search(query);
  const searchLooser = async () => {
    const pasted = strict.quoted.size === 0 ? asPasted(query, text) : undefined;
    const plain = pasted && (await search(pasted));
    const best = plain?.selected.chosen[0]?.candidates[0];
    // Always among as many, so that every page of an answer is of the same search.
    const first = strict.retrieval.words?.hits.slice(0, CODE_POOL) ?? [];
    const isNew = first.every(({ id }) => id !== best?.chunk.id);
    if (plain && isNew && isPasted(query, best, plain.quoted)) return plain;
    const looser = strict.selected.chosen.length === 0 ? withoutPhrases(query) : undefined;
    return looser && search(looser);
  };
  // Search by meaning never asked for the phrase, nor left anything out.
  const found = strict.mode === 'words' ? ((await searchLooser()) ?? strict) : strict;
  return { ...found, chosen: found.selected.chosen.slice(offset, wanted) };
}

function bothFilters(...given: (Filter | undefined)[]): Filter | undefined {
  const filters = given.filter((filter) => filter !== undefined);
  return filters.length > 1 ? { op: 'and', filters } : filters[0];
}

async function run(deps: EngineDeps, call: Call, request: SearchRequest): Promise<SearchResult> {
  const passages = await findPassages(deps, call, request);
  const { store, resolved, collections, scope, query, text, mode, notices, print, offset, started } =
    passages;
  const { retrieval, found, second, selected, more, chosen } = passages;
  const byWords =
    request.judgeByWords && retrieval.words?.shares ? (retrieval.respelled?.query ?? query) : undefined;
  const { relevance, verdict, elsewhere } = await rate(deps, retrieval.respelled?.text ?? text, {
    ...{ first: selected.chosen, page: chosen, byWords },
    chunks: chunkCount(collections),
  });
  const page = await toHits(store, chosen, {
    terms: request.marks === false ? undefined : termsOf(retrieval.respelled?.query ?? query, STOPWORDS),
    excerpt: request.excerpt,
    relevance,
    similarity: await similarities(store, retrieval, chosen),
    blocks: request.blocks ?? false,
  });
  const versions = await versionFields(deps, collections);
  for (const hit of page) Object.assign(hit, versions(hit.collection));
  const { hits, done } = request.blocks ? { hits: page, done: page.length } : pack(page, request);
  const goesOn = hits.length > 0 && (more || done < page.length);
  const nextCursor = goesOn ? encodeCursor(offset + done, print) : undefined;
  return {
    query: text,
    verdict,
    database: store.database,
    collection: resolved.all ? '*' : collections.map((c) => c.name).join(','),
    ...(resolved.scope ? { scope: resolved.scope } : {}),
    mode,
    hits,
    total: retrieval.words?.total ?? found,
    totalIsBound: retrieval.words?.totalIsBound ?? true,
    ...(nextCursor ? { nextCursor } : {}),
    ...(retrieval.model ? { model: retrieval.model, dimensions: retrieval.dimensions } : {}),
    reranked: second?.reranked ?? false,
    ...(second?.model ? { rerankModel: second.model } : {}),
    ...relevanceFrom(deps, byWords !== undefined, [retrieval.model, second?.model]),
    tokens: { embed: retrieval.tokens, rerank: second?.tokens ?? 0 },
    notices: [
      ...notices,
      ...notInstalled(resolved.scope),
      ...(resolved.notice ? [resolved.notice] : []),
      ...query.notices.map((message) => ({ code: 'query', message })),
      ...retrieval.notices,
      ...(page.length > 0 ? verdictNotice(verdict) : []),
      ...(elsewhere && offset === 0 ? [FURTHER_DOWN] : []),
      ...leftOut(page.length - done),
      ...(page.length > 0 && hits.length === 0 ? [NONE_RELEVANT] : []),
      ...(page.length === 0 && offset === 0 && !resolved.notice
        ? await explainEmpty({ store, collections, query, scope })
        : []),
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
  const [does, nodes] = query.not.length > 0 ? ['excludes', query.not] : ['requires', query.must];
  const message = `The query ${does} ${nodes.map(asTyped).join(', ')}, so it was searched by words only.`;
  return { mode: 'words', notices: [{ code: 'words_only', message }] };
}

/** A hosted model cannot be calibrated here, so it has no part in relevance. */
function relevanceFrom(
  deps: EngineDeps,
  byWords: boolean,
  models: readonly (string | undefined)[],
): Pick<SearchResult, 'relevanceFrom'> {
  if (byWords) return { relevanceFrom: 'scores by words' };
  const hosted = models.some((model) => model !== undefined && deps.models.traits(model).hosted);
  return hosted ? { relevanceFrom: 'words and built-in signals, not on the hosted model' } : {};
}

const FURTHER_DOWN = {
  code: 'further_down',
  message: 'The passage most likely to answer comes after these hits; ask for more.',
};

const NONE_RELEVANT = {
  code: 'min_relevance',
  message: 'No hit reaches `minRelevance`; ask without it to see them.',
};

function leftOut(count: number): SearchResult['notices'] {
  if (count === 0) return [];
  const hits = count === 1 ? '1 more hit does' : `${count} more hits do`;
  return [{ code: 'left_out', message: `${hits} not fit into this answer; continue with the cursor.` }];
}
