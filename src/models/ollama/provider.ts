// Ollama's own API: `/api/embed`, `/api/chat`, and `/api/tags` with `/api/show` for what is there.

import { withoutTrailing } from '../../domain/text.ts';
import type { Extractor } from '../../ports/extractor.ts';
import type { ModelInfo } from '../../ports/models.ts';
import { createLlmExtractor, jsonOf } from '../extraction/extractor.ts';
import type { EmbedderRequest, Provider, ProviderDeps } from '../provider.ts';
import { isLoopback } from '../shared/address.ts';
import { createServiceEmbedder, type EmbeddingService } from '../shared/embedding.ts';
import { createHttp, type Http, type HttpHooks } from '../shared/http.ts';
import { prefixOf } from '../shared/prefixes.ts';
import { newCallState } from '../shared/retry.ts';
import { DEFAULT_BASE } from './index.ts';

const MAX_TEXTS = 32;
const TIMEOUT_MS = 120_000;
/** Ollama keeps 4,096 tokens of prompt and answer unless told otherwise, and cuts the prompt without a word. */
const CONTEXT_TOKENS = 16_384;
const MAX_SERVED = 50;

export function createProvider(given: ProviderDeps, hooks: HttpHooks = {}): Provider {
  const http = createHttp(
    {
      name: 'Ollama',
      base: withoutTrailing(given.settings['baseUrl'] ?? DEFAULT_BASE, '/'),
      headers: {},
      inFlight: 2,
      timeoutMs: TIMEOUT_MS,
      hints: {
        key: 'Ollama itself has no keys: check ollama-base-url and what stands before it.',
        model: 'See `ollama list` for what is there; `ollama pull <model>` fetches one.',
        address: 'Set ollama-base-url to the address it points to, if you trust it.',
      },
    },
    given,
    hooks,
  );
  return {
    embedder: (request) => createServiceEmbedder(embeddings(http, request), request),
    extractor: (model) => createOllamaExtractor(http, model),
    served: () => readModels(http),
    probe: () => http.probe('/api/version'),
  };
}

function embeddings(http: Http, request: EmbedderRequest): EmbeddingService {
  return {
    name: http.service.name,
    limits: { texts: MAX_TEXTS },
    async send(texts, role, state) {
      const prefix = prefixOf(request.modelId, role);
      const body = {
        model: request.modelId,
        input: texts.map((text) => prefix + text),
        // A text to be stored is never shortened behind our back; a question may be.
        truncate: role !== 'document',
        ...(request.sendDimensions ? { dimensions: request.dimensions } : {}),
      };
      const reply = (await http.post('/api/embed', body, state)) as {
        embeddings?: unknown;
        prompt_eval_count?: number;
      } | null;
      const vectors = reply?.embeddings;
      return { vectors: Array.isArray(vectors) ? vectors : [], tokens: reply?.prompt_eval_count ?? 0 };
    },
  };
}

interface ChatReply {
  message?: { content?: unknown };
  done_reason?: string;
  prompt_eval_count?: number;
  eval_count?: number;
}

function createOllamaExtractor(http: Http, model: string): Extractor {
  return createLlmExtractor({
    provider: 'ollama',
    model,
    hosted: !isLoopback(http.service.base),
    async ask(prompt, schema, signal) {
      const body = {
        model,
        messages: [
          { role: 'system', content: prompt.system },
          { role: 'user', content: prompt.user },
        ],
        format: schema,
        stream: false,
        options: { temperature: 0, num_ctx: CONTEXT_TOKENS },
      };
      const reply = (await http.post('/api/chat', body, newCallState({ signal }))) as ChatReply | null;
      const content = reply?.message?.content;
      return {
        answer: typeof content === 'string' ? jsonOf(content) : undefined,
        cut: reply?.done_reason === 'length',
        inputTokens: reply?.prompt_eval_count ?? 0,
        outputTokens: reply?.eval_count ?? 0,
      };
    },
  });
}

/** The models that embed, with the length of their vectors. */
async function readModels(http: Http): Promise<ModelInfo[]> {
  const tags = (await http.get('/api/tags')) as { models?: { name?: unknown }[] } | null;
  const names = (Array.isArray(tags?.models) ? tags.models : []).flatMap((model) =>
    typeof model?.name === 'string' && model.name.length <= 120 ? [model.name] : [],
  );
  const found = await Promise.all(names.slice(0, MAX_SERVED).map((name) => readModel(http, name)));
  return found.filter((model) => model !== undefined);
}

interface ShowReply {
  capabilities?: string[];
  model_info?: Record<string, unknown>;
}

async function readModel(http: Http, name: string): Promise<ModelInfo | undefined> {
  const reply = (await http.post('/api/show', { model: name }, newCallState({}))) as ShowReply | null;
  const facts = reply?.model_info ?? {};
  const about = (what: string): number => {
    const value = facts[`${String(facts['general.architecture'])}.${what}`];
    return typeof value === 'number' && value > 0 ? value : 0;
  };
  if (!reply?.capabilities?.includes('embedding')) return undefined;
  const length = about('embedding_length');
  return {
    name: `ollama/${name.replace(/:latest$/, '')}`,
    type: 'embedding',
    provider: 'ollama',
    contextTokens: about('context_length') || 2_048,
    dimensions: length ? [length] : [],
    ...(length ? { defaultDimensions: length } : {}),
    pricePerMToken: 0,
    status: 'current',
    bestFor: 'Served by your Ollama',
  };
}
