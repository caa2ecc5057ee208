// What the SDK alone costs over HTTP: its high-level server, one tool that answers with a fixed text of the size of a
// search answer, no key, no guard.

import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const text = 'word '.repeat(1_200);
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.registerTool('echo', { description: 'Echo', inputSchema: z.object({ query: z.string() }) }, () => ({
    content: [{ type: 'text', text }],
  }));
  return server;
});
const node = toNodeHandler(handler);
const server = createServer((request, response) => void node(request, response));
server.listen(Number(process.env['PORT']), '127.0.0.1', () => console.error('listening'));
