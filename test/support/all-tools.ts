// Every tool of `vai mcp-server` in a folder of the test's own, called without a transport.

import { vaiServer } from '../../src/cli/vai/server.ts';
import { SILENT } from '../../src/server/log.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { compileSurface } from '../../src/server/protocol/compile.ts';
import { createDispatcher } from '../../src/server/protocol/dispatch.ts';
import { testFrame } from './frame.ts';

export async function allTools(root: string, env: Record<string, string> = {}) {
  const own = { VAI_HOME: `${root}/home`, HOME: root, BLZ_ALLOW_PRIVATE: '1' };
  const frame = testFrame(root, { ...own, ...env });
  const kind = vaiServer(frame);
  const toolsets = await kind.load(kind.offered);
  const surface = compileSurface(toolsets, { log: SILENT, newId: () => 'id' });
  return {
    toolsets,
    surface,
    dispatcher: createDispatcher(surface),
    open: async (): Promise<Engine> => createEngine(await kind.parts!(await frame.settings())),
  };
}
