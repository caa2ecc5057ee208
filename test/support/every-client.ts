// The official TypeScript clients, new and old: what they have in common, and a test of each over both transports.

import { describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface AnyClient {
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...rest: never[]): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{ messages: unknown[] }>;
  complete(params: object): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

export interface Servers {
  stdio: () => StdioServerParameters;
  http: (use: (url: string, key: string) => Promise<void>) => Promise<void>;
}

const info = { name: 'test', version: '1' };

export function withEveryClient({ stdio, http }: Servers, walk: (client: AnyClient) => Promise<void>): void {
  const cases = (
    overStdio: (parameters: StdioServerParameters) => Promise<AnyClient>,
    overHttp: (url: URL, options: { requestInit: RequestInit }) => Promise<AnyClient>,
  ): void => {
    const walkAndClose = async (client: AnyClient): Promise<void> => {
      await walk(client);
      await client.close();
    };
    it('walks the surface over stdio', async () => walkAndClose(await overStdio(stdio())));
    it('walks the surface over HTTP', () =>
      http(async (url, key) => {
        const requestInit = { headers: { Authorization: `Bearer ${key}` } };
        await walkAndClose(await overHttp(new URL(`${url}/mcp`), { requestInit }));
      }));
  };
  for (const mode of ['auto', 'legacy'] as const) {
    describe(`client 2, ${mode}`, () => {
      const connected = async (transport: Parameters<Client['connect']>[0]): Promise<AnyClient> => {
        const client = new Client(info, { versionNegotiation: { mode } });
        await client.connect(transport);
        return client;
      };
      cases(
        (parameters) => connected(new StdioClientTransport(parameters)),
        (url, options) => connected(new StreamableHTTPClientTransport(url, options)),
      );
    });
  }
  describe('client 1', () => {
    const connected = async (transport: Parameters<OldClient['connect']>[0]): Promise<AnyClient> => {
      const client = new OldClient(info);
      await client.connect(transport);
      return client;
    };
    cases(
      (parameters) => connected(new OldStdio(parameters)),
      (url, options) => connected(new OldHttp(url, options)),
    );
  });
}
