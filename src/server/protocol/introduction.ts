// What the server says of itself when a client connects. Known before any toolset is loaded, because building their
// schemas takes longer than everything else at start.

import type { ToolsetAbout } from '../../tools/tool.ts';

export interface Introduction {
  serverName: string;
  title: string;
  instructions: string;
  resources: boolean;
  prompts: boolean;
  skills: boolean;
  tasks: boolean;
  views: boolean;
}

const SERVER_NAME = 'vai-mcp-server';
const TITLE = 'vai: one knowledge base, every agent';

export function introduce(toolsets: readonly ToolsetAbout[]): Introduction {
  const alone = toolsets.length === 1 ? toolsets[0] : undefined;
  return {
    serverName: alone?.serverName ?? SERVER_NAME,
    title: TITLE,
    instructions: toolsets
      .map((set) => set.instructions.trim())
      .filter(Boolean)
      .join('\n\n'),
    resources: toolsets.some((set) => set.offers.resources),
    prompts: toolsets.some((set) => set.offers.prompts),
    skills: toolsets.some((set) => set.offers.skills),
    tasks: toolsets.some((set) => set.offers.tasks),
    views: toolsets.some((set) => set.offers.views),
  };
}
