// Raw HTTP requests for tests: fetch lets nobody choose Host.

import { request as httpRequest } from 'node:http';
import type { TestServer } from './http.ts';

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the server said
  body: any;
}

export interface RawRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | object;
}

export function send(server: Pick<TestServer, 'url'>, raw: RawRequest = {}): Promise<Reply> {
  const { method = 'POST', path = '/mcp', headers = {}, body } = raw;
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const json = response.headers['content-type']?.includes('json');
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: json ? JSON.parse(text) : text,
        });
      });
    });
    request.on('error', reject);
    request.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const as = (key: string): Record<string, string> => ({ ...JSON_TYPE, Authorization: `Bearer ${key}` });
export const rpc = (method: string, params?: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params ? { params } : {}),
});
export const call = (name: string, values: object = {}): object =>
  rpc('tools/call', { name, arguments: values });
export const toolNames = (reply: Reply): string[] =>
  reply.body.result.tools.map((tool: { name: string }) => tool.name);
