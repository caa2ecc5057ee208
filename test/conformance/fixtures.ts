// The tools, resources and prompts that the official conformance suite calls, as a surface of the real dispatcher. Test
// only: nothing under src knows it, and the packed build holds none of it.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { compileUri } from '../../src/server/protocol/uri-template.ts';
import type {
  ServedCall,
  ServedPrompt,
  ServedResource,
  ServedTool,
  Surface,
} from '../../src/server/protocol/surface.ts';

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
type Result = CallToolResult | InputRequiredResult;
/** A call the SDK serves. */
type SdkCall = ServedCall & { protocol: ServerContext };

/** A tool that needs only the call, as ours are: plain calls of it are answered without the SDK. */
function tool(
  name: string,
  description: string,
  run: (context: ServedCall) => Promise<CallToolResult> | CallToolResult,
): ServedTool {
  return { ...sdkTool(name, description, run), direct: true };
}

function sdkTool(
  name: string,
  description: string,
  run: (context: SdkCall) => Promise<Result> | Result,
): ServedTool {
  return {
    definition: { name, description, inputSchema: { type: 'object', properties: {} } },
    scope: 'read',
    deadlineMs: 10_000,
    call: async (_values, context) => run(context as SdkCall),
    explain: (thrown) => ({
      content: [{ type: 'text', text: thrown instanceof Error ? thrown.message : 'failed' }],
      isError: true,
    }),
  };
}

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

function given(context: SdkCall, key: string): Record<string, unknown> | undefined {
  const responses = context.protocol.mcpReq.inputResponses;
  const value = responses?.[key];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function seal(value: string): string {
  return `${value}.${createHmac('sha256', SECRET).update(value).digest('base64url')}`;
}

function unseal(context: SdkCall): string {
  const state = context.protocol.mcpReq.requestState();
  const [value = '', mark = ''] = typeof state === 'string' ? state.split('.') : [];
  const expected = createHmac('sha256', SECRET).update(value).digest();
  const found = Buffer.from(mark, 'base64url');
  if (found.length !== expected.length || !timingSafeEqual(found, expected) || seal(value) !== state) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid requestState');
  }
  return value;
}

function capabilities(context: SdkCall): Record<string, unknown> {
  const envelope = context.protocol.mcpReq.envelope as Record<string, unknown> | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] as Record<string, unknown> | undefined) ?? {};
}

function greet(context: SdkCall, key: string, field: string): string | undefined {
  const content = given(context, key)?.['content'] as Record<string, unknown> | undefined;
  const value = content?.[field];
  return typeof value === 'string' ? value : undefined;
}

const tools: ServedTool[] = [
  tool('test_simple_text', 'Returns text', () => text('This is a simple text response for testing.')),
  tool('test_image_content', 'Returns an image', () => ({ content: [image] })),
  tool('test_audio_content', 'Returns audio', () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', 'Returns a resource', () => ({
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
  })),
  tool('test_multiple_content_types', 'Returns several kinds of content', () => ({
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
  })),
  tool('test_error_handling', 'Always fails', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  tool('test_tool_with_progress', 'Reports progress', async ({ call }) => {
    for (const done of [0, 50, 100]) {
      call.progress?.({ done, total: 100 });
      await wait(50);
    }
    return text('Progress reported');
  }),
  sdkTool('test_tool_with_logging', 'Sends log messages', async ({ protocol }) => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await protocol.mcpReq.log('info', message);
      await wait(50);
    }
    return text('Logged');
  }),
  sdkTool('test_logging_tool', 'Logs when asked to', async ({ protocol }) => {
    await protocol.mcpReq.log('info', 'logging');
    return text('Logged');
  }),
  sdkTool('test_missing_capability', 'Needs sampling', (context) => {
    if (capabilities(context)['sampling'] === undefined) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }
    return text('sampling is declared');
  }),
  sdkTool('test_streaming_elicitation', 'Asks on its stream', ({ call }) => {
    call.progress?.({ done: 1 });
    return need({ name: ask('What is your name?', 'name') });
  }),
  tool('test_trigger_tool_change', 'Would change the tools', () => text('nothing changes here')),
  tool('test_trigger_prompt_change', 'Would change the prompts', () => text('nothing changes here')),
  sdkTool('test_input_required_result_elicitation', 'Asks for a name', (context) => {
    const name = greet(context, 'user_name', 'name');
    return name ? text(`Hello, ${name}!`) : need({ user_name: ask('What is your name?', 'name') });
  }),
  sdkTool('test_input_required_result_sampling', 'Asks for a sample', (context) => {
    const answer = given(context, 'capital_question');
    return answer
      ? text(JSON.stringify(answer['content']))
      : need({ capital_question: sample('What is the capital of France?') });
  }),
  sdkTool('test_input_required_result_list_roots', 'Asks for roots', (context) => {
    const found = given(context, 'client_roots');
    return found ? text(JSON.stringify(found['roots'])) : need({ client_roots: roots });
  }),
  sdkTool('test_input_required_result_request_state', 'Keeps state with the client', (context) => {
    if (!given(context, 'confirm'))
      return need({ confirm: ask('Please confirm', 'ok', 'boolean') }, seal('confirm'));
    unseal(context);
    return text('state-ok');
  }),
  sdkTool('test_input_required_result_multiple_inputs', 'Asks for several things', (context) => {
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
  }),
  sdkTool('test_input_required_result_multi_round', 'Asks twice', (context) => {
    if (given(context, 'step2') && unseal(context) === 'two') return text('done');
    if (given(context, 'step1') && unseal(context) === 'one') {
      return need({ step2: ask('Step 2: What is your favorite color?', 'color') }, seal('two'));
    }
    return need({ step1: ask('Step 1: What is your name?', 'name') }, seal('one'));
  }),
  sdkTool('test_input_required_result_tampered_state', 'Checks its state', (context) => {
    if (context.protocol.mcpReq.requestState() === undefined) {
      return need({ confirm: ask('Please confirm', 'ok', 'boolean') }, seal('untouched'));
    }
    unseal(context);
    return text('state-ok');
  }),
  sdkTool('test_input_required_result_capabilities', 'Asks only what the client can answer', (context) => {
    const can = capabilities(context);
    const requests: Record<string, object> = {
      ...(can['elicitation'] ? { user_name: ask('What is your name?', 'name') } : {}),
      ...(can['sampling'] ? { greeting: sample('Generate a greeting') } : {}),
      ...(can['roots'] ? { client_roots: roots } : {}),
    };
    return Object.keys(requests).length ? need(requests) : text('nothing to ask');
  }),
];

function resource(
  uri: string,
  mimeType: string,
  content: (variables: Record<string, string>) => object,
): ServedResource {
  const template = compileUri(uri);
  const named = { uri, name: uri, title: uri, description: `The fixture ${uri}`, mimeType };
  return {
    ...named,
    template,
    fixed: false,
    list: async () => (template.isTemplate ? [] : [named]),
    read: async (asked, variables) => ({
      contents: [{ uri: asked, mimeType, ...content(variables) } as never],
    }),
  };
}

const resources: ServedResource[] = [
  resource('test://static-text', 'text/plain', () => ({
    text: 'This is the content of the static text resource.',
  })),
  resource('test://static-binary', 'image/png', () => ({ blob: PNG })),
  resource('test://watched-resource', 'text/plain', () => ({ text: 'watched' })),
  resource('test://template/{id}/data', 'application/json', ({ id }) => ({
    text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  })),
];

const argument = (name: string): ServedPrompt['definition']['arguments'][number] => ({
  name,
  description: `The ${name}`,
  required: true,
});
const say = (value: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: value } });

const prompts: ServedPrompt[] = [
  {
    definition: { name: 'test_simple_prompt', description: 'A simple prompt', arguments: [] },
    get: async () => ({ messages: [say('This is a simple prompt for testing.')] }),
  },
  {
    definition: {
      name: 'test_prompt_with_arguments',
      description: 'A prompt with arguments',
      arguments: [argument('arg1'), argument('arg2')],
    },
    complete: async (_name, value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
    get: async ({ arg1, arg2 }) => ({
      messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  },
  {
    definition: {
      name: 'test_prompt_with_embedded_resource',
      description: 'A prompt with a resource',
      arguments: [argument('resourceUri')],
    },
    get: async ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: resourceUri!,
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        say('Please process the embedded resource above.'),
      ],
    }),
  },
  {
    definition: { name: 'test_prompt_with_image', description: 'A prompt with an image', arguments: [] },
    get: async () => ({
      messages: [{ role: 'user', content: image }, say('Please analyze the image above.')],
    }),
  },
  {
    definition: {
      name: 'test_input_required_result_prompt',
      description: 'A prompt that asks',
      arguments: [],
    },
    get: async (_values, context) => {
      const found = greet(context as SdkCall, 'user_context', 'context');
      return found
        ? { messages: [say(`Context: ${found}`)] }
        : need({ user_context: ask('What context should the prompt use?', 'context') });
    },
  },
];

export const fixtures: Surface = {
  serverName: 'vai-conformance',
  title: 'Conformance fixtures',
  instructions: 'Fixtures of the conformance suite.',
  tools,
  resources,
  prompts,
};
