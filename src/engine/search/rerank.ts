// The optional second stage. It may be slow or fail; the first-stage order is always good enough to return.

import { abortable } from '../../domain/abortable.ts';
import { toVaiError, VaiError } from '../../domain/errors.ts';
import type { RerankCandidate, Reranked, Reranker } from '../../ports/reranker.ts';
import type { StoredChunk } from '../../ports/store.ts';
import type { Call } from '../call.ts';
import type { EngineDeps } from '../deps.ts';
import { modelsFor } from '../spending.ts';
import type { Fused } from './fuse.ts';

/** Passages of the first stage that are read again, where the reranker asks for no other number. */
const READS = 50;
const DEFAULT_DEADLINE_MS = 20_000;

export interface Candidate {
  fused: Fused;
  chunk: StoredChunk;
  /** Orders the answer: 0 to 1. */
  score: number;
  /** The reranker's own judgement, where it read this one; and how likely it answers, where the reranker said so. */
  rerank?: number;
  relevance?: number;
  /** The page, the section or the definition that the question asks for by its name and for nothing else; or what it quotes. */
  asked?: true;
}

/** Best first: what is asked for by its name, then by score. */
export function byMerit(a: Candidate, b: Candidate): number {
  return Number(b.asked ?? false) - Number(a.asked ?? false) || b.score - a.score;
}

export interface RerankOutcome {
  candidates: Candidate[];
  reranked: boolean;
  model?: string;
  tokens: number;
  warnings: string[];
}

export interface RerankRequest {
  query: string;
  deadlineMs?: number;
  /** The weight of relations in the first stage. */
  relations: number;
}

/** The reranker of that name, or the default one: where that is missing, why. There is still a good order then. */
export async function openReranker(
  deps: EngineDeps,
  call: Call,
  name?: string,
): Promise<Reranker | VaiError> {
  return modelsFor(deps, call.principal)
    .reranker(name)
    .catch((thrown: unknown) => {
      if (name !== undefined) throw thrown;
      return toVaiError(thrown);
    });
}

/** How many of the first stage's passages a reranker is given. */
export function readsOf(reranker: Reranker | VaiError): number {
  return (reranker instanceof VaiError ? undefined : reranker.reads) ?? READS;
}

export async function rerank(
  reranker: Reranker | VaiError,
  call: Call,
  request: RerankRequest,
  candidates: Candidate[],
): Promise<RerankOutcome> {
  if (candidates.length < 2) return { candidates, reranked: false, tokens: 0, warnings: [] };
  if (reranker instanceof VaiError)
    return { candidates, reranked: false, tokens: 0, warnings: [`Not reranked: ${reranker.message}`] };
  const timeout = AbortSignal.timeout(request.deadlineMs ?? DEFAULT_DEADLINE_MS);
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  try {
    const inputs = candidates.map(({ chunk, fused }) => ({
      ...readable(chunk),
      ...(fused.scores.words === undefined ? {} : { words: fused.scores.words }),
    }));
    // One that ignores its signal must not hold the answer.
    const answer = await abortable(reranker.rerank(request.query, inputs, { signal }), signal);
    const blended = blend(answer.order, candidates, shareOf(reranker, request.relations));
    const ordered = request.relations > 0 ? foundFirst(blended, reranker.share ?? 1) : blended;
    const named = new Set(answer.order.map(({ index }) => index));
    const rest = candidates.filter((_, index) => !named.has(index));
    return {
      candidates: [...ordered, ...rest],
      reranked: true,
      model: reranker.model,
      tokens: answer.tokens,
      warnings: [],
    };
  } catch (thrown) {
    if (call.signal?.aborted) throw toVaiError(call.signal.reason);
    const error = toVaiError(thrown);
    const why = timeout.aborted ? 'the deadline passed' : error.message;
    return {
      candidates,
      reranked: false,
      tokens: 0,
      warnings: [`Not reranked by ${reranker.model}: ${why}`],
    };
  }
}

/** Above the first heading, and in a text without any, the page's title is what a passage stands under. */
export function readable({ text, title, headingPath }: StoredChunk): RerankCandidate {
  return { text, title, headingPath: headingPath.length > 0 ? headingPath : [title] };
}

/**
 * One that reads passage by passage cannot see what leads from one to another, so it has less of a say the more relations
 * have. One that decides alone does.
 */
function shareOf({ share = 1 }: Reranker, relations: number): number {
  return share === 1 ? 1 : share * (1 - relations);
}

/** The reranker's order, tempered by the first stage as far as the reranker says it should be. */
function blend(order: Reranked['order'], head: readonly Candidate[], share: number): Candidate[] {
  const said = ({ index, score, relevance }: Reranked['order'][number]): Candidate => ({
    ...head[index]!,
    score,
    rerank: score,
    ...(relevance === undefined ? {} : { relevance }),
  });
  if (share >= 1) return order.map(said);
  const read = scaled(order.map(({ score }) => score));
  const first = scaled(order.map(({ index }) => head[index]!.fused.score));
  return order
    .map((one, at) => ({ ...said(one), score: share * read[at]! + (1 - share) * first[at]! }))
    .sort((a, b) => b.score - a.score);
}

/**
 * Relations lead from what was found to what belongs to it, and must not put that before it: what would be first without
 * them, and is the best by words or by meaning, stays first. `share` is the reranker's, where there was one.
 */
export function foundFirst(candidates: readonly Candidate[], share = 0): Candidate[] {
  const read = scaled(candidates.map((one) => one.rerank ?? 0));
  const found = scaled(candidates.map(({ fused }) => fused.unrelated ?? 0));
  const scores = candidates.map((_, at) => share * read[at]! + (1 - share) * found[at]!);
  const best = candidates[scores.indexOf(Math.max(...scores))];
  if (!best || (best.fused.scores.words !== 1 && best.fused.scores.meaning !== 1)) return [...candidates];
  return [{ ...best, score: candidates[0]!.score }, ...candidates.filter((one) => one !== best)];
}

function scaled(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  return values.map((value) => (span > 0 ? (value - low) / span : 1));
}
