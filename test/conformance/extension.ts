// The rest of the suite: what only the protocol itself can say and no tool of ours does. Other kinds of content, logging,
// questions to the client.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Extension } from '../../src/server/protocol/factory.ts';
import { ASKING, withQuestions } from './task-fixtures.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([36, 0, 0, 0]),
  Buffer.from('WAVEfmt '),
  Buffer.from([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x80, 0x3e, 0, 0, 2, 0, 16, 0]),
  Buffer.from('data'),
  Buffer.from([0, 0, 0, 0]),
]).toString('base64');

const SECRET = randomBytes(32);
const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };

// Input requests: what the server asks the client for, and what came back.

const ask = (message: string, field: string, type = 'string'): object => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  },
});
const sample = (question: string): object => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens: 100 },
});
const roots = { method: 'roots/list', params: {} };

function need(inputRequests: Record<string, object>, requestState?: string): InputRequiredResult {
  return {
    resultType: 'input_required',
    inputRequests,
    ...(requestState ? { requestState } : {}),
  } as unknown as InputRequiredResult;
}

function given(context: ServerContext, key: string): Record<string, unknown> | undefined {
  const responses = context.mcpReq.inputResponses;
  const value = responses?.[key];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function seal(value: string): string {
  return `${value}.${createHmac('sha256', SECRET).update(value).digest('base64url')}`;
}

function unseal(context: ServerContext): string {
  const state = context.mcpReq.requestState();
  const [value = '', mark = ''] = typeof state === 'string' ? state.split('.') : [];
  const expected = createHmac('sha256', SECRET).update(value).digest();
  const found = Buffer.from(mark, 'base64url');
  if (found.length !== expected.length || !timingSafeEqual(found, expected) || seal(value) !== state) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid requestState');
  }
  return value;
}

function capabilities(context: ServerContext): Record<string, unknown> {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] as Record<string, unknown> | undefined) ?? {};
}

function greet(context: ServerContext, key: string, field: string): string | undefined {
  const content = given(context, key)?.['content'] as Record<string, unknown> | undefined;
  const value = content?.[field];
  return typeof value === 'string' ? value : undefined;
}

type Result = CallToolResult | InputRequiredResult;
const TOOLS: Record<
  string,
  [description: string, run: (context: ServerContext) => Promise<Result> | Result]
> = {
  test_image_content: ['Returns an image', () => ({ content: [image] })],
  test_audio_content: [
    'Returns audio',
    () => ({
      content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
    }),
  ],
  test_embedded_resource: [
    'Returns a resource',
    () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  ],
  test_multiple_content_types: [
    'Returns several kinds of content',
    () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ],
    }),
  ],
  test_tool_with_logging: [
    'Sends log messages',
    async (context) => {
      for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await context.mcpReq.log('info', message);
        await wait(50);
      }
      return text('Logged');
    },
  ],
  test_logging_tool: [
    'Logs when asked to',
    async (context) => {
      await context.mcpReq.log('info', 'logging');
      return text('Logged');
    },
  ],
  test_missing_capability: [
    'Needs sampling',
    (context) => {
      if (capabilities(context)['sampling'] === undefined) {
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      }
      return text('sampling is declared');
    },
  ],
  test_streaming_elicitation: [
    'Asks on its stream',
    async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      return need({ name: ask('What is your name?', 'name') });
    },
  ],
  test_input_required_result_elicitation: [
    'Asks for a name',
    (context) => {
      const name = greet(context, 'user_name', 'name');
      return name ? text(`Hello, ${name}!`) : need({ user_name: ask('What is your name?', 'name') });
    },
  ],
  test_input_required_result_sampling: [
    'Asks for a sample',
    (context) => {
      const answer = given(context, 'capital_question');
      return answer
        ? text(JSON.stringify(answer['content']))
        : need({ capital_question: sample('What is the capital of France?') });
    },
  ],
  test_input_required_result_list_roots: [
    'Asks for roots',
    (context) => {
      const found = given(context, 'client_roots');
      return found ? text(JSON.stringify(found['roots'])) : need({ client_roots: roots });
    },
  ],
  test_input_required_result_request_state: [
    'Keeps state with the client',
    (context) => {
      if (!given(context, 'confirm'))
        return need({ confirm: ask('Please confirm', 'ok', 'boolean') }, seal('confirm'));
      unseal(context);
      return text('state-ok');
    },
  ],
  test_input_required_result_multiple_inputs: [
    'Asks for several things',
    (context) => {
      const keys = ['user_name', 'greeting', 'client_roots'];
      if (keys.every((key) => given(context, key))) {
        unseal(context);
        return text('all there');
      }
      return need(
        {
          user_name: ask('What is your name?', 'name'),
          greeting: sample('Generate a greeting'),
          client_roots: roots,
        },
        seal('several'),
      );
    },
  ],
  test_input_required_result_multi_round: [
    'Asks twice',
    (context) => {
      if (given(context, 'step2') && unseal(context) === 'two') return text('done');
      if (given(context, 'step1') && unseal(context) === 'one') {
        return need({ step2: ask('Step 2: What is your favorite color?', 'color') }, seal('two'));
      }
      return need({ step1: ask('Step 1: What is your name?', 'name') }, seal('one'));
    },
  ],
  test_input_required_result_tampered_state: [
    'Checks its state',
    (context) => {
      if (context.mcpReq.requestState() === undefined) {
        return need({ confirm: ask('Please confirm', 'ok', 'boolean') }, seal('untouched'));
      }
      unseal(context);
      return text('state-ok');
    },
  ],
  test_input_required_result_capabilities: [
    'Asks only what the client can answer',
    (context) => {
      const can = capabilities(context);
      const requests: Record<string, object> = {
        ...(can['elicitation'] ? { user_name: ask('What is your name?', 'name') } : {}),
        ...(can['sampling'] ? { greeting: sample('Generate a greeting') } : {}),
        ...(can['roots'] ? { client_roots: roots } : {}),
      };
      return Object.keys(requests).length ? need(requests) : text('nothing to ask');
    },
  ],
};

type Said = GetPromptResult | InputRequiredResult;
const say = (value: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: value } });
const PROMPTS: Record<
  string,
  {
    description: string;
    names: string[];
    get: (values: Record<string, string>, context: ServerContext) => Said;
  }
> = {
  test_prompt_with_embedded_resource: {
    description: 'A prompt with a resource',
    names: ['resourceUri'],
    get: ({ resourceUri = '' }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: resourceUri,
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        say('Please process the embedded resource above.'),
      ],
    }),
  },
  test_prompt_with_image: {
    description: 'A prompt with an image',
    names: [],
    get: () => ({ messages: [{ role: 'user', content: image }, say('Please analyze the image above.')] }),
  },
  test_input_required_result_prompt: {
    description: 'A prompt that asks',
    names: [],
    get: (_values, context) => {
      const found = greet(context, 'user_context', 'context');
      return found
        ? { messages: [say(`Context: ${found}`)] }
        : need({ user_context: ask('What context should the prompt use?', 'context') });
    },
  },
};

/** Keywords of JSON Schema that no schema of ours uses, to see that none is lost on the way. */
const WIDE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

export const extension: Extension = {
  capabilities: { logging: {}, resources: { subscribe: true } },
  tasks: withQuestions,
  handlers: (ours, tasks) => ({
    ...ours,
    'tools/list': async (request, context) => {
      const listed = await ours['tools/list']!(request, context);
      const more = Object.entries({ ...TOOLS, ...ASKING }).map(([name, [description]]) => ({
        ...{ name, description },
        inputSchema: { type: 'object' as const, properties: {} },
      }));
      const wide = { name: 'json_schema_2020_12_tool', description: 'Only listed', inputSchema: WIDE_SCHEMA };
      return { ...listed, tools: [...listed.tools, ...more, wide] };
    },
    'tools/call': async (request, context) => {
      const { name } = request.params;
      if (ASKING[name]) return ASKING[name][1](context, await tasks()) as never;
      return TOOLS[name]?.[1](context) ?? ours['tools/call']!(request, context);
    },
    'prompts/list': async (request, context) => {
      const listed = await ours['prompts/list']!(request, context);
      const more = Object.entries(PROMPTS).map(([name, { description, names }]) => ({
        ...{ name, description },
        arguments: names.map((one) => ({ name: one, description: `The ${one}`, required: true })),
      }));
      return { ...listed, prompts: [...listed.prompts, ...more] };
    },
    'prompts/get': async (request, context) =>
      PROMPTS[request.params.name]?.get(request.params.arguments ?? {}, context) ??
      ours['prompts/get']!(request, context),
    'resources/read': async (request, context) =>
      request.params.uri === 'test://static-binary'
        ? { contents: [{ uri: request.params.uri, mimeType: 'image/png', blob: PNG }] }
        : ours['resources/read']!(request, context),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
  }),
};
