// The real command line around the test toolset: what `vai mcp-server` is, without the real toolsets.

import { Command } from 'commander';
import { runInProcess } from '../../../src/cli/process.ts';
import { registerServe } from '../../../src/cli/serve/register.ts';
import type { EngineDeps } from '../../../src/engine/deps.ts';
import { aboutOf } from './about.ts';
import { testToolset } from './toolset.ts';

await runInProcess({
  name: 'vai',
  uriChoosesStore: true,
  async build(frame) {
    const program = new Command('vai');
    registerServe(program.command('mcp-server').alias('mcp'), frame, {
      offered: ['vai', 'blz', 'flowrag'],
      about: () => [aboutOf(testToolset)],
      load: async () => [testToolset],
      parts: async () =>
        ({ stores: { ping: async () => {}, close: async () => {} } }) as unknown as EngineDeps,
    });
    return program;
  },
});
