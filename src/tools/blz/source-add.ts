// source-add: the only tool of this toolset that writes. Addresses only; files of this machine are added on the command
// line.

import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { ANY, quoting } from './answer.ts';
import { text } from './input.ts';

const sourceAddInput = z.strictObject({
  alias: text(64),
  url: text(2000).optional(),
  force: z.boolean().optional(),
});

export const sourceAddTool = defineTool({
  name: 'source-add',
  description: 'Fetch docs: registry, URL, github:owner/repo; force replaces.',
  input: sourceAddInput,
  output: ANY,
  quotes: true,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  scope: 'write',
  deadlineMs: 11 * 60_000,
  isLong: () => true,
  async run({ alias, url, force }, { engine, call }) {
    return quoting(await engine.docs.add(call, { alias, url, force }));
  },
});
