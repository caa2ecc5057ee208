// learn-blz: what a model needs to know before its first call, in less than two kilobytes.

import * as z from 'zod';
import { CONTEXT_MODES } from '../../engine/cite/context.ts';
import { defineTool } from '../tool.ts';
import { answer, ANY, READ_ONLY } from './answer.ts';

const learnBlzInput = z.strictObject({});

const MAX_ALIAS_CHARACTERS = 800;

export const learnBlzTool = defineTool({
  name: 'learn-blz',
  description: 'Usage examples and installed aliases.',
  input: learnBlzInput,
  output: ANY,
  annotations: READ_ONLY,
  scope: 'read',
  async run(_input, { engine, call }) {
    const installed = await engine.docs.inspect(call);
    const aliases: string[] = [];
    let size = 0;
    for (const { alias } of installed) {
      if ((size += alias.length + 3) > MAX_ALIAS_CHARACTERS) break;
      aliases.push(alias);
    }
    const source = aliases[0] ?? 'bun';
    const short = installed.filter(({ alias }) => aliases.includes(alias));
    const one = short.find(({ documents }) => documents === 1)?.alias ?? 'bun';
    const several = short.find(({ documents }) => documents > 1)?.alias ?? 'hono';
    return answer({
      prompts: [{ name: 'discover-docs', summary: 'Find and add the docs of a project' }],
      flags: { contextMode: [...CONTEXT_MODES], source: aliases },
      examples: [
        `find(query='test runner', source='${source}')`,
        `find(query='"exact phrase" +required -excluded')`,
        `find(snippets=['<citation of a hit, as it is>'], contextMode='symmetric')`,
        `find(snippets=['${one}:120-145,300@9f3c1a27'])  # a source of one text`,
        `find(snippets=['${several}/docs/api.md:12-30'])  # a source of several documents`,
        `list-sources(filter='react')`,
        `source-add(alias='astro')`,
        `source-add(alias='express', url='github:expressjs/express@v5.1.0')`,
        `run-command(command='inspect', source='${source}')`,
      ],
    });
  },
});
