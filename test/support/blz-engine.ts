/* eslint-disable @typescript-eslint/no-explicit-any -- answers are JSON, looked into field by field */
// The blz toolset on a real store in a temporary home, with the loopback documentation server as its internet. Tests call
// its tools the way the protocol does: arguments checked, errors as results.

import { join } from 'node:path';
import { composeParts } from '../../src/compose.ts';
import { resolveSettings } from '../../src/config/index.ts';
import { localCall, type Call } from '../../src/engine/call.ts';
import type { EngineDeps } from '../../src/engine/deps.ts';
import { createMask } from '../../src/engine/docs/mask.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { compileSurface } from '../../src/server/protocol/compile.ts';
import { createDispatcher } from '../../src/server/protocol/dispatch.ts';
import { createBlzToolset } from '../../src/tools/blz/toolset.ts';
import { SILENT } from '../../src/server/log.ts';
import { startDocsServer, type DocsServer } from './docs-server.ts';
import { tempFolder } from './temp-folder.ts';

export interface ToolAnswer {
  isError: boolean;
  text: string;
  /** The text, parsed. */
  value: any;
  structured: any;
}

export interface BlzFixture {
  home: string;
  server: DocsServer;
  deps: EngineDeps;
  engine: Engine;
  call: Call;
  env: Record<string, string>;
  /** Moves the clock forward. */
  pass(ms: number): void;
  tool(name: string, values?: Record<string, unknown>, call?: Call): Promise<ToolAnswer>;
  dispatcher: ReturnType<typeof createDispatcher>;
  context(call?: Call): any;
  close(): Promise<void>;
}

export async function openBlz(options: { env?: Record<string, string> } = {}): Promise<BlzFixture> {
  const home = tempFolder('blz');
  const server = await startDocsServer();
  const env = {
    VAI_HOME: join(home, 'data'),
    BLZ_ALLOW_PRIVATE: '1',
    BLZ_GITHUB: server.origin,
    ...options.env,
  };
  let offset = 0;
  const now = (): Date => new Date(Date.now() + offset);
  const settings = resolveSettings({ env, cwd: join(home, 'project'), home });
  const deps = await composeParts({ settings, env, cwd: join(home, 'project'), now });
  deps.settings.folders = { home, project: join(home, 'project'), data: join(home, 'data') };
  const engine = createEngine(deps);
  const toolset = createBlzToolset({ mask: createMask(deps.settings.folders) });
  const failures = { log: SILENT, newId: () => 'id' };
  const dispatcher = createDispatcher(compileSurface([toolset], failures));
  const call = localCall();
  const context = (as: Call = call) => ({ call: as, engine: async () => engine, protocol: undefined });
  return {
    home,
    server,
    deps,
    engine,
    call,
    env,
    pass: (ms) => void (offset += ms),
    dispatcher,
    context,
    async tool(name, values = {}, as = call) {
      const result: any = await dispatcher.callTool(name, values, context(as));
      const text: string = result.content[0]?.text ?? '';
      return {
        isError: result.isError === true,
        text,
        value: JSON.parse(text),
        structured: result.structuredContent,
      };
    },
    async close() {
      await engine.close();
      await server.close();
    },
  };
}

/** A documentation text with nested, repeated and odd headings. */
export const GUIDE = [
  'Text before any heading speaks of zeppelins.', // 1
  '',
  '# Guide', // 3
  '',
  'Source: https://docs.example/guide',
  '',
  'Welcome to the guide.',
  '',
  '## Install', // 9
  '',
  'Run the installer and wait for the bundler.',
  '',
  '### Linux', // 13
  '',
  'Use the package manager with `--no-cache`.',
  '',
  '### Windows > Server', // 17
  '',
  'Use the setup program.',
  '',
  'Usage', // 21 (setext)
  '-----',
  '',
  'Call `useState` to keep state. Bundling happens later.',
  '',
  '# Reference', // 26
  '',
  'Source: https://docs.example/reference',
  '',
  '### Deep one', // 30
  '',
  'Alpha beta gamma.',
  '',
  '### Deep two', // 34
  '',
  'Alpha gamma delta.',
  '',
  '### Usage', // 38
  '',
  'Call it with options.',
  '',
].join('\n');
