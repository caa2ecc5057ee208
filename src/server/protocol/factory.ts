// One protocol server object per request (HTTP) or connection (stdio), both eras. It is built from data that was
// computed at start, because building it is part of every call.

// The low-level class is marked deprecated in favour of one that registers every tool again on each request.
import { Server } from '@modelcontextprotocol/server';
import type {
  AuthInfo,
  CallToolResult,
  HandlerResultTypeMap,
  McpRequestContext,
  RequestMethod,
  RequestTypeMap,
  ServerCapabilities,
  ServerContext,
  ServerOptions,
} from '@modelcontextprotocol/server';
import type { Call, Principal } from '../../engine/call.ts';
import type { AuditCall } from '../audit/audit.ts';
import type { Jobs } from '../jobs.ts';
import type { Channels } from './channels.ts';
import type { CompletionRequest, Dispatcher } from './dispatch.ts';
import { invalidParams } from './failure.ts';
import { cacheHints } from './hints.ts';
import { keepLegacyCodes } from './legacy-codes.ts';
import { progressSink } from './progress.ts';
import type { Introduction } from './introduction.ts';
import { serve as serveWith, type ServeOptions } from './serve.ts';
import type { Outcome, ServedCall } from './surface.ts';
import {
  knowsTasks,
  knowsViews,
  requireTasks,
  TASKS_EXTENSION,
  VIEWS_EXTENSION,
} from './client-extensions.ts';
import type { Tasks } from './tasks.ts';

export interface FactoryOptions extends ServeOptions {
  introduction: Introduction;
  /** Loaded at the first request that is more than a greeting. */
  dispatcher: () => Promise<Dispatcher>;
  version: string;
  /** Of callers whose key chose none; both unless set. */
  channels?: Channels;
  /** Who calls when a request carries no credentials: stdio only. Over HTTP such a request is a bug and fails. */
  local?: Principal;
  /** What goes on after its answer; without it no call becomes a task. */
  jobs?: (() => Promise<Jobs>) | undefined;
  extension?: Extension | undefined;
}

/** What answers each method. */
export type Handlers = {
  [M in RequestMethod]?: (
    request: RequestTypeMap[M],
    context: ServerContext,
  ) => HandlerResultTypeMap[M] | Promise<HandlerResultTypeMap[M]>;
};

/** What a server may do beyond its toolsets: the conformance suite asks for parts of the protocol that no tool of ours uses. */
export interface Extension {
  capabilities: ServerCapabilities;
  handlers(ours: Handlers, tasks: TasksOfCaller): Handlers;
  tasks?(ours: Tasks): Tasks;
}

type TasksOfCaller = () => Promise<Tasks>;

/** What an HTTP request hands the factory beside its principal. */
export interface RequestNotes {
  principal: Principal;
  channels?: Channels;
  report: (outcome: Outcome) => void;
  audit?: AuditCall;
}

export type Factory = (context: McpRequestContext) => Server;

/** The notes travel where the SDK keeps credentials; the token itself never does. */
export function authInfo(notes: RequestNotes): AuthInfo {
  return {
    token: notes.principal.id,
    clientId: notes.principal.id,
    scopes: [...notes.principal.scopes],
    extra: { notes },
  };
}

const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

// Nothing of ours asks a client for input, so no answer is ever checked against a schema by the SDK; its default
// checker is built per server object and costs more than the rest of it.
const NO_VALIDATOR: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** How the server signs what it says. */
export function identityOf({ introduction, version }: Pick<FactoryOptions, 'introduction' | 'version'>) {
  return { name: introduction.serverName, version, title: introduction.title };
}

export function createFactory(options: FactoryOptions): Factory {
  const { introduction, extension } = options;
  const identity = identityOf(options);
  const { jobs } = options;
  const hasTasks = introduction.tasks && jobs !== undefined;
  const offered = (modern: boolean): ServerCapabilities => {
    const extensions = {
      ...(introduction.skills ? { [SKILLS_EXTENSION]: {} } : {}),
      ...(introduction.views ? { [VIEWS_EXTENSION]: {} } : {}),
      // The core of 2025-11-25 had tasks of another kind, which this extension has replaced.
      ...(hasTasks && modern ? { [TASKS_EXTENSION]: {} } : {}),
    };
    return {
      tools: {},
      ...(introduction.resources ? { resources: {} } : {}),
      ...(introduction.prompts ? { prompts: {} } : {}),
      ...(introduction.resources || introduction.prompts ? { completions: {} } : {}),
      ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
    };
  };
  const serverOptions = (uniform: boolean, modern: boolean): ServerOptions => ({
    capabilities: { ...offered(modern), ...extension?.capabilities },
    instructions: introduction.instructions,
    cacheHints: cacheHints(uniform),
    jsonSchemaValidator: NO_VALIDATOR,
  });
  const localNotes: RequestNotes | undefined = options.local && {
    principal: options.local,
    report: () => {},
  };
  const forAll = { modern: serverOptions(true, true), legacy: serverOptions(true, false) };
  const forSome = { modern: serverOptions(false, true), legacy: serverOptions(false, false) };

  return (context) => {
    const notes = notesOf(context.authInfo) ?? localNotes;
    if (!notes) throw new Error('a request without a principal reached the factory');
    // Over HTTP what is listed depends on the key: on its scopes and on the copies it asked for.
    const server = new Server(identity, (notes === localNotes ? forAll : forSome)[context.era]);
    const tasks =
      jobs && hasTasks && context.era === 'modern' ? callersTasks(jobs, extension, notes) : undefined;
    const ours = handlersOf(options, notes, {
      ...{ modern: context.era === 'modern', tasks },
      client: () => server.getClientCapabilities(),
    });
    const handlers = extension?.handlers(ours, tasks ?? NO_TASKS) ?? ours;
    for (const method of Object.keys(handlers) as RequestMethod[])
      server.setRequestHandler(method, handlers[method] as never);
    if (introduction.skills) answerSkills(server, options, notes);
    if (tasks) answerTasks(server, serving(options, notes), tasks);
    if (context.era === 'legacy') keepLegacyCodes(server);
    return server;
  };
}

type Serve = <T>(where: string, ctx: ServerContext, work: (call: ServedCall) => T | Promise<T>) => Promise<T>;

function serving(options: FactoryOptions, notes: RequestNotes): Serve {
  const { principal, report, audit } = notes;
  const channels = channelsOf(options, notes);
  return (where, ctx, work) => {
    const sink = sinkOf(ctx, options.now);
    const call = { principal, signal: ctx.mcpReq.signal, ...(sink ? { progress: sink.report } : {}) };
    const asked = { where, call, channels, report, ...(audit ? { audit } : {}) };
    return serveWith(options, asked, work).finally(() => sink?.end());
  };
}

function channelsOf(options: FactoryOptions, notes: RequestNotes): Channels | undefined {
  return notes.channels ?? options.channels;
}

/** Checked by hand: a schema library would cost more at start than everything else here. */
const ANYTHING = {
  '~standard': { version: 1 as const, vendor: 'vai', validate: (value: unknown) => ({ value }) },
};

function textIn(params: unknown, name: string): string | undefined {
  const value = (params as Record<string, unknown> | undefined)?.[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidParams(`\`${name}\` must be a text.`);
}

/** Methods of the skills extension, which the SDK serves for its other kind of server only. */
function answerSkills(server: Server, options: FactoryOptions, notes: RequestNotes): void {
  const serve = serving(options, notes);
  const { dispatcher } = options;
  server.setRequestHandler('skills/list', { params: ANYTHING }, (params, ctx) =>
    serve('skills/list', ctx, async (call) =>
      (await dispatcher()).listSkills(textIn(params, 'cursor'), call),
    ),
  );
  server.setRequestHandler('skills/get', { params: ANYTHING }, (params, ctx) =>
    serve('skills/get', ctx, async (call) =>
      (await dispatcher()).getSkill(textIn(params, 'uri') ?? '', call),
    ),
  );
}

const NO_TASKS: TasksOfCaller = () => Promise.reject(new Error('this server has no tasks'));

function callersTasks(
  jobs: () => Promise<Jobs>,
  extension: Extension | undefined,
  { principal }: RequestNotes,
): TasksOfCaller {
  return async () => {
    const { tasksOf } = await import('./load.ts');
    const ours = tasksOf(await jobs(), principal);
    return extension?.tasks?.(ours) ?? ours;
  };
}

/** Methods of the tasks extension, which the SDK leaves to servers. */
function answerTasks(server: Server, serve: Serve, tasks: TasksOfCaller): void {
  const answer = (
    method: string,
    work: (one: Tasks, taskId: string, ctx: ServerContext) => object | void,
  ): void =>
    server.setRequestHandler(method, { params: ANYTHING }, (params, ctx) =>
      serve(method, ctx, async () => {
        requireTasks(ctx.mcpReq.envelope);
        return { ...work(await tasks(), textIn(params, 'taskId') ?? '', ctx) };
      }),
    );
  answer('tasks/get', (one, taskId) => one.get(taskId));
  answer('tasks/update', (one, taskId, { mcpReq }) => one.update(taskId, mcpReq.inputResponses ?? {}));
  answer('tasks/cancel', (one, taskId) => one.cancel(taskId));
}

interface Served {
  modern: boolean;
  tasks: TasksOfCaller | undefined;
  /** What the client said when it connected. */
  client: () => object | undefined;
}

function handlersOf(
  options: FactoryOptions,
  notes: RequestNotes,
  { modern, tasks, client }: Served,
): Handlers {
  const { introduction, dispatcher } = options;
  const { principal } = notes;
  const channels = channelsOf(options, notes);
  const serve = serving(options, notes);

  const tools: Handlers = {
    'tools/list': async (_request, { mcpReq }) =>
      (await dispatcher()).listTools(principal, channels, knowsViews(mcpReq.envelope, client())),
    'tools/call': ({ method, params: { name, arguments: values = {} } }, ctx) =>
      serve(method, ctx, async (served) => {
        const tools = await dispatcher();
        if (!tasks || !knowsTasks(ctx.mcpReq.envelope) || !tools.isLong(name, values, principal))
          return tools.callTool(name, values, served);
        const run = (call: Call): Promise<CallToolResult> =>
          serveWith(options, { ...served, where: method, call }, (one) => tools.callTool(name, values, one));
        const task = (await tasks()).start(name, run);
        return task ? ({ resultType: 'task', ...task } as never) : tools.callTool(name, values, served);
      }),
  };
  const resources: Handlers = {
    'resources/list': ({ method, params }, ctx) =>
      serve(method, ctx, async (call) => (await dispatcher()).listResources(params?.cursor, call)),
    'resources/templates/list': async ({ params }) => (await dispatcher()).listTemplates(params?.cursor),
    'resources/read': ({ method, params }, ctx) =>
      serve(method, ctx, async (call) => {
        const { ttlMs, cacheScope, ...result } = await (await dispatcher()).readResource(params.uri, call);
        return modern && ttlMs !== undefined ? { ...result, ttlMs, cacheScope } : result;
      }),
  };
  const prompts: Handlers = {
    'prompts/list': async () => (await dispatcher()).listPrompts(),
    'prompts/get': ({ method, params }, ctx) =>
      serve(method, ctx, async (call) =>
        (await dispatcher()).getPrompt(params.name, params.arguments ?? {}, call),
      ),
  };
  const completions: Handlers = {
    'completion/complete': ({ method, params }, ctx) =>
      serve(method, ctx, async (call) =>
        (await dispatcher()).complete(params as unknown as CompletionRequest, call),
      ),
  };
  return {
    ...tools,
    ...(introduction.resources ? resources : {}),
    ...(introduction.prompts ? prompts : {}),
    ...(introduction.resources || introduction.prompts ? completions : {}),
  };
}

function notesOf(info: AuthInfo | undefined): RequestNotes | undefined {
  return info?.extra?.['notes'] as RequestNotes | undefined;
}

function sinkOf(ctx: ServerContext, now: () => number): ReturnType<typeof progressSink> | undefined {
  const token = ctx.mcpReq._meta?.progressToken;
  return token === undefined ? undefined : progressSink(token, (notice) => ctx.mcpReq.notify(notice), now);
}
