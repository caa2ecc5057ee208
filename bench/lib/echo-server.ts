// The floor of a pipe: the same SDK with one tool that gives back what it was given.

import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const server = new McpServer({ name: 'echo', version: '1' });
server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
  content: [{ type: 'text', text }],
  structuredContent: { text },
}));
await server.connect(new StdioServerTransport());
