// A small toolset with real behaviour for every path of the dispatcher: results, errors, progress, cancellation,
// scopes, resources with templates, completion, prompts.

import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { VaiError } from '../../../src/domain/errors.ts';
import { mayUse, requireScope } from '../../../src/engine/call.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { defineTool, type Toolset, type ToolContext } from '../../../src/tools/tool.ts';

export interface TestEngine {
  version: string;
  made: number;
  closed: boolean;
  started: number;
  aborted: number;
  notes: Map<string, string>;
  close(): Promise<void>;
}

export function testEngine(): TestEngine {
  const engine: TestEngine = {
    version: '9.9.9',
    made: 0,
    closed: false,
    started: 0,
    aborted: 0,
    notes: new Map([
      ['public', 'for everyone'],
      ['secret', 'TOPSECRET-CONTENT'],
    ]),
    async close() {
      engine.closed = true;
    },
  };
  return engine;
}

export const asEngine = (engine: TestEngine): Engine => engine as unknown as Engine;
const ours = (context: ToolContext): TestEngine => context.engine as unknown as TestEngine;

const READ = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const WRITE = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const visible = (context: ToolContext): string[] =>
  [...ours(context).notes.keys()].filter((name) => mayUse(context.call.principal, name)).sort();

export const testToolset: Toolset = {
  name: 'test',
  tools: [
    defineTool({
      name: 'echo',
      title: 'Echo',
      description: 'Says again what it was told. For tests.',
      input: z.strictObject({
        text: z.string().max(100_000).default('hello').describe('What to say'),
        times: z.number().int().min(1).max(1000).default(1),
      }),
      output: z.object({ said: z.string(), lines: z.array(z.string()).optional() }),
      annotations: READ,
      scope: 'read',
      async run({ text, times }) {
        const lines = Array.from({ length: times }, () => text);
        return { structured: { said: text, ...(times > 1 ? { lines } : {}) }, text: lines.join('\n') };
      },
    }),
    defineTool({
      name: 'slow',
      title: 'Slow',
      description: 'Counts to a number, slowly. For tests.',
      input: z.strictObject({
        steps: z.number().int().min(1).max(10_000).default(3),
        ms: z.number().int().min(0).max(1000).default(10),
      }),
      output: z.object({}),
      annotations: READ,
      scope: 'read',
      deadlineMs: 600_000,
      isLong: ({ steps }) => steps >= 20,
      async run({ steps, ms }, context) {
        ours(context).started += 1;
        for (let step = 1; step <= steps; step += 1) {
          if (context.call.signal?.aborted) {
            ours(context).aborted += 1;
            throw context.call.signal.reason;
          }
          context.call.progress?.({ done: step, total: steps, message: `step ${step}` });
          await wait(ms);
        }
        return { structured: { steps }, text: `${steps} steps` };
      },
    }),
    defineTool({
      name: 'boom',
      title: 'Boom',
      description: 'Fails in a chosen way. For tests.',
      input: z.strictObject({ how: z.enum(['known', 'unknown', 'coded']) }),
      output: z.object({}),
      annotations: READ,
      scope: 'read',
      async run({ how }) {
        if (how === 'known')
          throw new VaiError('COLLECTION_NOT_FOUND', 'There is no collection `x`.', { hint: 'Try y.' });
        if (how === 'coded')
          throw Object.assign(new Error('auth failed on db.internal.example:27017'), {
            code: 18,
            data: { uri: 'mongodb://u:hunter2@h' },
          });
        throw new Error('secret path /home/someone/.vai and password hunter2');
      },
    }),
    defineTool({
      name: 'write_note',
      title: 'Write a note',
      description: 'Keeps a note. For tests.',
      input: z.strictObject({ collection: z.string().min(1).max(100), text: z.string().max(1000) }),
      output: z.object({}),
      annotations: WRITE,
      scope: 'write',
      async run({ collection, text }, context) {
        requireScope(context.call.principal, 'write');
        if (!mayUse(context.call.principal, collection))
          throw new VaiError('COLLECTION_NOT_FOUND', 'No such collection.');
        ours(context).notes.set(collection, text);
        return { structured: { written: 1 }, text: 'written' };
      },
    }),
  ],
  resources: [
    {
      uri: 'test://about',
      name: 'about',
      title: 'About',
      description: 'What this is',
      mimeType: 'text/plain',
      fixed: true,
      read: async () => ({ uri: 'test://about', mimeType: 'text/plain', text: 'a test toolset' }),
    },
    {
      uri: 'test://notes/{name}',
      name: 'note',
      title: 'A note',
      description: 'One note by name',
      mimeType: 'text/plain',
      fixed: false,
      list: async (context) => visible(context).map((name) => ({ uri: `test://notes/${name}`, name })),
      complete: async (_variable, value, context) =>
        visible(context).filter((name) => name.startsWith(value)),
      async read({ name }, context) {
        const text = visible(context).includes(name!) ? ours(context).notes.get(name!) : undefined;
        return text === undefined ? undefined : { uri: `test://notes/${name}`, mimeType: 'text/plain', text };
      },
    },
  ],
  prompts: [
    {
      name: 'ask',
      title: 'Ask',
      description: 'Asks about a topic',
      arguments: [{ name: 'topic', description: 'What about', required: true }],
      complete: async (_argument, value, context) =>
        visible(context).filter((name) => name.startsWith(value)),
      get: async ({ topic }) => ({
        description: 'A question',
        messages: [{ role: 'user', text: `What about ${topic}?` }],
      }),
    },
  ],
};
