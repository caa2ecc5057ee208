// How the flowrag toolset introduces itself before its tools are loaded.

import type { ToolsetAbout } from '../tool.ts';

export const FLOWRAG_ABOUT: ToolsetAbout = {
  name: 'flowrag',
  serverName: 'flowrag-mcp',
  instructions:
    'flowrag_* answers from a knowledge graph of documents. Call flowrag_index once and after edits. flowrag_search finds passages; flowrag_entities and flowrag_relations show what is known and where it is stated; flowrag_trace follows a flow, flowrag_path connects two entities. flowrag_contribute adds what you read. Types: resource flowrag://schema.',
  offers: { resources: true, prompts: true, tasks: true, views: true },
};
