// Gemini embeddings: one text per item (several parts would merge into one vector), at most 100 items a call.

import { estimateTokens } from '../../domain/tokens.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { createGate } from '../voyage/gate.ts';
import { requireCount, unitVector } from '../extraction/vectors.ts';
import type { EmbedderRequest } from '../provider.ts';
import { post, type GeminiDeps } from './client.ts';

const MAX_ITEMS = 100;
const IN_FLIGHT = 2;
/** 2,048 tokens are read; a longer text is cut by us, at a character and not inside one. */
const MAX_CHARACTERS = 7_500;

export function createGeminiEmbedder(deps: GeminiDeps, request: EmbedderRequest): Embedder {
  const { dimensions } = request;
  const model = request.model.replace(/^models\//, '');
  const gate = createGate(IN_FLIGHT);
  return {
    model: request.model,
    dimensions,
    space: request.space,
    hosted: true,
    trust: 0.8,
    async embed(texts, options) {
      const vectors = Array.from<Float32Array>({ length: texts.length });
      const present = texts.flatMap((text, at) => (text.trim() === '' ? [] : [at]));
      const batches: number[][] = [];
      for (let at = 0; at < present.length; at += MAX_ITEMS) batches.push(present.slice(at, at + MAX_ITEMS));
      let done = texts.length - present.length;
      const embedBatch = async (batch: number[]) => {
        const body = { requests: batch.map((at) => item(model, texts[at]!, options.role, dimensions)) };
        const reply = await gate.run(
          () => post(deps, `/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`, body, options),
          options.signal,
        );
        const list = (reply as { embeddings?: { values?: unknown }[] } | null)?.embeddings ?? [];
        requireCount(list.length, batch.length, 'The Gemini API');
        batch.forEach(
          (at, place) => (vectors[at] = unitVector(list[place]?.values, dimensions, 'The Gemini API')),
        );
        done += batch.length;
        options.onProgress?.(done);
      };
      await Promise.all(batches.map(embedBatch));
      for (let at = 0; at < vectors.length; at++) vectors[at] ??= new Float32Array(dimensions);
      const tokens = present.reduce((sum, at) => sum + estimateTokens(texts[at]!), 0);
      return { vectors, tokens, requests: batches.length };
    },
  };
}

function item(model: string, text: string, role: 'query' | 'document', dimensions: number): object {
  const document = role === 'document';
  // What is embedded begins with the heading path on a line of its own: that is the title.
  const title = document ? /^([^\n]{1,300})\n[\s\S]/.exec(text)?.[1] : undefined;
  return {
    model: `models/${model}`,
    content: { parts: [{ text: cut(text) }] },
    taskType: document ? 'RETRIEVAL_DOCUMENT' : 'RETRIEVAL_QUERY',
    ...(title ? { title } : {}),
    outputDimensionality: dimensions,
  };
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const end = /[\uD800-\uDBFF]/.test(text[MAX_CHARACTERS - 1]!) ? MAX_CHARACTERS - 1 : MAX_CHARACTERS;
  return text.slice(0, end);
}
