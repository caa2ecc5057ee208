// list-sources: what is installed and what the registry offers.

import { defineTool } from '../tool.ts';
import { answer, READ_ONLY } from './answer.ts';
import { strict, text } from './input.ts';

export const listSourcesInput = strict({ filter: text(200).optional() });

export const listSourcesTool = defineTool({
  name: 'list-sources',
  description: 'List installed docs and registry candidates.',
  input: listSourcesInput,
  annotations: READ_ONLY,
  scope: 'read',
  async run(input, { engine, call }) {
    return answer(await engine.docs.list(call, input));
  },
});
