// From toolsets to a surface: schemas, templates and error shapes computed once at start. The only place that knows how
// a tool of ours becomes a tool of the protocol.

import * as z from 'zod';
import { describeError } from '../../domain/errors.ts';
import { visible, visibleIn } from '../../tools/shared/visible.ts';
import { UNTRUSTED } from '../../tools/tool.ts';
import type { Prompt, Resource, Tool, ToolContext, ToolResult, Toolset, View } from '../../tools/tool.ts';
import { visibleTools } from './access.ts';
import { declaredArguments, type DeclaredArguments } from './accept.ts';
import { parseArguments } from './arguments.ts';
import { inChannels } from './channels.ts';
import { VIEW_TYPE } from './client-extensions.ts';
import { DEFAULT_DEADLINE_MS } from './deadline.ts';
import { errorResult, safeError, type FailureContext } from './failure.ts';
import { inputSchema, outputSchema } from './schema.ts';
import { createSkills } from './skills.ts';
import { structuredWithinBudget, textWithinBudget } from './size-guard.ts';
import type {
  ServedCall,
  ServedPrompt,
  ServedResource,
  ServedTool,
  Surface,
  ToolDefinition,
} from './surface.ts';
import { compileUri } from './uri-template.ts';

const NOTICE_SIZE = JSON.stringify({ untrusted: UNTRUSTED }).length;

export function compileSurface(toolsets: readonly Toolset[], failures: FailureContext): Surface {
  const tools = unique(toolsets.flatMap((set) => set.tools.map((tool) => servedTool(tool, set, failures))));
  const own = toolsets.flatMap((set) => set.skills ?? []);
  const skills = own.length > 0 ? createSkills(own) : undefined;
  return {
    tools,
    resources: [
      ...toolsets.flatMap((set) => set.resources.map(servedResource)),
      ...(tools.some((tool) => tool.unlisted) ? [unlistedTools(tools)] : []),
      ...(skills ? [skills.resource] : []),
      ...toolsets.flatMap((set) => set.tools.flatMap(({ view }) => (view ? [servedView(view)] : []))),
    ],
    prompts: toolsets.flatMap((set) => set.prompts.map(servedPrompt)),
    ...(skills ? { skills } : {}),
  };
}

/** What can be called without being listed, with everything a call needs to know. */
function unlistedTools(tools: readonly ServedTool[]): ServedResource {
  const uri = 'vai://tools';
  const about = {
    name: 'tools',
    title: 'More tools',
    description: 'Tools that can be called though they are not listed',
    mimeType: 'application/json',
  };
  return {
    ...about,
    ...{ uri, template: compileUri(uri), fixed: false },
    list: async () => [{ uri, ...about }],
    read: async (_uri, _variables, { call }) => {
      const more = visibleTools(call.principal, tools)
        .filter((tool) => tool.unlisted)
        .map(({ definition: { name, description, inputSchema } }) => ({ name, description, inputSchema }));
      return {
        contents: [{ uri, mimeType: about.mimeType, text: JSON.stringify({ tools: more }, null, 2) }],
      };
    },
  };
}

function unique(tools: ServedTool[]): ServedTool[] {
  const seen = new Set<string>();
  for (const { definition } of tools) {
    if (seen.has(definition.name)) throw new Error(`Two tools are called ${definition.name}`);
    seen.add(definition.name);
  }
  return tools;
}

function servedTool(tool: Tool, set: Toolset, failures: FailureContext): ServedTool {
  const input = inputSchema(tool.input);
  const declared = declaredArguments(input);
  const definition: ToolDefinition = {
    name: tool.name,
    ...(tool.title ? { title: tool.title } : {}),
    description: tool.description,
    inputSchema: input as ToolDefinition['inputSchema'],
    outputSchema: outputSchema(outputOf(tool)) as ToolDefinition['inputSchema'],
    annotations: { ...tool.annotations },
  };
  return {
    definition,
    ...(tool.view ? { withView: { ...definition, _meta: { ui: { resourceUri: tool.view.uri } } } } : {}),
    scope: tool.scope,
    unlisted: tool.unlisted ?? false,
    deadlineMs: tool.deadlineMs ?? DEFAULT_DEADLINE_MS,
    headers: Object.entries(declared.properties).flatMap(([name, property]) => {
      const header = property['x-mcp-header'];
      return header === undefined ? [] : [[name, header] as [string, string]];
    }),
    isLong: (values) => isLongCall(tool, declared, values),
    async call(values, context) {
      const input = parseArguments(tool.input, declared, values);
      const { engine, call } = await toolContext(context);
      const { structured, text, size } = shown(withNotice(tool, await tool.run(input, { engine, call })));
      const limit = engine.resultBudget;
      return inChannels(context.channels ?? 'both', {
        text: textWithinBudget(text, limit),
        structured: structuredWithinBudget(structured, { limit, size }),
      });
    },
    explain(thrown) {
      const error = safeError(thrown, failures, tool.name);
      return errorResult(visible(set.errorText?.(error) ?? JSON.stringify({ error: describeError(error) })));
    },
  };
}

/** Arguments that are not in order are answered at once. */
function isLongCall(tool: Tool, declared: DeclaredArguments, values: Record<string, unknown>): boolean {
  if (!tool.isLong) return false;
  try {
    return tool.isLong(parseArguments(tool.input, declared, values));
  } catch {
    return false;
  }
}

/** A schema that names no field names none here either: every byte counts. */
function outputOf({ output, quotes }: Tool): z.ZodObject {
  return quotes && Object.keys(output.shape).length > 0 ? output.extend({ untrusted: z.string() }) : output;
}

/** What is quoted from documents is called so in both copies: here, and in the text where the quotes begin. */
function withNotice({ quotes }: Tool, { structured, text, size }: ToolResult): ToolResult {
  if (!quotes) return { structured, text, size };
  return { structured: { untrusted: UNTRUSTED, ...structured }, text, size: size && size + NOTICE_SIZE };
}

/** The last step before the size is looked at: nothing invisible leaves, in either copy. */
function shown({ structured, text, size }: ToolResult): ToolResult {
  const shown = visibleIn(structured);
  return { structured: shown, text: visible(text), size: shown === structured ? size : undefined };
}

async function toolContext(context: ServedCall): Promise<ToolContext> {
  return { engine: await context.engine(), call: context.call };
}

function servedResource(resource: Resource): ServedResource {
  const { uri, name, title, description, mimeType, fixed } = resource;
  const template = compileUri(uri);
  const complete = resource.complete?.bind(resource);
  const list = resource.list?.bind(resource);
  return {
    ...{ template, uri, name, title, description, mimeType, fixed },
    async list(context) {
      if (list)
        return visibleIn(await list(await toolContext(context))).map((entry) => ({
          ...{ description, mimeType },
          ...entry,
        }));
      return template.isTemplate ? [] : [{ uri, name, title, description, mimeType }];
    },
    ...(complete && {
      complete: async (
        variable: string,
        value: string,
        context: ServedCall,
        others: Record<string, string>,
      ) => complete(variable, value, await toolContext(context), others),
    }),
    async read(_uri, variables, context) {
      const content = await resource.read(variables, await toolContext(context));
      return content && { contents: [{ ...content, text: visible(content.text) }] };
    },
  };
}

/** Read by clients that found it at its tool; a list of what people may read is no place for it. */
function servedView({ uri, title, html }: View): ServedResource {
  return {
    ...{ uri, title, name: title, description: title, mimeType: VIEW_TYPE, fixed: true },
    template: compileUri(uri),
    list: async () => [],
    read: async () => ({
      // No host is named: a view reaches nothing but its client.
      contents: [{ uri, mimeType: VIEW_TYPE, text: html, _meta: { ui: { csp: {}, prefersBorder: true } } }],
    }),
  };
}

function servedPrompt(prompt: Prompt): ServedPrompt {
  const complete = prompt.complete?.bind(prompt);
  return {
    definition: {
      name: prompt.name,
      title: prompt.title,
      description: prompt.description,
      arguments: prompt.arguments,
    },
    ...(complete && {
      complete: async (argument: string, value: string, context: ServedCall) =>
        complete(argument, value, await toolContext(context)),
    }),
    async get(values, context) {
      const { description, messages } = visibleIn(await prompt.get(values, await toolContext(context)));
      return {
        description,
        messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })),
      };
    },
  };
}
