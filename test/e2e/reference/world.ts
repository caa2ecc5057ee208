// A folder with everything the cases read, and the servers they talk to, all on this machine.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sandbox, type Run, type Sandbox } from '../../support/cli.ts';
import { startDocsServer, type DocsServer } from '../../support/docs-server.ts';
import { startMongod, type RunningMongod } from '../../support/mongod/start.ts';
import type { CommandName } from '../../support/package.ts';
import { startVoyage, type FakeVoyage } from '../../support/voyage-server.ts';
import { writerIn } from '../../support/write-files.ts';

const GUIDE = `# Guide

Pools and tokens.

## Install

Run the installer with the flag quickly.

## Pools

A pool holds ten connections. Set maxPoolSize to change it.

### Sizes

Small pools are kind to the server.
`;

const FILES: Record<string, string> = {
  'docs/pools.md':
    '# Pools\n\nA pool holds ten connections.\n\n## Sizes\n\nSet `maxPoolSize` to change it.\n',
  'docs/auth.md':
    '---\nteam: red\n---\n# Auth\n\nThe Auth Service uses Redis. Tokens live for fifteen minutes.\n',
  'docs/gateway.md': '# Gateway\n\nThe Gateway calls the Auth Service for every token.\n',
  'docs/draft.txt': 'A draft about tokens.\n',
  'local/llms.txt': '# Local\n\n## Kites\n\nKites fly on wind.\n',
  'local/long.md': Array.from(
    { length: 30 },
    (_, at) => `# Part ${at}\n\n${'Herons stand still for hours. '.repeat(12)}\n`,
  ).join('\n'),
  'manifest.toml':
    '[[source]]\nalias = "kites"\npath = "local/llms.txt"\nname = "Kites"\n\n[[source]]\nalias = "other"\npath = "docs/draft.txt"\n',
  'questions.jsonl':
    '{"query": "how long do tokens live", "answers": [{"path": "auth.md", "start": 4, "end": 6}]}\n',
  'flowrag.config.json': '{"docs": "./docs", "data": "./data"}\n',
  'package.json': '{"dependencies": {"react": "19.0.0"}}\n',
};

/** What a command is given beside its arguments. */
export interface CaseOptions {
  input?: string;
  env?: Record<string, string>;
  /** With MongoDB behind it, or with Voyage. */
  with?: 'mongodb' | 'voyage';
  /** Done before it runs. */
  first?: (world: World) => void;
  /** Another exit status than 0. */
  status?: number;
  /** A pattern for the standard error too. */
  stderr?: RegExp;
  /** What must be true afterwards. */
  then?: (world: World) => boolean;
}

export interface World {
  box: Sandbox;
  site: DocsServer;
  /** What earlier cases kept, by name. */
  kept: Record<string, string>;
  write: (path: string, text: string) => void;
  read: (path: string) => string;
  remove: (path: string) => void;
  run: (words: readonly string[], options?: CaseOptions) => Promise<Run>;
  close: () => Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const box = sandbox();
  const site = await startDocsServer();
  let mongod: RunningMongod | undefined;
  let voyage: FakeVoyage | undefined;
  const write = writerIn(box.folder);
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  site.set('/guide.md', GUIDE);
  site.set('/astro/llms-full.txt', '# Astro\n\n## Islands\n\nIslands of interactivity.\n');
  const registry = [
    { id: 'astro', url: `${site.origin}/astro/llms-full.txt`, name: 'Astro', description: 'Islands' },
  ];
  write('home/registry.json', JSON.stringify(registry));

  async function backing(kind: CaseOptions['with']): Promise<Record<string, string>> {
    if (kind === 'mongodb') return { MONGODB_URI: (mongod ??= await startMongod({ searchBuildMs: 50 })).uri };
    if (kind !== 'voyage') return {};
    voyage ??= await startVoyage();
    return { VOYAGE_API_KEY: 'pa-test-0123456789', VOYAGE_API_BASE: voyage.base };
  }

  const world: World = {
    box,
    site,
    kept: { site: site.origin, folder: box.folder },
    write,
    read: (path) => readFileSync(join(box.folder, path), 'utf8'),
    remove: (path) => rmSync(join(box.folder, path)),
    async run([command, ...args], options = {}) {
      options.first?.(world);
      const env = { BLZ_ALLOW_PRIVATE: '1', ...(await backing(options.with)), ...options.env };
      return box.run(command as CommandName, args, {
        env,
        ...(options.input === undefined ? {} : { input: options.input }),
      });
    },
    async close() {
      await site.close();
      await mongod?.stop();
      await voyage?.close();
      box.remove();
    },
  };
  return world;
}
