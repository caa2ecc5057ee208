// list-sources: what is installed and what the registry offers.

import * as z from 'zod';
import type { InstalledSource, RegistrySource } from '../../engine/docs/types.ts';
import { defineTool } from '../tool.ts';
import { ANY, quoting, READ_ONLY } from './answer.ts';
import { text } from './input.ts';

function brief(source: InstalledSource | RegistrySource): object {
  if (source.kind === 'installed') return source;
  const { alias, url, kind, suggestedCommand } = source;
  return { alias, url, kind, suggestedCommand };
}

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
    const { sources, ...rest } = await engine.docs.list(call, input);
    // The whole registry is long, so descriptions are included only when a query narrows it.
    return quoting({ sources: input.filter ? sources : sources.map(brief), ...rest });
  },
});
