// blz mcp: the server with this toolset.

import type { Command } from 'commander';
import type { Frame } from '../frame.ts';
import { registerServe } from '../serve/register.ts';
import { blzServer } from './server.ts';

export function registerMcp(program: Command, frame: Frame): void {
  // The former name of this setting, from before all toolsets shared it.
  const channels = frame.env['BLZ_MCP_CHANNELS'];
  if (channels) frame.env['VAI_MCP_CHANNELS'] ??= channels;
  const command = program
    .command('mcp')
    .alias('mcp-server')
    .description('serve find, list-sources, source-add, run-command and learn-blz over MCP');
  registerServe(command, frame, blzServer(frame));
}
