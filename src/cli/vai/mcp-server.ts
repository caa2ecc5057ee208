// vai mcp-server (alias mcp): the MCP server with all toolsets. vai serve: the same over HTTP.

import type { Command } from 'commander';
import type { Frame } from '../frame.ts';
import { registerServe } from '../serve/register.ts';
import { vaiServer } from './server.ts';

export function registerMcpServer(program: Command, frame: Frame): void {
  const command = program
    .command('mcp-server')
    .alias('mcp')
    .description('serve the knowledge base to AI agents, over stdio or HTTP')
    .option('--open', 'print a link that signs a browser in to the web page, once (http only)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai mcp-server\n  $ vai mcp-server --transport http --port 3100\n  $ vai mcp-server generate-key',
    );
  registerServe(command, frame, vaiServer(frame));
  program
    .command('serve')
    .description(
      'serve over HTTP, with the web page; short for mcp-server --transport http (see vai mcp-server --help)',
    )
    .argument('[flags...]')
    .allowUnknownOption()
    .action(async (flags: string[]) => {
      await program.parseAsync(['mcp-server', '--transport', 'http', ...flags], { from: 'user' });
    });
}
