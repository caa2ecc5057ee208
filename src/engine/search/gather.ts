// From a question to the passages worth showing: retrievers, fusion, pages asked for by name, optional reranking, what the
// question quotes, and a choice among what says the same.

import { throwIfAborted } from '../../domain/errors.ts';
import type { WordQuery } from '../../domain/query.ts';
import { subjectsOf } from '../../domain/subject.ts';
import type { Scope, ScoredChunk, Store } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import type { CollectionView } from '../scope.ts';
import { asidesLast } from './asides.ts';
import { holdersFirst } from './asked-name.ts';
import { fuse, type Fused, type RankedList } from './fuse.ts';
import { byName, pagesNamed } from './named.ts';
import { DECIDING } from './relevance.ts';
import { quotedFirst, quotedIn } from './quoted.ts';
import { foundFirst, openReranker, readsOf, rerank, type Candidate, type RerankOutcome } from './rerank.ts';
import {
  CODE_POOL,
  definitionsAsked,
  definitionsSpelledOut,
  isCode,
  rankCode,
  wordsAsked,
} from './rank-code.ts';
import { rarityOf } from './rarity.ts';
import { POOL, retrieve } from './retrieve.ts';
import { selector } from './select.ts';
import { versionsFor, type Versions } from './versions.ts';
import type { SearchMode, SearchRequest } from './types.ts';

/** Read beyond a page, because some hits will be folded into others. */
const SPARE = 4;
/** Chunks read at a time where nothing is reranked. */
const BATCH = 12;
/** How much wider the second look is, where folding left a page short. */
const WIDER = 8;
const MAX_POOL = 1000;
/** Passages that are looked at for a batch, where most are versions of others. */
const MOST_READ = 200;

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
export async function gather(asked: Asked) {
  const { mode, request, wanted } = asked;
  const wordsOnly = mode === 'words' && !request.rerank;
  // Hits of one block are folded into one, so more of them are asked for at once.
  const spare = request.blocks ? SPARE + wanted : SPARE;
  // Beyond the first page all there is, so that where an answer ends does not depend on the size of its pages.
  const others = request.cursor === undefined ? Math.max(POOL, wanted * 2) : MAX_POOL;
  const pool = Math.min(MAX_POOL, wordsOnly ? Math.max(CODE_POOL, wanted + spare) : others);
  const first = await gatherFrom(asked, pool);
  const left = (found: typeof first, asked: number): boolean =>
    asked < MAX_POOL && found.retrieval.lists.some(({ hits }) => hits.length >= asked);
  const full = ({ selected }: typeof first): boolean => selected.chosen.length > wanted;
  if (!wordsOnly || !left(first, pool) || first.selected.chosen.length >= wanted)
    return { ...first, more: full(first) || left(first, pool) };
  // Copies were folded and took the room of what comes after them. By words one wider look is cheap, where models would be
  // asked and paid twice; a page that is still short says where to go on.
  const wider = Math.min(MAX_POOL, pool * WIDER);
  const second = await gatherFrom(asked, wider);
  return { ...second, more: full(second) || left(second, wider) };
}

async function gatherFrom(asked: Asked, pool: number) {
  const { deps, store, call, request, query, text, mode, scope, collections, wanted, started } = asked;
  const { model, deadlineMs, relations } = request;
  const subjects = asksByName(asked) ? subjectsOf(text) : [];
  const searched = collections.map(({ name }) => name);
  const [retrieval, pages, definitions, spelled, reranker] = await Promise.all([
    retrieve({ ...asked, model, deadlineMs, pool, relations }),
    pagesNamed(store, subjects, scope),
    definitionsAsked(store, text, scope),
    query.must.length + query.not.length > 0 ? [] : definitionsSpelledOut(store, text, scope),
    request.rerank
      ? openReranker(deps, call, request.rerank === true ? undefined : request.rerank)
      : undefined,
  ]);
  const { lists } = retrieval;
  // Names are looked up apart: `Builder::build` stands nowhere, its definition does.
  if (retrieval.words?.hits.length === 0 && pages.length + definitions.length === 0 && hasHits(lists))
    retrieval.notices.push(NO_WORDS);
  const fused = mode === 'words' ? wordOrder(lists[0]!.hits) : fuse(lists);
  const named = beginWith(fused, [...pages.map(({ chunk }) => chunk.id), ...definitions]);
  const ordered = within(CODE_POOL, named, spelled);
  const selected = selector({
    collections,
    perDocument: request.perDocument ?? (mode === 'words' ? Infinity : undefined),
    blocks: request.blocks ?? false,
    join: !request.blocks && request.join !== false,
  });
  const versions = versionsFor(text);
  let second: RerankOutcome | undefined;
  let quoted: ReadonlySet<string> = new Set();
  // A little more than a page at a time: most searches need no more. Batches begin at the same places for every page.
  const size = request.blocks ? Math.max(wanted, DECIDING) + SPARE : reranker ? readsOf(reranker) : BATCH;
  const few = (): boolean => selected.chosen.length <= wanted || selected.chosen.length < DECIDING;
  for (let from = 0; from < ordered.length && few();) {
    throwIfAborted(call.signal);
    const batch = await readBatch(store, ordered, { from, size, versions });
    let { candidates } = batch;
    const hasCode = candidates.some(({ chunk }) => isCode(chunk));
    // Always among as many, so that the size of a page changes no order.
    const among = candidates.slice(0, hasCode ? CODE_POOL : reranker ? size : BATCH);
    if (reranker && from === 0) {
      const asked = {
        ...rerankRequest(request, retrieval.respelled?.text ?? text, performance.now() - started),
        relations: relationsWeight(lists),
      };
      second = await rerank(reranker, call, asked, candidates);
      candidates = second.candidates;
    } else if (from === 0 && relationsWeight(lists) > 0) candidates = foundFirst(candidates);
    if (from === 0) {
      const rarity = hasCode ? await rarityOf(store, wordsAsked(text), searched) : undefined;
      const held = holdersFirst(asidesLast(rankCode(candidates, text, rarity), text), text);
      const ranked = byName(held, subjects, pages);
      quoted = quotedIn(text, among);
      candidates = quotedFirst(ranked, quoted);
    }
    selected.add(candidates);
    from = batch.to;
  }
  return { retrieval, found: ordered.length, second, selected, quoted };
}

/** The next candidates, and where those after them begin: more where source code is ranked or versions are left out. */
async function readBatch(
  store: Store,
  ordered: readonly Fused[],
  { from, size, versions }: { from: number; size: number; versions: Versions },
): Promise<{ candidates: Candidate[]; to: number }> {
  let to = from + size;
  const found = await hydrate(store, ordered.slice(from, to));
  if (from === 0 && to < CODE_POOL && found.some(({ chunk }) => isCode(chunk))) {
    found.push(...(await hydrate(store, ordered.slice(to, CODE_POOL))));
    to = CODE_POOL;
  }
  const wanted = to - from;
  let candidates = versions.choose(found);
  for (; candidates.length < wanted && to < Math.min(from + MOST_READ, ordered.length); to += size) {
    found.push(...(await hydrate(store, ordered.slice(to, to + size))));
    candidates = versions.choose(found);
  }
  versions.show(candidates);
  return { candidates, to };
}

const NO_WORDS = {
  code: 'no_words',
  message: 'No passage contains a word of the query; these are at best near to it in meaning.',
};

function hasHits(lists: readonly RankedList[]): boolean {
  return lists.some(({ hits }) => hits.length > 0);
}

/** The mean of both lists of relations; one that is missing weighs nothing. */
function relationsWeight(lists: readonly RankedList[]): number {
  return lists.reduce((sum, { retriever, weight }) => sum + (retriever === 'relations' ? weight / 2 : 0), 0);
}

/** Words are searched as they were typed; everywhere else, quotes or not, a page asked for by its name comes first. */
function asksByName({ request, query }: Asked): boolean {
  return (
    request.mode !== 'words' && query.not.length === 0 && query.must.every(({ kind }) => kind === 'phrase')
  );
}

function wordOrder(hits: readonly ScoredChunk[]): Fused[] {
  return hits.map(({ id, score }) => {
    const best = hits[0]!.score;
    const words = best > 0 ? score / best : 0;
    return { id, score: words, scores: { words }, share: score };
  });
}

/** The given ones first; those that no retriever found get no score. */
function beginWith(fused: Fused[], ids: readonly string[]): Fused[] {
  const byId = new Map(fused.map((entry) => [entry.id, entry]));
  const first = ids.map((id) => byId.get(id) ?? { id, score: 0, scores: {} });
  const named = new Set(ids);
  return [...first, ...fused.filter(({ id }) => !named.has(id))];
}

/** The given ones among the first so many, at their end where they came later or not at all. */
function within(count: number, fused: Fused[], ids: readonly string[]): Fused[] {
  const byId = new Map(fused.map((entry) => [entry.id, entry]));
  const first = new Set(fused.slice(0, count - ids.length).map(({ id }) => id));
  const late = ids.filter((id) => !first.has(id));
  const named = new Set(late);
  const others = fused.filter(({ id }) => !named.has(id));
  others.splice(count - late.length, 0, ...late.map((id) => byId.get(id) ?? { id, score: 0, scores: {} }));
  return others;
}

/** In the order given, which is the same on every store: each settles equal scores by place. */
async function hydrate(store: Store, fused: readonly Fused[]): Promise<Candidate[]> {
  const byId = new Map(fused.map((entry) => [entry.id, entry]));
  const chunks = await store.search.chunks(fused.map((entry) => entry.id));
  return chunks.map((chunk) => {
    const entry = byId.get(chunk.id)!;
    return { chunk, fused: entry, score: entry.score };
  });
}

function rerankRequest(request: SearchRequest, query: string, elapsedMs: number) {
  return {
    query,
    ...(request.deadlineMs ? { deadlineMs: Math.max(1, Math.round(request.deadlineMs - elapsedMs)) } : {}),
  };
}
