// The vai toolset: the ten tools of the specification, vai_get and four kinds of resources over the one engine.

import { SEARCH_SKILL } from '../search-skill.ts';
import type { Toolset } from '../tool.ts';
import { chunkTool } from './chunk.ts';
import { collectionsTool } from './collections.ts';
import { deleteTool } from './delete.ts';
import { embedTool } from './embed.ts';
import { estimateTool } from './estimate.ts';
import { explainTool } from './explain.ts';
import { getTool } from './get.ts';
import { indexTool } from './index-tool.ts';
import { ingestTool } from './ingest.ts';
import { modelsTool } from './models.ts';
import { queryTool } from './query.ts';
import { rerankTool } from './rerank.ts';
import { RESOURCES } from './resources.ts';
import { searchTool } from './search.ts';
import { similarityTool } from './similarity.ts';

export interface VaiToolsetOptions {
  /** Rerankers the user added to the catalogue: offered beside the specification's own. */
  rerankModels?: readonly string[];
  /** Also `vai_chunk`, `vai_index` and `vai_delete`. */
  extras?: boolean;
}

export function createVaiToolset(options: VaiToolsetOptions = {}): Toolset {
  return {
    name: 'vai',
    tools: [
      queryTool,
      searchTool,
      rerankTool(options.rerankModels),
      embedTool,
      similarityTool,
      collectionsTool,
      modelsTool,
      ingestTool,
      explainTool,
      estimateTool,
      getTool,
      ...(options.extras ? [chunkTool, indexTool, deleteTool] : []),
    ],
    resources: RESOURCES,
    prompts: [],
    skills: [SEARCH_SKILL],
  };
}
