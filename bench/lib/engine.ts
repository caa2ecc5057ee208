// The engine as a user has it, with a home of its own and nothing from the environment.

import { composeEngine } from '../../src/compose.ts';
import { resolveSettings } from '../../src/config/index.ts';
import type { Engine } from '../../src/engine/engine.ts';

export async function openEngine(home: string, env: Record<string, string> = {}): Promise<Engine> {
  return composeEngine(inputOf(home, env));
}

function inputOf(home: string, env: Record<string, string>) {
  const environment = { VAI_HOME: home, ...env };
  const settings = resolveSettings({ env: environment, cwd: home.slice(0, home.lastIndexOf('/')), home });
  return { settings, env: environment, cwd: home };
}
