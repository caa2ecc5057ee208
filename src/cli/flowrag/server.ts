// The flowrag toolset on top of an engine with a FlowRAG configuration.

import type { Settings } from '../../config/index.ts';
import type { FlowragConfig } from '../../config/flowrag.ts';
import type { EngineDeps } from '../../engine/deps.ts';
import type { Frame } from '../frame.ts';
import type { ServerKind } from '../serve/serve.ts';
import { flowragParts } from './parts.ts';

interface FlowragServer extends ServerKind {
  parts(settings: Settings): Promise<EngineDeps>;
}

/** `config` is asked for when the server starts, after the flags have been read. */
export function flowragServer(frame: Frame, config: () => FlowragConfig): FlowragServer {
  let parts: Promise<EngineDeps> | undefined;
  return {
    offered: ['flowrag'],
    about: async () => [(await import('../../tools/flowrag/about.ts')).FLOWRAG_ABOUT],
    load: async () => [(await import('../../tools/flowrag/toolset.ts')).createFlowragToolset()],
    settings: { toolsets: ['flowrag'] },
    database: async () => config().graph?.db,
    parts: (settings) => (parts ??= flowragParts(frame, settings, config())),
  };
}
