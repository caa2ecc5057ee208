// Serves the fixtures on PORT (default 3199) through the real HTTP server. The suite cannot send a key, so a proxy before
// the server adds one; every guard is as in production.

import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { processes } from '../../src/compose.ts';
import { SILENT } from '../../src/server/log.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { startHttpServer } from '../../src/server/index.ts';
import { aboutOf } from '../server/support/about.ts';
import { extension } from './extension.ts';
import { fixtures } from './fixtures.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface Served {
  port: number;
  close(): Promise<void>;
}

export async function serveFixtures(port: number): Promise<Served> {
  const key = `vai-mcp-key-${randomBytes(24).toString('hex')}`;
  const home = tempFolder('conformance-home');
  const engine = { resultBudget: 40_000, close: async () => {} } as unknown as Engine;
  const server = await startHttpServer(
    {
      about: [aboutOf(fixtures)],
      toolsets: async () => [fixtures],
      version: '0.0.0',
      engine: async () => engine,
      readOnly: false,
      home,
      processes,
      extension,
      verbose: false,
      log: SILENT,
    },
    {
      host: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      allowedOrigins: [],
      trustedProxies: [],
      rateLimit: 0,
      spendingLimit: 0,
      databases: '*',
      workers: 1,
      configFile: join(home, 'config.json'),
      environmentKeys: [key],
      probes: { voyageAi: async () => 'not configured', mongodb: async () => 'not configured' },
    },
  );
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const { method, url } = request;
    const onward = httpRequest(
      { host: '127.0.0.1', port: server.port, method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await server.close();
    },
  };
}

if (import.meta.main) {
  const server = await serveFixtures(Number(process.env['PORT'] ?? 3199));
  console.error(`conformance fixtures on http://127.0.0.1:${server.port}/mcp`);
  process.once('SIGTERM', () => void server.close());
  process.once('SIGINT', () => void server.close());
}
