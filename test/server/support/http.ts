// Starts the HTTP server of the test toolset on a free port, with a home of its own.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processes } from '../../../src/compose.ts';
import type { Log } from '../../../src/server/log.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { startHttpServer, type HttpSettings, type RunningServer } from '../../../src/server/index.ts';
import { auditFile as auditFileOf } from '../../../src/server/audit/audit.ts';
import { digestOf, idOf, type StoredKey } from '../../../src/server/keys/entry.ts';
import type { Channels } from '../../../src/server/protocol/channels.ts';
import type { Toolset, ToolsetAbout } from '../../../src/tools/tool.ts';
import { aboutOf } from './about.ts';
import { asEngine, testEngine, testToolset, type TestEngine } from './toolset.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export interface TestServer extends AsyncDisposable {
  url: string;
  home: string;
  engine: TestEngine;
  server: RunningServer;
  lines: Record<string, unknown>[];
  configFile: string;
  auditFile: string;
  /** Replaces the keys in the config file. */
  setKeys(keys: unknown[]): Promise<void>;
  audit(): Promise<Record<string, unknown>[]>;
}

export const KEY = `vai-mcp-key-${'a'.repeat(48)}`;
export const READ_KEY = `vai-mcp-key-${'b'.repeat(48)}`;
export const LIMITED_KEY = `vai-mcp-key-${'c'.repeat(48)}`;
export const EXPIRED_KEY = `vai-mcp-key-${'d'.repeat(48)}`;
export const ADMIN_KEY = `vai-mcp-key-${'e'.repeat(48)}`;

export function stored(key: string, more: Partial<StoredKey> = {}): StoredKey {
  const digest = digestOf(key);
  return {
    id: idOf(digest),
    name: 'test',
    sha256: digest.toString('hex'),
    scopes: ['read', 'write'],
    collections: '*',
    created: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

export const KEYS = [
  stored(KEY),
  stored(READ_KEY, { scopes: ['read'] }),
  stored(LIMITED_KEY, { collections: ['public'] }),
  stored(EXPIRED_KEY, { expires: '2020-01-01T00:00:00.000Z' }),
  stored(ADMIN_KEY, { scopes: ['read', 'write', 'admin'] }),
];

export async function httpServer(
  settings: Partial<HttpSettings> & {
    readOnly?: boolean;
    toolsets?: Toolset[];
    about?: ToolsetAbout[];
    keys?: unknown[];
    engine?: Engine;
    channels?: Channels;
    warm?: boolean;
  } = {},
): Promise<TestServer> {
  const home = tempFolder('server');
  const configFile = join(home, 'config.json');
  const auditFile = auditFileOf(home);
  const {
    readOnly = false,
    toolsets = [testToolset],
    about = toolsets.map(aboutOf),
    keys = KEYS,
    engine: given,
    channels,
    warm,
    ...http
  } = settings;
  const setKeys = (list: unknown[]): Promise<void> =>
    writeFile(configFile, JSON.stringify({ 'mcp-server-keys': list }), { mode: 0o600 });
  await setKeys(keys);
  const engine = testEngine();
  const lines: Record<string, unknown>[] = [];
  const line =
    (level: string) =>
    (msg: string, data: Record<string, unknown> = {}): void =>
      void lines.push({ level, msg, ...data });
  const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const server = await startHttpServer(
    {
      about,
      toolsets: async () => toolsets,
      version: '9.9.9',
      engine: async () => {
        engine.made += 1;
        return given ?? asEngine(engine);
      },
      warm,
      readOnly,
      home,
      processes,
      channels,
      verbose: false,
      log,
    },
    {
      host: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      allowedOrigins: [],
      trustedProxies: [],
      rateLimit: 0,
      spendingLimit: 10,
      databases: '*',
      workers: 1,
      configFile,
      environmentKeys: [],
      probes: { voyageAi: async () => 'not configured', mongodb: async () => 'not configured' },
      ...http,
    },
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    home,
    engine,
    server,
    lines,
    configFile,
    auditFile,
    setKeys,
    async audit() {
      const text = await readFile(auditFile, 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter(Boolean)
        .map((entry) => JSON.parse(entry));
    },
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}
