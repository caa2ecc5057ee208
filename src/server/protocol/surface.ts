// What the server serves, as plain data: tools, resources and prompts with everything the protocol needs computed
// once. The dispatcher knows only this, never a toolset.

import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/server';
import type { AccessScope, Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Prompt, Resource } from '../../tools/tool.ts';
import type { AuditCall } from '../audit/audit.ts';
import type { Channels } from './channels.ts';
import type { JsonSchema } from './schema.ts';
import type { ServedSkills } from './skills.ts';
import type { UriTemplate } from './uri-template.ts';

/** How a tool call ended, for the log and the metrics. */
export interface Outcome {
  tool: string;
  ok: boolean;
}

/** One request as a served thing sees it. */
export interface ServedCall {
  call: Call;
  /** Made at the first call that needs it. */
  engine: () => Promise<Engine>;
  /** Which copies of an answer this caller gets; both unless somebody chose. */
  channels?: Channels | undefined;
  /** Told how a tool call ended. */
  report?: (outcome: Outcome) => void;
  /** Writes down a call before it runs; throws when it cannot. */
  audit?: AuditCall;
}

export interface ToolDefinition {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  outputSchema?: JsonSchema & { type: 'object' };
  annotations?: Record<string, boolean>;
  _meta?: Record<string, unknown>;
}

export interface ServedTool {
  definition: ToolDefinition;
  scope: AccessScope;
  /** Not in the list of tools; the resource `vai://tools` describes it. */
  unlisted: boolean;
  deadlineMs: number;
  /** The same with its view, for clients that show views. */
  withView?: ToolDefinition;
  /** Arguments that must be repeated in a header, with its name: none unless the schema says so (`x-mcp-header`). */
  headers: readonly [argument: string, header: string][];
  /** Whether these arguments are in order and may take long. */
  isLong(values: Record<string, unknown>): boolean;
  call(values: Record<string, unknown>, context: ServedCall): Promise<CallToolResult>;
  /** An exception as an answer, in the shape of the tool's own toolset. */
  explain(thrown: unknown): CallToolResult;
}

export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

export interface ServedResource extends Omit<Resource, 'list' | 'complete' | 'read'> {
  template: UriTemplate;
  list(context: ServedCall): Promise<ListedResource[]>;
  complete?(
    variable: string,
    value: string,
    context: ServedCall,
    others: Record<string, string>,
  ): Promise<string[]>;
  read(
    uri: string,
    variables: Record<string, string>,
    context: ServedCall,
  ): Promise<ReadResourceResult | undefined>;
}

export interface ServedPrompt {
  definition: Omit<Prompt, 'complete' | 'get'>;
  complete?(argument: string, value: string, context: ServedCall): Promise<string[]>;
  get(values: Record<string, string>, context: ServedCall): Promise<GetPromptResult>;
}

export interface Surface {
  tools: ServedTool[];
  resources: ServedResource[];
  prompts: ServedPrompt[];
  skills?: ServedSkills;
}
