// The `blz` command: documentation sources, and its server.

import { Command } from 'commander';
import { VERSION } from '../../version.ts';
import type { Frame } from '../frame.ts';
import { registerServe } from '../serve/register.ts';
import { blzDoor } from './door.ts';
import { registerDocsCommands } from './register.ts';

export async function buildBlz(frame: Frame): Promise<Command> {
  const program = new Command('blz')
    .description('Documentation at your fingertips, to the line.')
    .version(VERSION, '-V, --version')
    .showHelpAfterError('(run with --help for usage)')
    .showSuggestionAfterError(true);
  registerDocsCommands(program, frame);
  registerServe(
    program
      .command('mcp')
      .alias('mcp-server')
      .description('serve find, list-sources, source-add, run-command and learn-blz over MCP'),
    frame,
    blzDoor(frame),
  );
  return program;
}
