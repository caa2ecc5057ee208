// The engine as a user has it, with a home of its own and nothing from the environment.

import { composeEngine, composeParts } from '../../src/compose.ts';
import { resolveSettings } from '../../src/config/index.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { sqliteStores } from '../../src/stores/sqlite/stores.ts';

export async function openEngine(home: string, env: Record<string, string> = {}): Promise<Engine> {
  return composeEngine(inputOf(home, env));
}

/** The same over a store whose searches by words may read only so many postings. */
export async function openThrifty(home: string, postingsBudget: number): Promise<Engine> {
  const parts = await composeParts(inputOf(home, {}));
  return createEngine({ ...parts, stores: sqliteStores({ home, now: parts.now, postingsBudget }) });
}

function inputOf(home: string, env: Record<string, string>) {
  const environment = { VAI_HOME: home, ...env };
  const settings = resolveSettings({ env: environment, cwd: home.slice(0, home.lastIndexOf('/')), home });
  return { settings, env: environment, cwd: home };
}
