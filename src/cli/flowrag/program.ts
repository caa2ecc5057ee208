// The `flowrag-mcp` command: the server with this toolset. A wrong configuration stops it before the first message.

import { Command } from 'commander';
import type { Settings } from '../../config/index.ts';
import type { FlowragConfig, FlowragFlags } from '../../config/flowrag.ts';
import type { EngineDeps } from '../../engine/deps.ts';
import { VERSION } from '../../version.ts';
import type { Frame } from '../frame.ts';
import { registerServe } from '../serve/register.ts';
import type { ServerKind } from '../serve/serve.ts';
import { ABOUT } from '../../tools/about.ts';
import { flowragConfig, flowragParts, startWarnings } from './parts.ts';

export async function buildFlowrag(frame: Frame): Promise<Command> {
  const program = new Command('flowrag-mcp')
    .description('A knowledge graph of your documents, for AI agents over MCP.')
    .version(VERSION, '-V, --version')
    .option('--config <path>', 'config file (default: ./flowrag.config.json)')
    .option('--data <path>', 'folder of the database (default: ./data)')
    .option('--docs <path>', 'folder of the documents')
    .option('--watch', 'index at start and after every change in the folder')
    .showHelpAfterError('(run with --help for usage)')
    .showSuggestionAfterError(true);
  // Both are known once the flags have been read, before the server starts.
  let config: FlowragConfig;
  let composed: Promise<EngineDeps> | undefined;
  const parts = (settings: Settings) => (composed ??= flowragParts(frame, settings, config));
  const kind: ServerKind = {
    offered: ['flowrag'],
    about: () => [ABOUT.flowrag],
    load: async () => [(await import('../../tools/flowrag/toolset.ts')).createFlowragToolset()],
    settings: { toolsets: ['flowrag'] },
    database: async () => config.graph?.db,
    parts,
  };
  registerServe(program, frame, kind);
  program.hook('preAction', async (_, action) => {
    // Keys, status and samples need no configuration.
    if (action !== program) return;
    const flags = program.opts<FlowragFlags & { watch?: boolean }>();
    const settings = await frame.settings();
    config = flowragConfig(frame, settings, flags);
    for (const warning of startWarnings(config)) frame.note(`flowrag-mcp: ${warning}`);
    if (flags.watch) {
      const { startWatching } = await import('./watch.ts');
      startWatching(frame, await parts(settings));
    }
  });
  return program;
}
