// Every tool of `vai mcp-server` in a folder of the test's own, called without a transport.

import { createFrame } from '../../src/cli/frame.ts';
import { vaiServer } from '../../src/cli/vai/server.ts';
import { SILENT } from '../../src/server/log.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { compileSurface } from '../../src/server/protocol/compile.ts';
import { createDispatcher } from '../../src/server/protocol/dispatch.ts';

export async function allTools(root: string, env: Record<string, string> = {}) {
  const frame = createFrame(
    {
      name: 'vai',
      env: { VAI_HOME: `${root}/home`, HOME: root, BLZ_ALLOW_PRIVATE: '1', ...env },
      cwd: root,
      streams: { stdout: process.stderr, stderr: process.stderr, stdin: process.stdin },
      uriChoosesStore: true,
    },
    new AbortController().signal,
  );
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
