// The small toolset: four tools are listed; all others can still be called and are described in the resource
// `vai://tools`. The list never changes while a server runs.

import type { Toolset } from './tool.ts';

export const CORE = 'core';

const LISTED = ['vai_query', 'find', 'vai_get', 'source-add'];

export function withCoreTools(set: Toolset): Toolset {
  return {
    ...set,
    tools: set.tools.map((tool) => (LISTED.includes(tool.name) ? tool : { ...tool, unlisted: true })),
  };
}
