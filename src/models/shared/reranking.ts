// Reranking over a provider's requests. Scores are given per document, so a list that is too long for one request is
// cut and merged.

import { VaiError } from '../../domain/errors.ts';
import { estimateTokens } from '../../domain/tokens.ts';
import type { RerankCandidate, Reranker } from '../../ports/reranker.ts';
import { makeBatches } from './batches.ts';
import { TooLarge } from './http.ts';
import { newCallState, type CallState } from './retry.ts';

export interface RerankService {
  limits: { tokens: number; texts: number; contextTokens: number };
  /** One score of 0 to 1 per document, in order. */
  send(
    query: string,
    documents: string[],
    state: CallState,
  ): Promise<{ scores: readonly number[]; tokens: number }>;
}

export function createServiceReranker(service: RerankService, model: string, hosted: boolean): Reranker {
  return {
    model,
    hosted,
    async rerank(query, candidates, { signal }) {
      const state = newCallState({ signal });
      const documents = candidates.map(readable);
      const scores = new Array<number>(candidates.length).fill(0);
      const present = documents.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
      // The query is counted with every document.
      const queryTokens = estimateTokens(query);
      const size = (at: number): number =>
        queryTokens + Math.min(estimateTokens(documents[at]!), service.limits.contextTokens);
      let tokens = 0;
      for (const batch of makeBatches(present, size, service.limits)) {
        const texts = batch.map((at) => documents[at]!);
        const answer = await scoreBatch({ service, model, query, state }, texts);
        batch.forEach((at, place) => (scores[at] = answer.scores[place]!));
        tokens += answer.tokens;
      }
      const order = scores
        .map((score, index) => ({ index, score }))
        .sort((a, b) => b.score - a.score || a.index - b.index);
      return { order, tokens };
    },
  };
}

/** Where a passage stands often says what it is about. */
function readable(candidate: RerankCandidate): string {
  const place = [candidate.title, ...(candidate.headingPath ?? [])].filter(
    (part, at, all): part is string => Boolean(part) && part !== all[at - 1],
  );
  return place.length && candidate.text.trim() ? `${place.join(' > ')}\n${candidate.text}` : candidate.text;
}

interface Work {
  service: RerankService;
  model: string;
  query: string;
  state: CallState;
}

async function scoreBatch(
  work: Work,
  documents: string[],
): Promise<{ scores: readonly number[]; tokens: number }> {
  try {
    return await work.service.send(work.query, documents, work.state);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    if (documents.length === 1)
      throw new VaiError('TOO_LARGE', `A document is longer than ${work.model} reads.`, {
        hint: 'Shorten the documents or the query.',
      });
    const middle = Math.ceil(documents.length / 2);
    const first = await scoreBatch(work, documents.slice(0, middle));
    const second = await scoreBatch(work, documents.slice(middle));
    return { scores: [...first.scores, ...second.scores], tokens: first.tokens + second.tokens };
  }
}
