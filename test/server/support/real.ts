// The real toolsets over a real engine in a home of its own: for tests that must hold whatever tools there are.

import { vaiServer } from '../../../src/cli/vai/server.ts';
import { composeEngine } from '../../../src/compose.ts';
import { resolveSettings } from '../../../src/config/index.ts';
import { localCall } from '../../../src/engine/call.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Toolset } from '../../../src/tools/tool.ts';
import { testFrame } from '../../support/frame.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export interface Real extends AsyncDisposable {
  home: string;
  toolsets: Toolset[];
  engine: Engine;
  /** Stores a text in a collection. */
  store(collection: string, source: string, text: string): Promise<void>;
}

/** Every tool there is, the ones that are off by default among them where `extras` says so. */
export async function realServerParts({ extras = false } = {}): Promise<Real> {
  const home = tempFolder('real');
  const env = { VAI_HOME: home, HOME: home, ...(extras ? { VAI_EXTRA_TOOLS: '1' } : {}) };
  const settings = resolveSettings({ env, cwd: home, home });
  const engine = await composeEngine({ settings, env, cwd: home });
  const kind = vaiServer(testFrame(home, env));
  return {
    home,
    engine,
    toolsets: await kind.load(kind.offered),
    async store(collection, source, text) {
      await engine.ingest.text(localCall(), { collection, source, text });
    },
    async [Symbol.asyncDispose]() {
      await engine.close();
    },
  };
}
