// Extraction with Gemini: `generateContent` with a response schema. The body is built in one place, because the field
// that carries the schema has moved between revisions of the API.

import type { Extractor } from '../../ports/extractor.ts';
import { createLlmExtractor, type Asked } from '../extraction/extractor.ts';
import type { Prompt } from '../extraction/prompt.ts';
import type { JsonSchema } from '../extraction/schema.ts';
import { parseJson, type Http } from '../shared/http.ts';
import { newCallState } from '../shared/retry.ts';

const PRICES: Record<string, { input: number; output: number }> = {
  'gemini-3-flash-preview': { input: 0.5, output: 3 },
};
/** What an unlisted model is counted with: the dearer side of what small models cost. */
const UNLISTED = { input: 2, output: 12 };
const MAX_OUTPUT = 16_384;

export function createGeminiExtractor(http: Http, model: string): Extractor {
  return createLlmExtractor({
    provider: 'gemini',
    model,
    price: PRICES[model] ?? UNLISTED,
    async ask(prompt, schema, signal) {
      const path = `/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`;
      return readReply(await http.post(path, requestBody(prompt, schema), newCallState({ signal })));
    },
  });
}

/** Temperature is left alone: Google advises its default for this generation. */
function requestBody(prompt: Prompt, schema: JsonSchema): object {
  return {
    systemInstruction: { parts: [{ text: prompt.system }] },
    contents: [{ role: 'user', parts: [{ text: prompt.user }] }],
    generationConfig: {
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
      maxOutputTokens: MAX_OUTPUT,
    },
  };
}

interface Reply {
  candidates?: { finishReason?: string; content?: { parts?: { text?: string; thought?: boolean }[] } }[];
  usageMetadata?: { promptTokenCount?: number; candidatesTokenCount?: number; thoughtsTokenCount?: number };
}

function readReply(value: unknown): Asked {
  const reply = (value ?? {}) as Reply;
  const candidate = reply.candidates?.[0];
  const text = (candidate?.content?.parts ?? [])
    .filter((part) => part.thought !== true)
    .map((part) => part.text ?? '')
    .join('');
  const usage = reply.usageMetadata;
  return {
    answer: candidate?.finishReason === 'STOP' ? parseJson(text) : undefined,
    cut: candidate?.finishReason === 'MAX_TOKENS',
    inputTokens: usage?.promptTokenCount ?? 0,
    outputTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  };
}
