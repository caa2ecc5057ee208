// What the hosted extractors share: ask, check, repair once, give up on this chunk.

import { VaiError } from '../../domain/errors.ts';
import type { GraphSchema } from '../../domain/graph.ts';
import type { Extractor } from '../../ports/extractor.ts';
import { parseJson } from '../shared/http.ts';
import { InvalidAnswer, readAnswer } from './answer.ts';
import { extractionPrompt, PROMPT_VERSION, type Prompt } from './prompt.ts';
import { answerSchema, type JsonSchema } from './schema.ts';

export interface Asked {
  /** Parsed JSON; undefined when the answer was not JSON. */
  answer: unknown;
  /** The answer ended because it reached the limit. */
  cut: boolean;
  inputTokens: number;
  outputTokens: number;
}

export interface Llm {
  provider: string;
  model: string;
  /** Whether texts leave this machine; they do unless it says otherwise. */
  hosted?: boolean;
  /** US dollars per million tokens, where known. */
  price?: { input: number; output: number };
  ask(prompt: Prompt, schema: JsonSchema, signal: AbortSignal | undefined): Promise<Asked>;
}

export function createLlmExtractor(llm: Llm): Extractor {
  const schemas = new WeakMap<GraphSchema, JsonSchema>();
  return {
    provider: llm.provider,
    model: llm.model,
    version: PROMPT_VERSION,
    hosted: llm.hosted ?? true,
    ...(llm.price ? { price: llm.price } : {}),
    async extract(input, schema, { signal }) {
      let shape = schemas.get(schema);
      if (!shape) schemas.set(schema, (shape = answerSchema(schema)));
      let inputTokens = 0;
      let outputTokens = 0;
      let repair: string | undefined;
      for (let attempt = 0; attempt < 2; attempt++) {
        const asked = await llm.ask(extractionPrompt(input, schema, repair), shape, signal);
        inputTokens += asked.inputTokens;
        outputTokens += asked.outputTokens;
        if (asked.cut) throw failed(llm, 'was cut at its length limit', { inputTokens, outputTokens });
        try {
          return { ...readAnswer(asked.answer, input, schema), inputTokens, outputTokens };
        } catch (thrown) {
          if (!(thrown instanceof InvalidAnswer)) throw thrown;
          repair = thrown.message;
        }
      }
      throw failed(llm, 'did not follow the schema, twice', { inputTokens, outputTokens });
    },
  };
}

function failed(llm: Llm, what: string, data: Record<string, unknown>): VaiError {
  return new VaiError('PROVIDER_BAD_ANSWER', `The answer of ${llm.model} ${what}.`, {
    hint: 'The chunk is stored and searchable by words; the next index run tries it again.',
    data,
  });
}

/** For a server that takes no schema beside the prompt. */
export function schemaInWords(schema: JsonSchema): string {
  return `Answer with one JSON object and nothing else. It follows this JSON schema: ${JSON.stringify(schema)}`;
}

/** The JSON of an answer that may stand between marks or after thoughts. */
export function jsonOf(text: string): unknown {
  const said = text.split('</think>').at(-1)!;
  return parseJson(said) ?? parseJson(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1));
}
