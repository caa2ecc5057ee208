// The flowrag toolset: eight tools, one resource and one prompt over the one engine.

import type { Toolset } from '../tool.ts';
import { completeGraph } from './complete-graph.ts';
import { contributeTool } from './contribute.ts';
import { entitiesTool } from './entities.ts';
import { indexTool } from './index-tool.ts';
import { pathTool } from './path.ts';
import { relationsTool } from './relations.ts';
import { schemaResource } from './schema.ts';
import { searchTool } from './search.ts';
import { statsTool } from './stats.ts';
import { traceTool } from './trace.ts';

export function createFlowragToolset(): Toolset {
  return {
    name: 'flowrag',
    tools: [
      indexTool,
      searchTool,
      entitiesTool,
      relationsTool,
      traceTool,
      pathTool,
      statsTool,
      contributeTool,
    ],
    resources: [schemaResource],
    prompts: [completeGraph],
  };
}
