// Tools of the suite's task scenarios. Those that only take long are tools like any other and run through the real tasks;
// here are the ones that do what no tool of ours does: ask the client while they run, demand a client that knows tasks, or
// break the protocol.

import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { VaiError } from '../../src/domain/errors.ts';
import { requireTasks } from '../../src/server/protocol/client-extensions.ts';
import type { Tasks } from '../../src/server/protocol/tasks.ts';
import { defineTool } from '../../src/tools/tool.ts';

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

const about = {
  output: z.object({}),
  annotations: { readOnlyHint: true, openWorldHint: false },
  scope: 'read' as const,
  deadlineMs: 120_000,
};

export const taskTools = [
  defineTool({
    ...about,
    name: 'greet',
    description: 'Greets at once',
    input: z.strictObject({ name: z.string().max(100) }),
    run: async ({ name }) => ({ structured: {}, text: `Hello, ${name}!` }),
  }),
  defineTool({
    ...about,
    name: 'slow_compute',
    description: 'Takes as long as it is told',
    input: z.strictObject({ seconds: z.number().min(0).max(60), label: z.string().max(100).optional() }),
    isLong: ({ seconds }) => seconds > 0,
    async run({ seconds, label = '' }, { call }) {
      await wait(seconds * 1000, undefined, call.signal ? { signal: call.signal } : {});
      return { structured: {}, text: `computed ${label}` };
    },
  }),
];

// Questions while a task runs.

const question = (message: string): object => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
  },
});

/** Keyed by task; gone when every question of it has its answer. */
const open = new Map<string, { questions: Record<string, object>; answered: () => void }>();

function asking(tasks: Tasks, tool: string, questions: Record<string, object>): object {
  let answered = (): void => {};
  const task = tasks.start(tool, async ({ signal }) => {
    await new Promise<void>((resolve, reject) => {
      answered = resolve;
      signal?.addEventListener('abort', () => reject(new VaiError('CANCELLED', 'stopped')), { once: true });
    });
    return text('thank you');
  });
  if (!task) throw new Error('no room for a task');
  open.set(task.taskId, { questions, answered: () => answered() });
  return { resultType: 'task', ...task };
}

/** Ours, with the questions of the tools above. */
export function withQuestions(ours: Tasks): Tasks {
  return {
    ...ours,
    get(taskId) {
      const task = ours.get(taskId);
      const asked = open.get(taskId);
      if (task.status !== 'working' || !asked) return task;
      return { ...task, status: 'input_required', inputRequests: asked.questions };
    },
    update(taskId, responses) {
      ours.update(taskId, responses);
      const asked = open.get(taskId);
      if (!asked) return;
      for (const key of Object.keys(responses)) delete asked.questions[key];
      if (Object.keys(asked.questions).length > 0) return;
      open.delete(taskId);
      asked.answered();
    },
  };
}

type TaskTool = (context: ServerContext, tasks: Tasks) => object;

export const ASKING: Record<string, [description: string, run: TaskTool]> = {
  confirm_delete: [
    'Asks before it deletes',
    (_context, tasks) => asking(tasks, 'confirm_delete', { confirm: question('Really?') }),
  ],
  multi_input: [
    'Asks two things at once',
    (_context, tasks) =>
      asking(tasks, 'multi_input', { first: question('The first?'), second: question('The second?') }),
  ],
  failing_job: [
    'Fails, as a task only',
    (context, tasks) => {
      requireTasks(context.mcpReq.envelope);
      const failed = { ...text('This job always fails.'), isError: true };
      return { resultType: 'task', ...tasks.start('failing_job', async () => failed) };
    },
  ],
  protocol_error_job: [
    'Breaks the protocol',
    (_context, tasks) => ({
      resultType: 'task',
      ...tasks.start('protocol_error_job', async () => {
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'broken');
      }),
    }),
  ],
  test_tool_with_task: [
    'Asks for a name, then takes its time',
    (context, tasks) => {
      requireTasks(context.mcpReq.envelope);
      const answer = context.mcpReq.inputResponses?.['user_name'] as
        { content?: { name?: string } } | undefined;
      const name = answer?.content?.name;
      if (name === undefined)
        return {
          resultType: 'input_required',
          inputRequests: { user_name: question('What is your name?') },
        };
      return {
        resultType: 'task',
        ...tasks.start('test_tool_with_task', async () => text(`Hello, ${name}!`)),
      };
    },
  ],
};
