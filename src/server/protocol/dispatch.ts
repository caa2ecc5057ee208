// Answers one request from the surface. It knows no transport, era or key: its caller says who asks and how to cancel.

import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import { didYouMean, nearest } from '../../domain/nearest.ts';
import { requireScope, type Principal } from '../../engine/call.ts';
import type { AuditedCall } from '../audit/audit.ts';
import { visibleTools } from './access.ts';
import { printable } from './arguments.ts';
import { listedIn, type Channels } from './channels.ts';
import { page } from './cursor.ts';
import { withDeadline } from './deadline.ts';
import { invalidParams, resourceNotFound } from './failure.ts';
import { FIXED_RESOURCE_HINT } from './hints.ts';
import type { ListedResource, ServedCall, ServedTool, Surface, ToolDefinition } from './surface.ts';

export interface Dispatcher {
  /** `views`: the client shows views. */
  listTools(principal: Principal, channels?: Channels, views?: boolean): { tools: ToolDefinition[] };
  hasTool(name: string): boolean;
  /** Arguments of a tool that must be repeated in a header. */
  headersOf(name: string): ServedTool['headers'];
  /** Whether this caller may make this call, and it may take long. */
  isLong(name: string, values: Record<string, unknown>, principal: Principal): boolean;
  callTool(name: string, values: Record<string, unknown>, context: ServedCall): Promise<CallToolResult>;
  listResources(cursor: string | undefined, context: ServedCall): Promise<{ resources: ListedResource[] }>;
  listTemplates(cursor: string | undefined): { resourceTemplates: TemplateDefinition[] };
  readResource(uri: string, context: ServedCall): Promise<ReadResourceResult & CacheFields>;
  listPrompts(): { prompts: Surface['prompts'][number]['definition'][] };
  getPrompt(name: string, values: Record<string, string>, context: ServedCall): Promise<GetPromptResult>;
  complete(request: CompletionRequest, context: ServedCall): Promise<CompleteResult>;
  listSkills(cursor: string | undefined, context: ServedCall): Promise<Record<string, unknown>>;
  getSkill(uri: string, context: ServedCall): Promise<Record<string, unknown>>;
}

export interface CacheFields {
  ttlMs?: number;
  cacheScope?: 'public' | 'private';
}

export interface TemplateDefinition {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

export interface CompletionRequest {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  argument: { name: string; value: string };
  context?: { arguments?: Record<string, string> };
}

const READ_DEADLINE_MS = 30_000;
const COMPLETION_DEADLINE_MS = 5_000;
const MAX_COMPLETIONS = 100;
const TOUCHED = ['db', 'collection', 'alias', 'source', 'entity'];

export function createDispatcher(surface: Surface): Dispatcher {
  const tools = new Map(surface.tools.map((tool) => [tool.definition.name, tool]));
  const prompts = new Map(surface.prompts.map((prompt) => [prompt.definition.name, prompt]));
  const templates: TemplateDefinition[] = surface.resources
    .filter((resource) => resource.template.isTemplate)
    .map(({ uri, name, title, description, mimeType }) => ({
      uriTemplate: uri,
      ...{ name, title, description, mimeType },
    }));

  return {
    listTools: (principal, channels = 'both', views = false) => ({
      tools: visibleTools(principal, surface.tools)
        .filter((tool) => !tool.unlisted)
        // A view shows the structured copy, which not every caller gets.
        .map((tool) =>
          listedIn(channels, (views && channels !== 'text' ? tool.withView : undefined) ?? tool.definition),
        ),
    }),

    hasTool: (name) => tools.has(name),

    headersOf: (name) => tools.get(name)?.headers ?? [],

    isLong(name, values, { scopes }) {
      const tool = tools.get(name);
      return tool !== undefined && scopes.includes(tool.scope) && tool.isLong(values);
    },

    async callTool(name, values, context) {
      const tool = tools.get(name);
      if (!tool) {
        const visible = visibleTools(context.call.principal, surface.tools);
        const names = visible.map((one) => one.definition.name);
        throw unknown('tool:', name, nearest(name, names));
      }
      const result = await runTool(tool, values, context);
      context.report?.({ tool: name, ok: isOk(result) });
      return result;
    },

    async listResources(cursor, context) {
      const lists = await timed(READ_DEADLINE_MS, context, (inner) =>
        Promise.all(surface.resources.map((resource) => resource.list(inner))),
      );
      const { items, nextCursor } = page(lists.flat(), cursor, (entry) => entry.uri);
      return { resources: items, ...(nextCursor ? { nextCursor } : {}) };
    },

    listTemplates(cursor) {
      const { items, nextCursor } = page(templates, cursor, (entry) => entry.uriTemplate);
      return { resourceTemplates: items, ...(nextCursor ? { nextCursor } : {}) };
    },

    async readResource(uri, context) {
      for (const resource of surface.resources) {
        const variables = resource.template.match(uri);
        if (!variables) continue;
        const read = {
          tool: 'resources/read',
          scope: 'read',
          touched: { uri: printable(uri, 120) },
        } as const;
        const found = await audited(
          context,
          read,
          () => timed(READ_DEADLINE_MS, context, (inner) => resource.read(uri, variables, inner)),
          (result) => result !== undefined,
        );
        if (found) return resource.fixed ? { ...found, ...FIXED_RESOURCE_HINT } : found;
      }
      throw resourceNotFound(uri.slice(0, 500));
    },

    listSkills: (cursor, context) =>
      timed(READ_DEADLINE_MS, context, (inner) => skillsOf(surface).list(cursor, inner)),

    getSkill: (uri, context) =>
      timed(READ_DEADLINE_MS, context, (inner) => skillsOf(surface).get(uri, inner)),

    listPrompts: () => ({ prompts: surface.prompts.map((prompt) => prompt.definition) }),

    async getPrompt(name, values, context) {
      const prompt = prompts.get(name);
      if (!prompt) throw unknown('prompt:', name, nearest(name, prompts.keys(), 1));
      checkPromptArguments(prompt.definition.arguments, values);
      return timed(READ_DEADLINE_MS, context, (inner) => prompt.get(values, inner));
    },

    async complete({ ref, argument, context: given }, context) {
      const value = argument.value.slice(0, 500);
      const found = await timed(COMPLETION_DEADLINE_MS, context, async (inner) => {
        if (ref.type === 'ref/prompt') return prompts.get(ref.name)?.complete?.(argument.name, value, inner);
        const resource = surface.resources.find((one) => one.uri === ref.uri);
        return resource?.complete?.(argument.name, value, inner, given?.arguments ?? {});
      });
      const values = found ?? [];
      return {
        completion: {
          values: values.slice(0, MAX_COMPLETIONS),
          total: values.length,
          hasMore: values.length > MAX_COMPLETIONS,
        },
      };
    },
  };
}

function skillsOf({ skills }: Surface): NonNullable<Surface['skills']> {
  if (!skills) throw invalidParams('This server has no skills.');
  return skills;
}

/** A call that cannot be written down does not run. */
async function audited<T>(
  { audit }: ServedCall,
  call: AuditedCall,
  work: () => Promise<T>,
  succeeded: (result: T) => boolean,
): Promise<T> {
  const end = audit?.(call);
  let ok = false;
  try {
    const result = await work();
    ok = succeeded(result);
    return result;
  } finally {
    end?.(ok);
  }
}

function isOk(result: CallToolResult): boolean {
  return !result.isError;
}

async function runTool(
  tool: ServedTool,
  values: Record<string, unknown>,
  context: ServedCall,
): Promise<CallToolResult> {
  const { definition, scope, deadlineMs } = tool;
  const call = { tool: definition.name, scope, touched: touched(values) };
  const work = async (): Promise<CallToolResult> => {
    requireScope(context.call.principal, scope);
    return timed(deadlineMs, context, (inner) => tool.call(values, inner));
  };
  try {
    return await audited(context, call, work, isOk);
  } catch (thrown) {
    return tool.explain(thrown);
  }
}

/** Work whose call hears of the deadline through its signal. */
function timed<T>(
  milliseconds: number,
  context: ServedCall,
  work: (inner: ServedCall) => Promise<T>,
): Promise<T> {
  const { call } = context;
  const outer = call.signal ?? new AbortController().signal;
  return withDeadline(milliseconds, outer, (signal) => work({ ...context, call: { ...call, signal } }));
}

function touched(values: Record<string, unknown>): Record<string, string> {
  const names: Record<string, string> = {};
  for (const key of TOUCHED) {
    const value = values[key];
    if (typeof value === 'string') names[key] = printable(value, 120);
  }
  return names;
}

function unknown(what: string, name: string, suggestions: readonly string[]): Error {
  const said = `Unknown ${what} \`${printable(name)}\`.`;
  return invalidParams([said, didYouMean(suggestions, ' or ') ?? []].flat().join(' '));
}

function checkPromptArguments(
  declared: { name: string; required: boolean }[],
  values: Record<string, string>,
): void {
  const names = declared.map((argument) => argument.name);
  for (const key of Object.keys(values)) {
    if (!names.includes(key)) throw unknown('argument', key, nearest(key, names, 1));
  }
  for (const { name, required } of declared) {
    if (required && !values[name]) throw invalidParams(`Missing argument \`${name}\`.`);
  }
}
