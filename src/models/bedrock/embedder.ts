// Embeddings on Bedrock: Titan takes one text a call, Cohere up to 96. Which one is told by the model's name, because
// their bodies differ.

import { estimateTokens } from '../../domain/tokens.ts';
import type { Embedder, EmbedOptions } from '../../ports/embedder.ts';
import { requireCount, unitVector } from '../extraction/vectors.ts';
import type { EmbedderRequest } from '../provider.ts';
import type { Bedrock } from './client.ts';

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

export function createBedrockEmbedder(bedrock: Bedrock, request: EmbedderRequest): Embedder {
  const { model, dimensions } = request;
  const dialect = dialectOf(model);
  return {
    model,
    dimensions,
    space: request.space,
    hosted: true,
    trust: 0.75,
    async embed(texts, options) {
      const vectors = Array.from<Float32Array>({ length: texts.length });
      const present = texts.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
      const batches: number[][] = [];
      for (let at = 0; at < present.length; at += dialect.texts)
        batches.push(present.slice(at, at + dialect.texts));
      let tokens = 0;
      let done = texts.length - present.length;
      await Promise.all(
        batches.map(async (batch) => {
          const body = dialect.body(
            batch.map((at) => texts[at]!),
            options.role,
            dimensions,
          );
          const reply = (await bedrock.send(
            ({ InvokeModelCommand }) =>
              new InvokeModelCommand({
                modelId: model,
                contentType: 'application/json',
                accept: 'application/json',
                body: JSON.stringify(body),
              }),
            { model, signal: options.signal, onWait: options.onWait },
          )) as { body: Uint8Array };
          const read = dialect.read(
            JSON.parse(Buffer.from(reply.body).toString('utf8')) as Record<string, unknown>,
          );
          requireCount(read.vectors.length, batch.length, 'Amazon Bedrock');
          batch.forEach(
            (at, place) => (vectors[at] = unitVector(read.vectors[place], dimensions, 'Amazon Bedrock')),
          );
          tokens += read.tokens || batch.reduce((sum, at) => sum + estimateTokens(texts[at]!), 0);
          done += batch.length;
          options.onProgress?.(done);
        }),
      );
      for (let at = 0; at < vectors.length; at++) vectors[at] ??= new Float32Array(dimensions);
      return { vectors, tokens, requests: batches.length };
    },
  };
}
