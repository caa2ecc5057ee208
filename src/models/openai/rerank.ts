// `/rerank`, which OpenAI itself does not have and many compatible servers do, in two shapes: Jina's, spoken by vLLM,
// llama.cpp and others, and TEI's. The first is tried first; a server that refuses it is asked in the second.

import { VaiError } from '../../domain/errors.ts';
import type { Http } from '../shared/http.ts';
import { inPlace, usedTokens } from '../shared/replies.ts';
import type { RerankService } from '../shared/reranking.ts';
import type { CallState } from '../shared/retry.ts';
import { badAnswer } from '../shared/vectors.ts';

const MAX_DOCUMENTS = 32;
const CONTEXT_TOKENS = 8_192;

interface Item {
  relevance_score?: unknown;
  score?: unknown;
}

export function rerankEndpoint(http: Http, model: string): RerankService {
  const { name } = http.service;
  let texts = false;

  async function ask(query: string, documents: string[], state: CallState): Promise<unknown> {
    const jina = { model, query, documents };
    const tei = { query, texts: documents, truncate: true };
    if (texts) return http.post('/rerank', tei, state);
    try {
      return await http.post('/rerank', jina, state);
    } catch (thrown) {
      if (!(thrown instanceof VaiError) || thrown.code !== 'PROVIDER_BAD_REQUEST') throw thrown;
      const reply = await http.post('/rerank', tei, state).catch(() => Promise.reject(thrown));
      texts = true;
      return reply;
    }
  }

  return {
    limits: { tokens: Infinity, texts: MAX_DOCUMENTS, contextTokens: CONTEXT_TOKENS },
    async send(query, documents, state) {
      const body = await ask(query, documents, state);
      const list = Array.isArray(body) ? body : (body as { results?: unknown } | null)?.results;
      // LM Studio answers what it does not serve with status 200 and an error in words.
      if (list === undefined) throw notServed(name);
      const scores = inPlace<Item>(list, documents.length, name).map((item) => {
        const score = item.relevance_score ?? item.score;
        if (typeof score !== 'number' || !Number.isFinite(score))
          throw badAnswer(name, 'a score that is no number');
        return score;
      });
      // llama.cpp sends the model's own numbers, the others probabilities.
      const raw = scores.some((score) => score < 0 || score > 1);
      return { scores: raw ? scores.map(sigmoid) : scores, tokens: usedTokens(body) };
    },
  };
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

function notServed(name: string): VaiError {
  return new VaiError('MODEL_UNSUPPORTED', `${name} does not serve /rerank.`, {
    hint: 'Set openai-rerank-url to a server that does (vLLM, TEI, Jina, llama.cpp), or leave rerank-model unset.',
  });
}
