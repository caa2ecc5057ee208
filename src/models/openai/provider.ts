// OpenAI's API as many servers speak it: `/embeddings`, `/chat/completions`, `/models`, and `/rerank` where there is one.

import { withoutTrailing } from '../../domain/text.ts';
import type { EmbedOptions } from '../../ports/embedder.ts';
import type { ModelInfo } from '../../ports/models.ts';
import type { EmbedderRequest, Provider, ProviderDeps } from '../provider.ts';
import { createServiceEmbedder, type EmbeddingService } from '../shared/embedding.ts';
import { createHttp, type Http, type HttpHooks, type Service } from '../shared/http.ts';
import { prefixOf } from '../shared/prefixes.ts';
import { inPlace, usedTokens } from '../shared/replies.ts';
import { createServiceReranker } from '../shared/reranking.ts';
import { createOpenaiExtractor } from './extractor.ts';
import { rerankEndpoint } from './rerank.ts';

/** What TEI takes by default, the strictest of the servers; OpenAI itself takes thousands. */
const MAX_TEXTS = 32;
/** Local models are slow to load and to write. */
const TIMEOUT_MS = 120_000;
const MAX_SERVED = 200;

export function createProvider(given: ProviderDeps, hooks: HttpHooks = {}): Provider {
  const { baseUrl = '', rerankUrl } = given.settings;
  const service = serviceAt(baseUrl, given);
  const http = createHttp(service, given, hooks);
  const reranking = rerankUrl ? createHttp(serviceAt(rerankUrl, given), given, hooks) : http;
  return {
    embedder: (request) => createServiceEmbedder(embeddings(http, request), request),
    reranker: ({ model, modelId, hosted }) =>
      createServiceReranker(rerankEndpoint(reranking, modelId), model, hosted),
    extractor: (model) => createOpenaiExtractor(http, model),
    served: async () => readModels(await http.get('/models')),
    probe: () => http.probe('/models'),
  };
}

function serviceAt(address: string, { settings, env }: ProviderDeps): Service {
  const base = withoutTrailing(address, '/');
  const own = URL.parse(base)?.hostname === 'api.openai.com' ? env['OPENAI_API_KEY'] : undefined;
  const key = settings['apiKey'] ?? own;
  return {
    name: 'The OpenAI-compatible endpoint',
    base,
    headers: key ? { Authorization: `Bearer ${key}` } : {},
    inFlight: 2,
    timeoutMs: TIMEOUT_MS,
    missing: base === '' ? 'an address' : undefined,
    hints: {
      key: 'Check `vai config get openai-base-url` and set its key with `vai config set openai-api-key`.',
      model: 'Check the model name against what the endpoint serves (`vai models`), and its dimensions.',
      address: 'Set openai-base-url to the address it points to, if you trust it.',
    },
  };
}

function embeddings(http: Http, request: EmbedderRequest): EmbeddingService {
  const { name } = http.service;
  return {
    name,
    limits: {
      texts: Math.min(128, request.info?.batchTexts ?? MAX_TEXTS),
      ...(request.info?.batchTokens ? { tokens: request.info.batchTokens } : {}),
    },
    async send(texts, role: EmbedOptions['role'], state) {
      const prefix = prefixOf(request.modelId, role);
      const body = await http.post(
        '/embeddings',
        {
          model: request.modelId,
          input: texts.map((text) => prefix + text),
          ...(request.sendDimensions ? { dimensions: request.dimensions } : {}),
        },
        state,
      );
      const data = (body as { data?: unknown } | null)?.data;
      const items = inPlace<{ embedding?: unknown }>(data, texts.length, name);
      return { vectors: items.map((item) => item.embedding), tokens: usedTokens(body) };
    },
  };
}

/** The list does not say what a model is for; names do, for those that can be used here. */
function readModels(body: unknown): ModelInfo[] {
  const data = (body as { data?: { id?: unknown }[] } | null)?.data;
  const ids = (Array.isArray(data) ? data : []).slice(0, MAX_SERVED).map((entry) => entry?.id);
  return ids.flatMap((id): ModelInfo[] => {
    if (typeof id !== 'string' || id.length > 120) return [];
    const rerank = /rerank/i.test(id);
    if (!rerank && !/embed|\bbge\b|\be5\b|\bgte\b|minilm/i.test(id)) return [];
    return [
      {
        name: `openai/${id}`,
        type: rerank ? 'rerank' : 'embedding',
        provider: 'openai',
        contextTokens: 8_192,
        dimensions: [],
        pricePerMToken: 0,
        status: 'current',
        bestFor: 'Served by your endpoint',
      },
    ];
  });
}
