// The vai server serves all three toolsets over one engine.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ABOUT } from '../../tools/about.ts';
import { CORE, withCoreTools } from '../../tools/core.ts';
import type { Toolset } from '../../tools/tool.ts';
import type { Frame } from '../frame.ts';
import type { ServerKind } from '../serve/serve.ts';

/** In the order they are listed to a client. */
const LOADERS: Record<string, (frame: Frame) => Promise<Toolset>> = {
  vai: loadVaiToolset,
  blz: async (frame) => (await import('../blz/server.ts')).loadBlzToolset(frame),
  flowrag: async () => (await import('../../tools/flowrag/toolset.ts')).createFlowragToolset(),
};

/** The user may have added rerankers to the catalogue, or asked for the two tools that are off by default. */
async function loadVaiToolset(frame: Frame): Promise<Toolset> {
  const { createVaiToolset } = await import('../../tools/vai/toolset.ts');
  const settings = await frame.settings();
  const rerankModels = settings.models
    ? (await import('../../compose.ts')).rerankModels({ settings, env: frame.env })
    : [];
  return createVaiToolset({ rerankModels, extras: settings.extraTools });
}

export function vaiServer(frame: Frame): ServerKind {
  const webDir = findWeb();
  return {
    offered: Object.keys(LOADERS),
    about: (names) => names.map((name) => ABOUT[name as keyof typeof ABOUT]),
    presets: [CORE],
    async load(names) {
      const core = names.includes(CORE);
      const wanted = core ? Object.keys(LOADERS) : names;
      const sets = await Promise.all(wanted.map((name) => LOADERS[name]!(frame)));
      return sets.map((set) => (core && !names.includes(set.name) ? withCoreTools(set) : set));
    },
    async parts(settings) {
      const { flowragConfigOrNone, flowragParts } = await import('../flowrag/parts.ts');
      return flowragParts(frame, settings, flowragConfigOrNone(frame, settings));
    },
    async database(settings) {
      const { flowragConfigOrNone } = await import('../flowrag/parts.ts');
      return flowragConfigOrNone(frame, settings).graph?.db;
    },
    ...(webDir ? { webDir } : {}),
  };
}

/** The built page is next to the bundle; when running from sources, where the build puts it. */
function findWeb(): string | undefined {
  return ['./web', '../../../dist/web']
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((folder) => existsSync(folder));
}
