// Serves the fixtures on PORT (default 3199) through the real HTTP server. The suite cannot send a key, so the key guard
// takes every request to have sent one; every other guard is as in production.

import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpFixtures, RunningServer } from '../../src/server/index.ts';
import { startHttpServer } from '../../src/server/index.ts';
import { SILENT } from '../../src/engine/deps.ts';
import { fixtures } from './fixtures.ts';

export function serveFixtures(port: number): Promise<RunningServer> {
  const extend: HttpFixtures['extend'] = {
    options: { capabilities: { logging: {}, resources: { subscribe: true } } },
    install(server) {
      server.setRequestHandler('resources/subscribe', () => ({}));
      server.setRequestHandler('resources/unsubscribe', () => ({}));
    },
  };
  return startHttpServer(
    {
      about: [],
      toolsets: async () => [],
      version: '0.0.0',
      engine: () => Promise.reject(new Error('the fixtures need no engine')),
      readOnly: false,
      verbose: false,
      log: SILENT,
    },
    {
      host: '127.0.0.1',
      port,
      allowedHosts: [],
      allowedOrigins: [],
      trustedProxies: [],
      rateLimit: 0,
      databases: '*',
      workers: 1,
      configFile: join(tmpdir(), 'vai-conformance-has-no-config.json'),
      environmentKeys: [],
      probes: { voyageAi: async () => 'not configured', mongodb: async () => 'not configured' },
    },
    { surface: fixtures, extend, openKey: randomBytes(16).toString('hex') },
  );
}

if (import.meta.main) {
  const server = await serveFixtures(Number(process.env['PORT'] ?? 3199));
  console.error(`conformance fixtures on http://127.0.0.1:${server.port}/mcp`);
  process.once('SIGTERM', () => void server.close());
  process.once('SIGINT', () => void server.close());
}
