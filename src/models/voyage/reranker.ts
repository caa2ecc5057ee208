// The Voyage rerankers. Scores are given per document, so a list that is too long for one request is cut and merged.

import { VaiError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { ModelInfo } from '../../ports/models.ts';
import type { RerankCandidate, Reranked, Reranker } from '../../ports/reranker.ts';
import { cutBatches } from './batches.ts';
import { newCallState, post, TooManyTokens, type CallState, type VoyageDeps } from './client.ts';
import { readScores } from './replies.ts';

const MAX_DOCUMENTS = 1_000;
const DEFAULT_BATCH_TOKENS = 600_000;

export function createVoyageReranker(deps: VoyageDeps, model: string, info?: ModelInfo): Reranker {
  return {
    model,
    hosted: true,
    rerank: (query, candidates, { signal }) => rerankAll({ deps, model, info }, query, candidates, signal),
  };
}

interface Work {
  deps: VoyageDeps;
  model: string;
  info?: ModelInfo | undefined;
}

async function rerankAll(
  work: Work,
  query: string,
  candidates: readonly RerankCandidate[],
  signal?: AbortSignal,
): Promise<Reranked> {
  const state = newCallState({ signal });
  const documents = candidates.map(readable);
  const scores = new Array<number>(candidates.length).fill(0);
  const present = documents.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
  let tokens = 0;
  for (const batch of cut(query, present, documents, work.info)) {
    const answer = await scoreBatch(
      work,
      query,
      batch.map((at) => documents[at]!),
      state,
    );
    batch.forEach((at, place) => (scores[at] = answer.scores[place]!));
    tokens += answer.tokens;
  }
  const order = scores
    .map((score, index) => ({ index, score }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  return { order, tokens };
}

/** Where a passage stands often says what it is about. */
function readable(candidate: RerankCandidate): string {
  const place = [candidate.title, ...(candidate.headingPath ?? [])].filter(
    (part, at, all): part is string => Boolean(part) && part !== all[at - 1],
  );
  return place.length && candidate.text.trim() ? `${place.join(' > ')}\n${candidate.text}` : candidate.text;
}

/** The query is counted with every document. */
function cut(query: string, present: number[], documents: string[], info?: ModelInfo): number[][] {
  const perDocument = estimateTokens(query);
  const most = info?.contextTokens ?? 32_000;
  return cutBatches(present, (at) => perDocument + Math.min(estimateTokens(documents[at]!), most), {
    tokens: info?.batchTokens ?? DEFAULT_BATCH_TOKENS,
    texts: MAX_DOCUMENTS,
  });
}

async function scoreBatch(
  work: Work,
  query: string,
  documents: string[],
  state: CallState,
): Promise<{ scores: number[]; tokens: number }> {
  try {
    const reply = await post(work.deps, '/rerank', { query, documents, model: work.model }, state);
    return readScores(reply, documents.length);
  } catch (error) {
    if (!(error instanceof TooManyTokens)) throw error;
    if (documents.length === 1)
      throw new VaiError('TOO_LARGE', `A document is longer than ${work.model} reads.`, {
        hint: 'Shorten the documents or the query.',
      });
    const middle = Math.ceil(documents.length / 2);
    const first = await scoreBatch(work, query, documents.slice(0, middle), state);
    const second = await scoreBatch(work, query, documents.slice(middle), state);
    return { scores: [...first.scores, ...second.scores], tokens: first.tokens + second.tokens };
  }
}
