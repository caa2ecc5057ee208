// A real MCP client on the package's `vai mcp-server` over stdio, with a home of its own and only the variables it is given.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { NODE, script } from './package.ts';
import { tempFolder } from './temp-folder.ts';

export interface Answer {
  structured: Record<string, unknown>;
  text: string;
}

export interface VaiClient {
  client: Client;
  home: string;
  /** What the server wrote to stderr so far. */
  stderr: () => string;
  pid: () => number;
  tool(name: string, input: Record<string, unknown>): Promise<Answer>;
  /** The error of a call that must fail. */
  failing(
    name: string,
    input: Record<string, unknown>,
  ): Promise<{ code: string; message: string; hint?: string }>;
  close(): Promise<void>;
}

export interface ClientOptions {
  env?: Record<string, string>;
  args?: string[];
  /** Default: `vai`. */
  toolsets?: string;
  /** Puts files into the home before the start; the folder the server starts in. */
  prepare?: (home: string) => string;
}

export async function vaiClient(options: ClientOptions = {}): Promise<VaiClient> {
  const home = tempFolder('client');
  const cwd = options.prepare?.(home) ?? home;
  const transport = new StdioClientTransport({
    command: NODE,
    args: [script('vai'), 'mcp-server', '--toolsets', options.toolsets ?? 'vai', ...(options.args ?? [])],
    env: { PATH: process.env.PATH ?? '', HOME: home, VAI_HOME: join(home, '.vai'), ...options.env },
    cwd,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (part: Buffer) => (stderr += part.toString()));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const raw = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as {
      isError?: boolean;
      structuredContent?: Record<string, unknown>;
      content: { type: string; text: string }[];
    };
  return {
    client,
    home,
    stderr: () => stderr,
    pid: () => transport.pid ?? 0,
    async tool(name, input) {
      const result = await raw(name, input);
      assert.ok(!result.isError, result.content[0]?.text);
      assert.equal(result.content.length, 1);
      return { structured: result.structuredContent!, text: result.content[0]!.text };
    },
    async failing(name, input) {
      const result = await raw(name, input);
      assert.equal(result.isError, true, result.content[0]?.text);
      assert.equal(result.structuredContent, undefined);
      return (
        JSON.parse(result.content[0]!.text) as { error: { code: string; message: string; hint?: string } }
      ).error;
    },
    async close() {
      await client.close();
    },
  };
}
