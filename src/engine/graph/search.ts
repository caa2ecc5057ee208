// The four search modes. naive: nearest chunks. local: entities of the question → the chunks that speak of them. global:
// relations and themes → the chunks that state them. hybrid: the engine's own fusion of words, meaning and relations.
// No mode calls an LLM; one query embedding serves all legs.

import { formatCitation } from '../../domain/citation.ts';
import type { EmbeddingStamp } from '../../domain/collection.ts';
import { toVaiError } from '../../domain/errors.ts';
import type { Entity } from '../../domain/graph.ts';
import { STOPWORDS } from '../../domain/stopwords.ts';
import type { GraphScope } from '../../ports/graph-store.ts';
import type { ScoredChunk, Store, StoredChunk } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { modelsFor } from '../spending.ts';
import type { CollectionView } from '../scope.ts';
import { wordlessNotice } from '../search/empty.ts';
import { parseQuery } from '../search/parse-query.ts';
import { chunkCount, DECIDING, rateChunks, verdictNotice } from '../search/relevance.ts';
import type { Search } from '../search/search.ts';
import { dot } from '../../domain/vectors.ts';
import { coveredShare } from './coverage.ts';
import { TOPIC } from './mentions/mentions.ts';
import { phraseKeys } from './query-names.ts';
import { EMPTY_GRAPH } from './resolve.ts';
import { byId } from './retrieve.ts';
import type { GraphHit, GraphSearchMode, GraphSearchResult } from './types.ts';

export interface GraphSearchJob {
  deps: EngineDeps;
  search: Pick<Search, 'rank'>;
  store: Store;
  call: Call;
  collections: readonly CollectionView[];
  scope: GraphScope;
  query: string;
  mode: GraphSearchMode;
  limit: number;
  minRelevance?: number;
}

const EVIDENCE_LIMIT = 200;
const RELATIONS = 60;
/** Places of each list of the graph that take part in `hybrid`. */
const FUSED = 30;
/** What relations and named entities add at most to a passage's own score, of 1 at most: see docs/decisions/graph-retrieval.md. */
const GLOBAL_WEIGHT = 0.3;
const LOCAL_WEIGHT = 0.3;
/** Words of a question that are looked for inside names, and names for each. */
const PARTIAL_WORDS = 12;
const PARTIAL_NAMES = 20;

/** An empty answer of the graph says why, so that nobody takes it for an empty index. */
const NOTHING_MATCHED: Partial<Record<GraphSearchMode, string>> = {
  local: 'The question names no entity of the graph; the mode hybrid also searches words and meaning.',
  global: 'No relation of the graph is about this; the mode hybrid also searches words and meaning.',
};

const ONLY_MENTIONED =
  'The graph states nothing about this; these passages only mention names from the question.';

const INSTEAD = {
  local: 'The question names no entity of the graph; these passages state relations on its theme.',
  global:
    'No relation of the graph is about this; these passages are about entities that the question names.',
};

interface Leg {
  hits: ScoredChunk[];
  /** Names that led to each chunk. */
  names: Map<string, string[]>;
}

export async function searchGraph(job: GraphSearchJob): Promise<GraphSearchResult> {
  const { query, mode } = job;
  const scoreKind = mode === 'naive' ? 'cosine' : mode === 'hybrid' ? 'fused' : 'evidence';
  // No collection is none, such as of a version that is not there; below, naming none would mean all.
  if (job.collections.length === 0)
    return { query, mode, scoreKind, verdict: 'nothing_relevant', results: [], warnings: [] };
  const depth = Math.max(20, 4 * job.limit);
  const warnings: string[] = [];
  const naive = await naiveLeg(job, depth, warnings);
  const named = await namedIn(job);
  const local = await localLeg(job, named, naive.cosine);
  const global = await globalLeg(job, named, naive.cosine);
  const best = await choose(job, { naive: naive.hits, local, global }, warnings);
  const { words } = best;
  let chosen = best.hits;
  if (chosen.length === 0 && (mode === 'local' || mode === 'global')) {
    if (await isEmpty(job)) warnings.push(EMPTY_GRAPH);
    const mentioned = (await mentionedLeg(job, naive.cosine)).hits;
    const other = mode === 'local' ? global.hits : local.hits;
    chosen = mentioned.length > 0 ? mentioned : other;
    if (chosen.length > 0) warnings.push(mentioned.length > 0 ? ONLY_MENTIONED : INSTEAD[mode]);
  }
  if (chosen.length === 0) warnings.push(...(await whyNothing(job)));
  // The verdict is the same whatever number of hits is asked for.
  const rated = chosen.slice(0, Math.max(job.limit, DECIDING));
  const chunks = new Map(
    (await job.store.search.chunks(rated.map((hit) => hit.id))).map((chunk) => [chunk.id, chunk]),
  );
  const ranks = [words, naive.hits, local.hits, global.hits].map(
    (hits) => new Map(hits.slice(0, depth).map((hit, at) => [hit.id, at + 1])),
  );
  const found = rated.flatMap(({ id }) => chunks.get(id) ?? []);
  const { relevance, verdict } = await rateChunks(job.deps, best.judgedBy, {
    found,
    asked: best.asked,
    chunks: chunkCount(job.collections),
  });
  const likely = new Map(found.map(({ id }, at) => [id, relevance[at]!]));
  const cosines = await naive.cosine(found.map(({ id }) => id));
  warnings.push(...verdictNotice(found.length > 0 ? verdict : 'answered').map(({ message }) => message));
  const results = chosen.slice(0, job.limit).flatMap(({ id, score }) => {
    const chunk = chunks.get(id);
    if (!chunk || likely.get(id)! < (job.minRelevance ?? 0)) return [];
    const names = [...new Set([...(local.names.get(id) ?? []), ...(global.names.get(id) ?? [])])];
    const [wordsRank, naiveRank, localRank, globalRank] = ranks.map((map) => map.get(id));
    const legs = {
      ...(wordsRank ? { words: wordsRank } : {}),
      ...(naiveRank ? { naive: naiveRank } : {}),
      ...(localRank ? { local: localRank } : {}),
      ...(globalRank ? { global: globalRank } : {}),
    };
    const similarity = cosines.get(id);
    return [
      {
        ...shownChunk(chunk),
        score,
        relevance: round(likely.get(id)!),
        ...(similarity === undefined ? {} : { similarity: round(similarity) }),
        legs,
        entities: names.slice(0, 8),
      },
    ];
  });
  return {
    query,
    mode,
    scoreKind,
    verdict,
    results: results.map((hit, at) => ({ rank: at + 1, ...hit })),
    warnings,
  };
}

/** Where there are documents but nobody has built their graph. */
async function isEmpty({ store, scope, collections }: GraphSearchJob): Promise<boolean> {
  const documents = collections.some(({ stats }) => stats.documents > 0);
  return documents && (await store.graph.counts(scope)).entities === 0;
}

async function whyNothing({ query, mode, store, scope }: GraphSearchJob): Promise<string[]> {
  const wordless = wordlessNotice(parseQuery(query));
  if (wordless.length > 0) return wordless.map(({ message }) => message);
  const why = NOTHING_MATCHED[mode];
  return why && (await store.graph.counts(scope)).entities > 0 ? [why] : [];
}

function shownChunk(
  chunk: StoredChunk,
): Omit<GraphHit, 'rank' | 'score' | 'relevance' | 'similarity' | 'legs' | 'entities'> {
  const { collection, path, startLine, endLine, page, headingPath } = chunk;
  return {
    chunkId: chunk.id,
    collection,
    path,
    startLine,
    endLine,
    ...(page === undefined ? {} : { page }),
    headingPath,
    citation: formatCitation({ collection, path, ranges: [{ start: startLine, end: endLine }] }),
    content: chunk.text,
  };
}

async function choose(
  job: GraphSearchJob,
  legs: { naive: ScoredChunk[]; local: Leg; global: Leg },
  warnings: string[],
): Promise<{ hits: ScoredChunk[]; words: ScoredChunk[]; judgedBy: string; asked?: ReadonlySet<string> }> {
  const judgedBy = job.query;
  if (job.mode === 'naive') return { hits: legs.naive, words: [], judgedBy };
  if (job.mode === 'local') return { hits: legs.local.hits, words: [], judgedBy };
  if (job.mode === 'global') return { hits: legs.global.hits, words: [], judgedBy };
  const found = await job.search.rank(job.call, {
    query: job.query,
    db: job.store.database,
    collections: job.collections.map((collection) => collection.name),
    mode: 'graph',
    limit: Math.max(job.limit, DECIDING, FUSED),
    perDocument: Infinity,
    join: false,
  });
  warnings.push(...found.warnings);
  const words = found.hits
    .flatMap(({ id, scores }) => (scores.words ? [{ id, score: scores.words }] : []))
    .sort((a, b) => b.score - a.score);
  const asked = new Set(found.hits.flatMap(({ id, asked }) => (asked ? [id] : [])));
  return { hits: fuse(found.hits, legs), words, judgedBy: found.judgedBy, asked };
}

/**
 * What the graph says is added to the score of the search: relations for as much of the question as they hold, entities beside
 * the best of them.
 */
function fuse(
  found: readonly { id: string; score: number }[],
  { local, global }: { local: Leg; global: Leg },
): ScoredChunk[] {
  const scores = new Map(found.map(({ id, score }) => [id, score]));
  // Of the graph only what is near.
  const add = (list: readonly ScoredChunk[], weight: (score: number) => number) =>
    list.slice(0, FUSED).forEach(({ id, score }) => scores.set(id, (scores.get(id) ?? 0) + weight(score)));
  add(global.hits, (score) => GLOBAL_WEIGHT * Math.min(1, score));
  add(local.hits, (score) => (LOCAL_WEIGHT * score) / local.hits[0]!.score);
  return [...scores]
    .map(([id, score]) => ({ id, score: round(score) }))
    .sort((a, b) => b.score - a.score || byId(a.id, b.id));
}

interface NaiveLeg {
  hits: ScoredChunk[];
  /** Cosine of any chunk with the question, to settle ties of the other legs. */
  cosine: (ids: readonly string[]) => Promise<Map<string, number>>;
}

async function naiveLeg(job: GraphSearchJob, limit: number, warnings: string[]): Promise<NaiveLeg> {
  const embedded = job.collections.filter(
    (collection) => collection.embedding && collection.stats.vectors > 0,
  );
  const stamp = embedded[0]?.embedding;
  if (!stamp) {
    if (job.mode === 'naive') warnings.push('There are no vectors to search; use the mode hybrid.');
    return { hits: [], cosine: async () => new Map() };
  }
  const members = embedded.filter(
    (one) => one.embedding!.model === stamp.model && one.embedding!.dimensions === stamp.dimensions,
  );
  if (members.length < embedded.length)
    warnings.push('Collections with another embedding model were searched by words and relations only.');
  const vector = await questionVector(job, stamp).catch((thrown: unknown) => {
    const error = toVaiError(thrown);
    // A caller who may spend no more still finds by words and relations.
    if (error.code !== 'COST_LIMIT') throw error;
    warnings.push(`Searched without vectors: ${error.message}`);
    return undefined;
  });
  if (!vector) return { hits: [], cosine: async () => new Map() };
  const found = await job.store.search.vectors({
    vector,
    model: stamp.model,
    scope: { collections: members.map((member) => member.name) },
    limit,
    signal: job.call.signal,
  });
  return {
    hits: found.hits.map((hit) => ({ id: hit.id, score: round(hit.score) })),
    async cosine(ids) {
      const known = await job.store.search.vectorsOf(ids);
      return new Map([...known].map(([id, other]) => [id, dot(vector, other)]));
    },
  };
}

async function questionVector(
  { deps, call, query }: GraphSearchJob,
  { model, dimensions }: EmbeddingStamp,
): Promise<Float32Array> {
  const embedder = await modelsFor(deps, call.principal).embedder(model, dimensions);
  const { vectors } = await embedder.embed([query], {
    role: 'query',
    signal: call.signal,
  });
  return vectors[0]!;
}

/** Entities named in the question; each counts once for a chunk, the rarer the more. */
async function localLeg(job: GraphSearchJob, named: Named, cosine: NaiveLeg['cosine']): Promise<Leg> {
  const { graph } = job.store;
  const evidence = await graph.entityEvidence(
    named.entities.map(({ entity }) => entity.key),
    { scope: job.scope, limit: EVIDENCE_LIMIT },
  );
  const scores = new Tally();
  for (const { entity, share } of named.entities) {
    const weight = share / Math.log2(2 + entity.mentions);
    for (const { chunkId } of evidence.get(entity.key)?.evidence ?? [])
      scores.add(chunkId, entity.key, weight, [entity.name]);
  }
  return scores.leg(cosine);
}

/** Relations of what the question names, and those that speak of its words: the more of the question one holds, the more it weighs. */
async function globalLeg(job: GraphSearchJob, named: Named, cosine: NaiveLeg['cosine']): Promise<Leg> {
  const { graph } = job.store;
  const keys = new Set(named.entities.map(({ entity }) => entity.key));
  const [about, touching] = await Promise.all([
    named.words.length === 0 ? [] : graph.relationsAbout(named.words, { scope: job.scope, limit: RELATIONS }),
    graph.relations([...keys], 'both', { scope: job.scope, limit: RELATIONS }),
  ]);
  const relations = [...new Map([...about, ...touching.relations].map((one) => [one.id, one])).values()];
  const evidence = await graph.relationEvidence(
    relations.map((relation) => relation.id),
    { scope: job.scope, limit: EVIDENCE_LIMIT },
  );
  const scores = new Tally();
  for (const { id, type, description, source, target, keywords, confidence } of relations) {
    const said = [type, description, source.name, target.name, ...keywords].join(' ');
    const weight = coveredShare(job.query, said) ** 2 * confidence;
    if (weight > 0)
      for (const { chunkId } of evidence.get(id)?.evidence ?? [])
        scores.add(chunkId, id, weight, [source.name, target.name]);
  }
  return scores.leg(cosine);
}

/** Passages that the mention index knows for the question's names: the more of them together, the higher. */
async function mentionedLeg(
  { store, query, scope }: GraphSearchJob,
  cosine: NaiveLeg['cosine'],
): Promise<Leg> {
  const keys = [...phraseKeys(query)].flatMap((key) => [key, TOPIC + key]);
  const found = await store.graph.chunksWithMentions(keys, { scope, limit: EVIDENCE_LIMIT });
  const scores = new Tally();
  for (const [key, ids] of found)
    for (const id of ids) scores.add(id, key, 1 / Math.log2(2 + ids.length), []);
  return scores.leg(cosine);
}

/** Sums weights per chunk, each source once; ties go to the higher cosine, then to the older chunk. */
class Tally {
  readonly #scores = new Map<string, number>();
  readonly #seen = new Set<string>();
  readonly #names = new Map<string, string[]>();

  add(chunk: string, source: string, weight: number, names: readonly string[]): void {
    const id = `${chunk}\n${source}`;
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#scores.set(chunk, (this.#scores.get(chunk) ?? 0) + weight);
    this.#names.set(chunk, [...new Set([...(this.#names.get(chunk) ?? []), ...names])]);
  }

  async leg(cosine: NaiveLeg['cosine']): Promise<Leg> {
    const near = await cosine([...this.#scores.keys()]);
    const hits = [...this.#scores]
      .map(([id, score]) => ({ id, score: round(score) }))
      .sort((a, b) => b.score - a.score || (near.get(b.id) ?? 0) - (near.get(a.id) ?? 0) || byId(a.id, b.id));
    return { hits, names: this.#names };
  }
}

interface Named {
  /** Entities of the question, with the share of the name that it holds. */
  entities: { entity: Entity; share: number }[];
  /** Its words without small ones. */
  words: string[];
}

/** What the question names: whole names first, and where there is none, names that hold one of its words. */
async function namedIn({ store, query, scope }: GraphSearchJob): Promise<Named> {
  const words = [
    ...new Set(
      (query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => !STOPWORDS.has(word)),
    ),
  ].slice(0, 60);
  const whole = await store.graph.byKeys([...phraseKeys(query)], scope);
  if (whole.length > 0) return { words, entities: whole.map((entity) => ({ entity, share: 1 })) };
  const found = new Map<string, { entity: Entity; share: number }>();
  for (const word of words.filter((one) => one.length > 2).slice(0, PARTIAL_WORDS))
    for (const entity of (await store.graph.named(word, 'substring', scope)).slice(0, PARTIAL_NAMES)) {
      const share = word.length / Math.max(word.length, entity.name.length);
      const known = found.get(entity.key);
      if (known) known.share += share;
      else found.set(entity.key, { entity, share });
    }
  return { words, entities: [...found.values()] };
}

function round(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}
