// The `flowrag-mcp` command: the server with this toolset. A wrong configuration stops it before the first message.

import { Command } from 'commander';
import type { FlowragConfig, FlowragFlags } from '../../config/flowrag.ts';
import { VERSION } from '../../version.ts';
import type { Frame } from '../frame.ts';
import { registerServe } from '../serve/register.ts';
import { flowragServer } from './server.ts';
import { flowragConfig, startWarnings } from './parts.ts';

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
  let config: FlowragConfig | undefined;
  const kind = flowragServer(frame, () => config!);
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
      startWatching(frame, await kind.parts(settings));
    }
  });
  return program;
}
