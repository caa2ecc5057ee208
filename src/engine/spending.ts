// Models as a caller over the network may use them: what a hosted one will cost is set aside before each request, within
// what the caller may spend a day. Whoever runs vai on the command line is not held back.

import { estimateTokens } from '../domain/tokens.ts';
import type { ModelInfo, Models } from '../ports/models.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Extractor } from '../ports/extractor.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { Settle } from '../ports/spending.ts';
import { LOCAL, type Principal } from './call.ts';
import type { EngineDeps } from './deps.ts';
import { cappedEmbedder } from './index/budget.ts';

/** What a prompt for extraction holds beside the text, and what an answer may hold: more than most do. */
const PROMPT_TOKENS = 2_000;
const ANSWER_TOKENS = 4_000;

type Reserve = (dollars: number) => Promise<Settle> | Settle;

export function modelsFor(
  { models, spending, settings }: EngineDeps,
  caller: Principal,
): Pick<Models, 'embedder' | 'reranker' | 'extractor'> {
  const { limits } = settings;
  if (!spending || !limits || caller.id === LOCAL.id) return models;
  const limit = caller.spending ?? limits.spending;
  const reserve: Reserve = (dollars) => (dollars > 0 ? spending.reserve(caller.id, dollars, limit) : free);
  return {
    embedder: async (...named) => paidEmbedder(models, await models.embedder(...named), reserve),
    reranker: async (name) => paidReranker(models, await models.reranker(name), reserve),
    extractor: async (...named) => paidExtractor(await models.extractor(...named), reserve),
  };
}

const free: Settle = () => {};

function paidEmbedder(models: Models, embedder: Embedder, reserve: Reserve): Embedder {
  if (!embedder.hosted) return embedder;
  const price = priceOf(models, embedder.model, 'embedding');
  return cappedEmbedder(embedder, async (tokens) => settled(price, await reserve(tokens * price)));
}

function paidReranker(models: Models, reranker: Reranker, reserve: Reserve): Reranker {
  if (!reranker.hosted) return reranker;
  const price = priceOf(models, reranker.model, 'rerank');
  return {
    ...reranker,
    async rerank(query, candidates, options) {
      const own = estimateTokens(query);
      const tokens = candidates.reduce((sum, { text }) => sum + own + estimateTokens(text), 0);
      const settle = settled(price, await reserve(tokens * price));
      const answer = await reranker.rerank(query, candidates, options);
      settle(answer.tokens);
      return answer;
    },
  };
}

function paidExtractor(extractor: Extractor, reserve: Reserve): Extractor {
  const { price } = extractor;
  if (!extractor.hosted || !price) return extractor;
  const cost = (input: number, output: number): number => (input * price.input + output * price.output) / 1e6;
  return {
    ...extractor,
    async extract(input, schema, options) {
      const settle = await reserve(cost(PROMPT_TOKENS + estimateTokens(input.text), ANSWER_TOKENS));
      const answer = await extractor.extract(input, schema, options);
      settle(cost(answer.inputTokens, answer.outputTokens));
      return answer;
    },
  };
}

/** Providers that do not say how many tokens they counted report none; then the estimate stays. */
function settled(price: number, settle: Settle): (tokens: number | undefined) => void {
  return (tokens) => settle(tokens ? tokens * price : undefined);
}

/** Dollars a token. One that no catalogue lists is counted as the dearest that one does: a limit must not be passed unseen. */
function priceOf(models: Models, name: string, type: ModelInfo['type']): number {
  const listed = models.info(name)?.pricePerMToken;
  const dearest = (): number =>
    Math.max(...models.list().map((one) => (one.type === type ? one.pricePerMToken : 0)));
  return (listed ?? dearest()) / 1e6;
}
