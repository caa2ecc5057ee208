// The tools, resources and prompts of the official conformance suite that our own toolsets could have: a toolset like any
// other. Test only: nothing under src knows it, and the packed build holds none of it.

import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { VaiError } from '../../src/domain/errors.ts';
import { taskTools } from './task-fixtures.ts';
import { defineTool, type Prompt, type Resource, type Tool, type Toolset } from '../../src/tools/tool.ts';

const tool = (
  name: string,
  description: string,
  run: (call: Parameters<Tool['run']>[1]) => Promise<string>,
): Tool =>
  defineTool({
    name,
    description,
    input: z.strictObject({}),
    output: z.object({}),
    annotations: { readOnlyHint: true, openWorldHint: false },
    scope: 'read',
    deadlineMs: 10_000,
    run: async (_input, context) => ({ structured: {}, text: await run(context) }),
  });

const tools = [
  tool('test_simple_text', 'Returns text', async () => 'This is a simple text response for testing.'),
  tool('test_error_handling', 'Always fails', async () => {
    throw new VaiError('INVALID_INPUT', 'This tool intentionally returns an error for testing');
  }),
  tool('test_tool_with_progress', 'Reports progress', async ({ call }) => {
    for (const done of [0, 50, 100]) {
      call.progress?.({ done, total: 100 });
      await wait(50);
    }
    return 'Progress reported';
  }),
  tool('test_trigger_tool_change', 'Would change the tools', async () => 'nothing changes here'),
  tool('test_trigger_prompt_change', 'Would change the prompts', async () => 'nothing changes here'),
];

const routed = defineTool({
  name: 'test_x_mcp_header',
  description: 'Wants its region in a header',
  input: z.strictObject({ region: z.string().max(100).meta({ 'x-mcp-header': 'Region' }) }),
  output: z.object({}),
  annotations: { readOnlyHint: true, openWorldHint: false },
  scope: 'read',
  run: async ({ region }) => ({ structured: {}, text: region }),
});

const resource = (uri: string, mimeType: string, read: (id: string) => string): Resource => ({
  ...{ uri, mimeType, name: uri, title: uri, description: `The fixture ${uri}`, fixed: false },
  read: async ({ id = '' }) => ({ uri: uri.replace('{id}', id), mimeType, text: read(id) }),
});

const resources = [
  resource('test://static-text', 'text/plain', () => 'This is the content of the static text resource.'),
  resource('test://static-binary', 'image/png', () => ''),
  resource('test://watched-resource', 'text/plain', () => 'watched'),
  resource('test://template/{id}/data', 'application/json', (id) =>
    JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  ),
];

const prompt = (
  name: string,
  description: string,
  names: string[],
  say: (values: string[]) => string,
): Prompt => ({
  ...{ name, title: name, description },
  arguments: names.map((one) => ({ name: one, description: `The ${one}`, required: true })),
  complete: async (_name, value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
  get: async (values) => ({
    description,
    messages: [{ role: 'user', text: say(names.map((one) => values[one] ?? '')) }],
  }),
});

const prompts = [
  prompt('test_simple_prompt', 'A simple prompt', [], () => 'This is a simple prompt for testing.'),
  prompt(
    'test_prompt_with_arguments',
    'A prompt with arguments',
    ['arg1', 'arg2'],
    ([arg1, arg2]) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  ),
];

export const fixtures: Toolset = {
  name: 'conformance',
  tools: [...tools, routed, ...taskTools],
  ...{ resources, prompts },
  errorText: (error) => error.message,
};
