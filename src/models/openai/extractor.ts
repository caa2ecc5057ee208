// Extraction over `/chat/completions`: the answer's schema goes with the request, or into the prompt where the server
// does not know `response_format`.

import type { Extractor } from '../../ports/extractor.ts';
import { VaiError } from '../../domain/errors.ts';
import { createLlmExtractor, jsonOf, schemaInWords, type Asked } from '../extraction/extractor.ts';
import type { Prompt } from '../extraction/prompt.ts';
import type { JsonSchema } from '../extraction/schema.ts';
import { isLoopback } from '../shared/address.ts';
import type { Http } from '../shared/http.ts';
import { newCallState } from '../shared/retry.ts';

/** What a model on another machine is counted with: the dearer side of what small models cost. */
const UNLISTED = { input: 2, output: 12 };

export function createOpenaiExtractor(http: Http, model: string): Extractor {
  let inWords = false;
  const hosted = !isLoopback(http.service.base);
  return createLlmExtractor({
    provider: 'openai',
    model,
    hosted,
    ...(hosted ? { price: UNLISTED } : {}),
    async ask(prompt, schema, signal) {
      const send = async (words: boolean): Promise<Asked> =>
        readReply(
          await http.post('/chat/completions', chat(model, prompt, schema, words), newCallState({ signal })),
        );
      if (inWords) return send(true);
      try {
        return await send(false);
      } catch (thrown) {
        if (!(thrown instanceof VaiError) || thrown.code !== 'PROVIDER_BAD_REQUEST') throw thrown;
        const asked = await send(true);
        inWords = true;
        return asked;
      }
    },
  });
}

/** Temperature and length are left alone: reasoning models refuse both. */
function chat(model: string, prompt: Prompt, schema: JsonSchema, words: boolean): object {
  return {
    model,
    messages: [
      { role: 'system', content: words ? `${prompt.system}\n${schemaInWords(schema)}` : prompt.system },
      { role: 'user', content: prompt.user },
    ],
    ...(words
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'record_graph', schema } } }),
  };
}

interface Reply {
  choices?: { finish_reason?: string; message?: { content?: unknown } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
}

function readReply(value: unknown): Asked {
  const { choices, usage } = (value ?? {}) as Reply;
  const choice = choices?.[0];
  const content = choice?.message?.content;
  return {
    answer: typeof content === 'string' ? jsonOf(content) : undefined,
    cut: choice?.finish_reason === 'length',
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
  };
}
