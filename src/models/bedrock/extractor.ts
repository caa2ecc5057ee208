// Extraction on Bedrock: `Converse` with one tool whose input is the answer, and the model made to call it.

import type { Extractor } from '../../ports/extractor.ts';
import { createLlmExtractor, type Asked } from '../extraction/extractor.ts';
import type { Prompt } from '../extraction/prompt.ts';
import type { JsonSchema } from '../extraction/schema.ts';
import { newCallState } from '../shared/retry.ts';
import type { Bedrock } from './client.ts';

const TOOL = 'record_graph';
const MAX_OUTPUT = 8192;
const PRICES: [RegExp, { input: number; output: number }][] = [
  [/haiku/, { input: 1, output: 5 }],
  [/sonnet/, { input: 3, output: 15 }],
];
const UNLISTED = { input: 3, output: 15 };

export function createBedrockExtractor(bedrock: Bedrock, model: string): Extractor {
  return createLlmExtractor({
    provider: 'bedrock',
    model,
    price: PRICES.find(([name]) => name.test(model))?.[1] ?? UNLISTED,
    async ask(prompt, schema, signal) {
      const reply = await bedrock.send(
        ({ ConverseCommand }) => new ConverseCommand(requestBody(model, prompt, schema)),
        model,
        newCallState({ signal }),
      );
      return readReply(reply);
    },
  });
}

function requestBody(model: string, prompt: Prompt, schema: JsonSchema): Record<string, unknown> {
  return {
    modelId: model,
    system: [{ text: prompt.system }],
    messages: [{ role: 'user', content: [{ text: prompt.user }] }],
    inferenceConfig: { maxTokens: MAX_OUTPUT },
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: TOOL,
            description: 'Records the entities and relations of the text.',
            inputSchema: { json: schema },
          },
        },
      ],
      toolChoice: { tool: { name: TOOL } },
    },
  };
}

interface Reply {
  stopReason?: string;
  output?: { message?: { content?: { toolUse?: { name?: string; input?: unknown } }[] } };
  usage?: { inputTokens?: number; outputTokens?: number };
}

function readReply(value: unknown): Asked {
  const reply = value as Reply;
  const used = reply.output?.message?.content?.find((part) => part.toolUse?.name === TOOL)?.toolUse;
  return {
    answer: reply.stopReason === 'tool_use' ? used?.input : undefined,
    cut: reply.stopReason === 'max_tokens',
    inputTokens: reply.usage?.inputTokens ?? 0,
    outputTokens: reply.usage?.outputTokens ?? 0,
  };
}
