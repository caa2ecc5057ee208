// list-sources: what is installed and what the registry offers.

import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { ANY, quoting, READ_ONLY } from './answer.ts';
import { text } from './input.ts';

const listSourcesInput = z.strictObject({ filter: text(200).optional() });

export const listSourcesTool = defineTool({
  name: 'list-sources',
  description: 'List installed docs and registry candidates.',
  input: listSourcesInput,
  output: ANY,
  quotes: true,
  annotations: READ_ONLY,
  scope: 'read',
  async run(input, { engine, call }) {
    return quoting(await engine.docs.list(call, input));
  },
});
