// How a toolset of a test introduces itself.

import type { Toolset, ToolsetAbout } from '../../../src/tools/tool.ts';

export function aboutOf({ name, tools, resources, prompts, skills }: Toolset): ToolsetAbout {
  return {
    name,
    serverName: 'test-mcp',
    instructions: 'Use echo to hear your own words again.',
    offers: {
      resources: resources.length > 0,
      prompts: prompts.length > 0,
      ...(skills?.length ? { skills: true } : {}),
      ...(tools.some((tool) => 'isLong' in tool) ? { tasks: true } : {}),
      ...(tools.some((tool) => tool.view) ? { views: true } : {}),
    },
  };
}
