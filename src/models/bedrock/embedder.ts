// Embeddings on Bedrock: Titan takes one text a call, Cohere up to 96. Which one is told by the model's name, because
// their bodies differ.

import type { EmbedOptions } from '../../ports/embedder.ts';
import type { EmbedderRequest } from '../provider.ts';
import type { EmbeddingService } from '../shared/embedding.ts';
import { parseJson } from '../shared/http.ts';
import { SERVICE, type Bedrock, type BedrockModule } from './client.ts';

const COHERE_TEXTS = 96;
const COHERE_CHARACTERS = 2048;
const TITAN_CHARACTERS = 28_000;

interface Dialect {
  texts: number;
  body(texts: readonly string[], role: EmbedOptions['role'], dimensions: number): object;
  read(reply: Record<string, unknown>): { vectors: unknown[]; tokens: number };
}

const TITAN: Dialect = {
  texts: 1,
  body: ([text = ''], _role, dimensions) => ({
    inputText: text.slice(0, TITAN_CHARACTERS),
    dimensions,
    normalize: true,
  }),
  read: (reply) => ({ vectors: [reply['embedding']], tokens: Number(reply['inputTextTokenCount'] ?? 0) }),
};

const cohere = (version: 3 | 4): Dialect => ({
  texts: COHERE_TEXTS,
  body: (texts, role, dimensions) => ({
    texts: version === 3 ? texts.map((text) => text.slice(0, COHERE_CHARACTERS)) : texts,
    input_type: role === 'query' ? 'search_query' : 'search_document',
    truncate: version === 3 ? 'END' : 'RIGHT',
    embedding_types: ['float'],
    ...(version === 4 ? { output_dimension: dimensions } : {}),
  }),
  read: (reply) => {
    const embeddings = reply['embeddings'];
    const list = Array.isArray(embeddings)
      ? embeddings
      : (embeddings as { float?: unknown[] } | undefined)?.float;
    return { vectors: list ?? [], tokens: 0 };
  },
});

function dialectOf(model: string): Dialect {
  if (/cohere\.embed-v4/.test(model)) return cohere(4);
  return model.includes('cohere.') ? cohere(3) : TITAN;
}

export function bedrockEmbeddings(bedrock: Bedrock, request: EmbedderRequest): EmbeddingService {
  const model = request.modelId;
  const dialect = dialectOf(model);
  return {
    name: SERVICE.name,
    limits: { texts: dialect.texts },
    async send(texts, role, state) {
      const body = JSON.stringify(dialect.body(texts, role, request.dimensions!));
      const make = ({ InvokeModelCommand }: BedrockModule) =>
        new InvokeModelCommand({
          modelId: model,
          contentType: 'application/json',
          accept: 'application/json',
          body,
        });
      const reply = (await bedrock.send(make, model, state)) as { body: Uint8Array };
      const read = parseJson(Buffer.from(reply.body).toString('utf8'));
      return dialect.read((read ?? {}) as Record<string, unknown>);
    },
  };
}
