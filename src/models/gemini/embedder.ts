// Gemini embeddings: one text per item (several parts would merge into one vector), at most 100 items a call.

import type { EmbedderRequest } from '../provider.ts';
import type { EmbeddingService } from '../shared/embedding.ts';
import type { Http } from '../shared/http.ts';

const MAX_ITEMS = 100;
/** 2,048 tokens are read; a longer text is cut by us, at a character and not inside one. */
const MAX_CHARACTERS = 7_500;

export function geminiEmbeddings(http: Http, request: EmbedderRequest): EmbeddingService {
  const model = request.modelId.replace(/^models\//, '');
  return {
    name: http.service.name,
    limits: { texts: MAX_ITEMS },
    async send(texts, role, state) {
      const body = { requests: texts.map((text) => item(model, text, role, request.dimensions!)) };
      const path = `/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`;
      const reply = (await http.post(path, body, state)) as { embeddings?: { values?: unknown }[] } | null;
      return { vectors: (reply?.embeddings ?? []).map((one) => one?.values), tokens: 0 };
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
