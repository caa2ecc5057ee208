// The blz toolset: documentation to the line.

import type { Toolset } from '../tool.ts';
import { blzErrorText } from './answer.ts';
import { discoverDocs } from './discover-docs.ts';
import { findTool } from './find.ts';
import { learnBlzTool } from './learn-blz.ts';
import { listSourcesTool } from './list-sources.ts';
import { blzResources } from './resources.ts';
import { runCommandTool } from './run-command.ts';
import { sourceAddTool } from './source-add.ts';

export interface BlzOptions {
  /** Paths of this machine as a client may see them. */
  mask?: (text: string) => string;
}

export function createBlzToolset(options: BlzOptions = {}): Toolset {
  const mask = options.mask ?? ((text: string) => text);
  return {
    name: 'blz',
    tools: [findTool, listSourcesTool, sourceAddTool, runCommandTool, learnBlzTool],
    resources: blzResources,
    prompts: [discoverDocs],
    errorText: (error) => blzErrorText(error, mask),
  };
}
