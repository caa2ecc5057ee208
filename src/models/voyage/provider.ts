// The Voyage API: `/embeddings`, `/multimodalembeddings` and `/rerank`. Texts to be stored are never shortened by the
// provider: one that is too long is an error that says which, because a silently cut document cannot be found by its end.

import type { EmbedOptions } from '../../ports/embedder.ts';
import type { EmbedderRequest, Provider, ProviderDeps } from '../provider.ts';
import { createServiceEmbedder } from '../shared/embedding.ts';
import { createHttp, type Http, type Service } from '../shared/http.ts';
import { inPlace, usedTokens } from '../shared/replies.ts';
import { createServiceReranker, type RerankService } from '../shared/reranking.ts';
import type { RetryHooks } from '../shared/retry.ts';
import { badAnswer } from '../shared/vectors.ts';
import type { ModelInfo } from '../../ports/models.ts';
import { EMBED_TOKENS, RERANK_TOKENS } from './catalogue.ts';
import { voyageBase } from './endpoint.ts';

const MAX_TEXTS = 128;
const MAX_DOCUMENTS = 1_000;

export function createProvider(given: ProviderDeps, hooks: RetryHooks = {}): Provider {
  const { apiKey = '', baseUrl } = given.settings;
  const service: Service = {
    name: 'The Voyage API',
    base: voyageBase(apiKey, baseUrl),
    headers: { Authorization: `Bearer ${apiKey}` },
    inFlight: 2,
    hints: {
      key: 'Check VOYAGE_API_KEY: al- keys come from Atlas, pa- keys from Voyage; VOYAGE_API_BASE must match.',
      model:
        'Check the model name and dimensions with `vai models` (vai_models); a text may also be longer than the model reads.',
      address: 'Set VOYAGE_API_BASE to the address it points to, if you trust it.',
      slow: 'Accounts without a payment method get 3 requests a minute.',
    },
  };
  const http = createHttp(service, given, hooks);
  return {
    quantises: true,
    embedder: (request) => createServiceEmbedder(embeddings(http, request), request),
    reranker: ({ model, info, hosted }) => createServiceReranker(reranking(http, model, info), model, hosted),
    // Nothing there can be read for free; a request without texts is refused, but only after the key was looked at.
    probe: () => http.probe('/embeddings', {}),
  };
}

function embeddings(http: Http, request: EmbedderRequest) {
  const { name } = http.service;
  const float = (request.dtype ?? 'float') === 'float';
  // Binary vectors pack eight dimensions into one value.
  const packed = request.dtype === 'binary' || request.dtype === 'ubinary';
  return {
    name,
    limits: {
      tokens: request.info?.batchTokens ?? EMBED_TOKENS,
      texts: Math.min(MAX_TEXTS, request.info?.batchTexts ?? MAX_TEXTS),
    },
    ...(packed ? { length: Math.ceil(request.dimensions! / 8) } : {}),
    raw: !float,
    async send(texts: string[], role: EmbedOptions['role'], state: Parameters<Http['post']>[2]) {
      const common = {
        model: request.modelId,
        input_type: role,
        ...(request.sendDimensions ? { output_dimension: request.dimensions } : {}),
        ...(float ? {} : { output_dtype: request.dtype }),
        truncation: role !== 'document',
      };
      const body =
        request.info?.type === 'embedding-multimodal'
          ? await http.post(
              '/multimodalembeddings',
              { inputs: texts.map((text) => ({ content: [{ type: 'text', text }] })), ...common },
              state,
            )
          : await http.post('/embeddings', { input: texts, ...common }, state);
      const items = inPlace<{ embedding?: unknown }>((body as Reply | null)?.data, texts.length, name);
      return { vectors: items.map((item) => item.embedding), tokens: usedTokens(body) };
    },
  };
}

interface Reply {
  data?: unknown;
}

function reranking(http: Http, model: string, info: ModelInfo | undefined): RerankService {
  return {
    limits: {
      tokens: info?.batchTokens ?? RERANK_TOKENS,
      texts: MAX_DOCUMENTS,
      contextTokens: info?.contextTokens ?? 32_000,
    },
    async send(query, documents, state) {
      const body = await http.post('/rerank', { query, documents, model }, state);
      const { name } = http.service;
      const items = inPlace<{ relevance_score?: unknown }>(
        (body as Reply | null)?.data,
        documents.length,
        name,
      );
      const scores = items.map(({ relevance_score: score }) => {
        if (typeof score !== 'number' || !Number.isFinite(score))
          throw badAnswer(name, 'a score that is no number');
        return Math.min(1, Math.max(0, score));
      });
      return { scores, tokens: usedTokens(body) };
    },
  };
}
