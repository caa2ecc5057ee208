// The `blz` command: documentation sources, and its server. Only the command that was typed is loaded.

import { Command } from 'commander';
import { VERSION } from '../../version.ts';
import type { Frame } from '../frame.ts';
import { registerServe } from '../serve/register.ts';
import { blzServer } from './server.ts';

const SERVER = new Set(['mcp', 'mcp-server']);

const FIRST_STEPS = `
First steps:
  $ blz lookup test                     search the registry
  $ blz add bun                         add a source
  $ blz search "test runner" -s bun     search it
  $ blz get bun:304-324                 read the lines of a hit`;

export async function buildBlz(frame: Frame, argv: readonly string[] = []): Promise<Command> {
  const program = new Command('blz')
    .description('Search library documentation and cite exact lines.')
    .version(VERSION, '-V, --version')
    .showHelpAfterError('(run with --help for usage)')
    .showSuggestionAfterError(true)
    .addHelpText('after', FIRST_STEPS);
  const serving = SERVER.has(argv[0] ?? '');
  if (!serving) {
    const { registerDocsCommands } = await import('./register.ts');
    registerDocsCommands(program, frame);
    const { registerCompletion } = await import('../completion/command.ts');
    registerCompletion(program, frame, { name: 'blz', whole: () => buildBlz(frame) });
  }
  // The former name of this setting, from before all toolsets shared it.
  const channels = frame.env['BLZ_MCP_CHANNELS'];
  if (channels) frame.env['VAI_MCP_CHANNELS'] ??= channels;
  const command = program
    .command('mcp')
    .alias('mcp-server')
    .description('serve find, list-sources, source-add, run-command and learn-blz over MCP');
  registerServe(command, frame, blzServer(frame));
  return program;
}
