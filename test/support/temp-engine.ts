// A whole engine in a home of its own: the real composition, the embedded store, the built-in models unless a key and an
// address are given.

import { composeEngine } from '../../src/compose.ts';
import { resolveSettings, type Settings, type Values } from '../../src/config/index.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { tempFolder } from './temp-folder.ts';

export interface TempEngine {
  engine: Engine;
  settings: Settings;
  home: string;
  close(): Promise<void>;
}

export async function tempEngine(
  options: {
    env?: Record<string, string>;
    flags?: Partial<Record<keyof Values, unknown>>;
    home?: string;
  } = {},
): Promise<TempEngine> {
  const home = options.home ?? tempFolder('engine');
  const env = { VAI_HOME: home, ...options.env };
  const settings = resolveSettings({ env, cwd: home, home, flags: options.flags });
  const engine = await composeEngine({ settings, env, cwd: home });
  return {
    engine,
    settings,
    home,
    close: () => engine.close(),
  };
}
