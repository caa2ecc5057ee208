// The retrievers: words, meaning and relations over one scope. Each gives its own candidates; fusing them is not done here.

import { throwIfAborted, toVaiError, VaiError } from '../../domain/errors.ts';
import type { WordQuery } from '../../domain/query.ts';
import type { Embedded, Embedder } from '../../ports/embedder.ts';
import type { Scope, Store, WordHits } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { modelsFor } from '../spending.ts';
import { relationScores } from '../graph/retrieve.ts';
import { isStale } from '../index/target.ts';
import type { CollectionView } from '../scope.ts';
import type { RankedList } from './fuse.ts';
import { rarityOf } from './rarity.ts';
import { rewrite } from './rewrite.ts';
import type { Corrected } from './spelling.ts';
import type { SearchMode } from './types.ts';

/** How long a question that does not ask for relations waits for names; the next one continues where it stopped. */
const HURRY_MS = 20;
/** Candidates per retriever: enough for a reranker and for scaling scores. */
export const POOL = 100;

export interface Retrieval {
  lists: RankedList[];
  /** The question's vector for each group of collections that were searched by meaning. */
  asked: { vector: Float32Array; collections: string[] }[];
  words?: WordHits;
  /** What was searched by words in place of a query with words that no text holds, and is judged by. */
  respelled?: Pick<Corrected, 'query' | 'text'>;
  model?: string;
  dimensions?: number;
  tokens: number;
  notices: { code: string; message: string }[];
  warnings: string[];
}

export interface RetrieveRequest {
  deps: EngineDeps;
  store: Store;
  call: Call;
  query: WordQuery;
  text: string;
  mode: SearchMode;
  scope: Scope;
  collections: readonly CollectionView[];
  model?: string;
  pool: number;
  /** In hybrid mode relations take part too, where they help. */
  relations?: boolean;
  /** A hosted embedder is waited for no longer than this. */
  deadlineMs?: number;
}

export async function retrieve(request: RetrieveRequest): Promise<Retrieval> {
  const { mode } = request;
  // Side by side: a store or a model elsewhere is waited for once. Vectors come first, because they may have to be loaded.
  const [meaning, words] = await Promise.all([
    filled(mode !== 'words' && mode !== 'relations', (part) => addMeaning(request, part)),
    filled(mode !== 'meaning', (part) => addWords(request, part)),
  ]);
  const retrieval: Retrieval = {
    ...words,
    ...meaning,
    lists: [...words.lists, ...meaning.lists],
    notices: [...words.notices, ...meaning.notices],
  };
  if (request.mode === 'relations' || request.mode === 'graph') await addRelations(request, retrieval);
  else if (request.mode === 'hybrid' && request.relations) await addRelations(request, retrieval, HURRY_MS);
  return retrieval;
}

async function filled(wanted: boolean, fill: (part: Retrieval) => Promise<void>): Promise<Retrieval> {
  const part: Retrieval = { lists: [], asked: [], tokens: 0, notices: [], warnings: [] };
  if (wanted) await fill(part);
  return part;
}

async function addWords(request: RetrieveRequest, retrieval: Retrieval): Promise<void> {
  const { store, query, text, scope, call, pool } = request;
  const search = (words: WordQuery) =>
    store.search.words({ query: words, scope, limit: pool, signal: call.signal });
  const collections = request.collections.map(({ name }) => name);
  const [typed, rewritten] = await Promise.all([
    search(query),
    rewrite(store.search, { query, text, collections }),
  ]);
  const found = rewritten && (await search(rewritten.query));
  const words = found?.hits.length ? found : typed;
  if (rewritten && words === found) {
    if (rewritten.spelled) retrieval.respelled = rewritten.spelled;
    retrieval.notices.push(...rewritten.notices);
  }
  retrieval.words = words;
  retrieval.lists.push({ retriever: 'words', weight: 1, hits: words.hits });
  for (const message of words.notices) retrieval.notices.push({ code: 'words', message });
}

/** One query vector per embedding model among the collections; each model's scores are scaled by themselves. */
async function addMeaning(request: RetrieveRequest, retrieval: Retrieval): Promise<void> {
  const stale = request.collections.filter(
    ({ embedding, stats }) => stats.vectors > 0 && isStale(request.deps.models, embedding),
  );
  const groups = groupByModel(request.collections.filter((collection) => !stale.includes(collection)));
  if (stale.length > 0) {
    retrieval.notices.push(staleNotice(stale));
    await wordsInstead(request, retrieval);
  } else if (groups.size === 0 && request.mode === 'meaning') {
    retrieval.notices.push({
      code: 'no_vectors',
      message: 'The collection has no vectors; search it by words.',
    });
  }
  for (const [stamp, members] of groups) {
    throwIfAborted(request.call.signal);
    try {
      await searchGroup(request, retrieval, { ...parseStamp(stamp), members });
    } catch (thrown) {
      const error = toVaiError(thrown);
      // Whoever sets a deadline wants what there is by then; whoever may spend no more still finds by words.
      const late = request.deadlineMs !== undefined && error.code === 'TIMEOUT';
      const wordsDo = late || error.code === 'COST_LIMIT';
      if ((request.mode === 'meaning' && !wordsDo) || error.ends === 'call') throw error;
      await wordsInstead(request, retrieval);
      retrieval.warnings.push(
        `Searched by words only in ${members.map((m) => m.name).join(', ')}: ${error.message}`,
      );
    }
  }
}

/** Where nothing but meaning was asked for; otherwise words are searched anyway. */
async function wordsInstead(request: RetrieveRequest, retrieval: Retrieval): Promise<void> {
  if (request.mode === 'meaning' && !retrieval.words) await addWords(request, retrieval);
}

function staleNotice(collections: readonly CollectionView[]): Retrieval['notices'][number] {
  const names = collections.map(({ name }) => `\`${name}\``).join(', ');
  return {
    code: 'stale_vectors',
    message: `${names}: the vectors were made by an earlier ${collections[0]!.embedding!.model} and are not used; searched by words. Ingest again to renew them.`,
  };
}

interface Group {
  model: string;
  dimensions: number;
  members: CollectionView[];
}

async function searchGroup(request: RetrieveRequest, retrieval: Retrieval, group: Group): Promise<void> {
  const { deps, store, call } = request;
  const collections = group.members.map((member) => member.name);
  const scope = { ...request.scope, collections };
  store.search.expectVectors?.({ model: group.model, dimensions: group.dimensions, scope });
  const model = queryModel(deps, group, request.model);
  const embedder = await modelsFor(deps, call.principal).embedder(model, group.dimensions);
  // One that was fetched only now may be another than the one the vectors were made with.
  const stale = group.members.filter(({ embedding }) => isStale(deps.models, embedding));
  if (stale.length > 0) {
    retrieval.notices.push(staleNotice(stale));
    return wordsInstead(request, retrieval);
  }
  const rarity = embedder.weighsWords
    ? await rarityOf(store, [...new Set(request.text.match(/[\p{L}\p{N}]+/gu))], collections)
    : undefined;
  const answer = await embedInTime(embedder, request, rarity);
  const vector = answer.vectors[0]!;
  const found = await store.search.vectors({
    vector,
    model: group.model,
    words: request.query,
    scope,
    limit: request.pool,
    signal: call.signal,
  });
  retrieval.tokens += answer.tokens;
  retrieval.asked.push({ vector, collections });
  retrieval.model = embedder.model;
  retrieval.dimensions = embedder.dimensions;
  retrieval.lists.push({
    retriever: 'meaning',
    weight: meaningWeight(embedder, request.mode),
    hits: found.hits,
  });
  for (const message of found.notices) retrieval.notices.push({ code: 'meaning', message });
}

async function embedInTime(
  embedder: Embedder,
  { text, call, deadlineMs }: RetrieveRequest,
  rarity: ReadonlyMap<string, number> | undefined,
): Promise<Embedded> {
  const deadline = deadlineMs === undefined ? undefined : AbortSignal.timeout(deadlineMs);
  const signal =
    call.signal && deadline ? AbortSignal.any([call.signal, deadline]) : (call.signal ?? deadline);
  try {
    return await embedder.embed([text], {
      role: 'query',
      ...(signal ? { signal } : {}),
      ...(rarity ? { rarity } : {}),
    });
  } catch (thrown) {
    if (!deadline?.aborted || call.signal?.aborted) throw thrown;
    throw new VaiError('TIMEOUT', `${embedder.model} did not answer within ${deadlineMs} ms.`, {
      hint: 'Allow more time, or search by words.',
      cause: thrown,
    });
  }
}

/** Beside words of weight 1: a built-in model adds, a strong hosted one leads. */
function meaningWeight(embedder: Embedder, mode: SearchMode): number {
  return mode === 'meaning' ? 1 : embedder.trust / Math.max(1 - embedder.trust, 0.1);
}

/** Without `patienceMs` names that were not looked for yet are; with it only so long, and the question goes on without a word. */
async function addRelations(
  request: RetrieveRequest,
  retrieval: Retrieval,
  patienceMs?: number,
): Promise<void> {
  const { store, text, scope, call, pool, mode } = request;
  const scored = await relationScores(store, {
    query: text,
    seeds: retrieval.lists,
    scope,
    // Of those beside other lists always as many, so that a wider look changes no order.
    limit: mode === 'relations' ? pool : POOL,
    call: patienceMs === undefined ? call : { signal: call.signal, patienceMs },
    alone: mode === 'relations',
  });
  if (scored.incomplete !== undefined && patienceMs === undefined) {
    const message = `Some names were not looked for, so relations may be missing: ${scored.incomplete}`;
    retrieval.notices.push({ code: 'names_incomplete', message });
  }
  if (request.mode === 'relations') retrieval.lists.length = 0;
  retrieval.lists.push(...scored.lists);
}

function groupByModel(collections: readonly CollectionView[]): Map<string, CollectionView[]> {
  const groups = new Map<string, CollectionView[]>();
  for (const collection of collections) {
    if (!collection.embedding || collection.stats.vectors === 0) continue;
    const stamp = `${collection.embedding.dimensions}:${collection.embedding.model}`;
    groups.set(stamp, [...(groups.get(stamp) ?? []), collection]);
  }
  return groups;
}

function parseStamp(stamp: string): { model: string; dimensions: number } {
  const colon = stamp.indexOf(':');
  return { dimensions: Number(stamp.slice(0, colon)), model: stamp.slice(colon + 1) };
}

/** The model asked for must share the space of the collection; a configured one is used where it does. */
function queryModel(deps: EngineDeps, group: Group, asked?: string): string {
  const space = deps.models.space(group.model);
  if (asked === undefined) {
    const configured = deps.settings.model;
    return configured && deps.models.space(configured) === space ? configured : group.model;
  }
  if (deps.models.space(asked) === space) return asked;
  const names = group.members.map((member) => `\`${member.name}\``).join(', ');
  const was = group.members.length === 1 ? 'was' : 'were';
  throw new VaiError(
    'MODEL_MISMATCH',
    `${names} ${was} embedded with ${group.model}; ${asked.slice(0, 80)} ${whyNot(deps, asked)}.`,
    { hint: `Leave the model out or name ${group.model}.` },
  );
}

function whyNot({ models }: EngineDeps, asked: string): string {
  if (models.info(asked)?.type === 'rerank') return 'is a reranker';
  return models.traits(asked).known ? 'lives in another space' : 'is not a model vai knows';
}
