// The only way out of the page: POST /mcp, POST /admin, GET /health, and /sign-in. A browser that is signed in sends its cookie, which
// no script can read; one that is not sends a key, which lives in the closure of one connection and is written nowhere.

import { readEvents } from './sse.ts';

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export interface HealthReport {
  status: 'ok' | 'degraded';
  version: string;
  uptime: number;
  voyageAi: string;
  mongodb: string;
  /** What the server behind the store can do, in one sentence. */
  about?: string;
  /** How current the sources of the default database are. */
  sources?: {
    oldestCheck: string;
    failedPages: number;
    pendingPages: number;
    unindexedSince?: string;
  };
}

export interface Server {
  call<T>(tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<T>;
  /** Names of the tools this key may use. */
  tools(): Promise<ReadonlySet<string>>;
  /** An action of the admin API. */
  admin<T>(action: string, input?: Record<string, unknown>): Promise<T>;
}

/** What the caller may do. */
export interface Session {
  actions: string[];
}

/** What went wrong, in words to show, with what to do about it. */
export class ServerError extends Error {
  readonly hint: string | undefined;
  readonly suggestions: readonly string[];

  constructor(message: string, more: { hint?: string; suggestions?: string[] } = {}) {
    super(message);
    this.hint = more.hint;
    this.suggestions = more.suggestions ?? [];
  }
}

interface RpcMessage {
  id?: number | string | null;
  method?: string;
  params?: Progress & { progressToken?: string | number };
  result?: unknown;
  error?: { message: string; data?: { hint?: string } };
}

interface ToolAnswer {
  isError?: boolean;
  structuredContent?: unknown;
  content?: { type: string; text?: string }[];
}

const OFFLINE = new ServerError('The server does not answer.', {
  hint: 'Is it still running? Start it with `vai mcp-server --transport http`.',
});

/** Shows the server that the page asks, which no form of another page can. */
const PAGE = { 'X-Vai-Page': '1' };

export interface Identity {
  /** Without one the browser is signed in. */
  key?: string;
  /** Told when the server does not know the caller any more. */
  onRefused?: (error: ServerError) => void;
}

/** Signs this browser in with the code of a link or with a key. */
export async function signIn(proof: { code: string } | { key: string }): Promise<void> {
  const reply = await fetch('/sign-in', {
    method: 'POST',
    headers: {
      ...PAGE,
      'Content-Type': 'application/json',
      ...('key' in proof ? { Authorization: `Bearer ${proof.key}` } : {}),
    },
    body: JSON.stringify('code' in proof ? proof : {}),
    cache: 'no-store',
    redirect: 'error',
  }).catch(() => {
    throw OFFLINE;
  });
  if (!reply.ok) throw refusal(reply, (await reply.json().catch(() => undefined)) as RpcMessage | undefined);
}

function refusal({ status }: Response, message: RpcMessage | undefined): ServerError {
  const { error } = message ?? {};
  return new ServerError(error?.message ?? `The server answered with status ${status}.`, {
    hint: error?.data?.hint,
  });
}

/** Whether people sign in through an issuer here. */
export async function hasIssuer(): Promise<boolean> {
  const reply = await fetch('/sign-in', { cache: 'no-store' }).catch(() => undefined);
  const { issuer } = (reply?.ok ? await reply.json() : {}) as { issuer?: string | null };
  return typeof issuer === 'string';
}

export async function signOut(): Promise<void> {
  await fetch('/sign-in', { method: 'DELETE', headers: PAGE, cache: 'no-store' }).catch(() => undefined);
}

export function connect({ key, onRefused }: Identity): Server {
  let lastId = 0;
  const identity: Record<string, string> = key === undefined ? PAGE : { Authorization: `Bearer ${key}` };

  async function rpc(
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<unknown> {
    const id = ++lastId;
    const token = `p${id}`;
    const body = {
      jsonrpc: '2.0',
      id,
      method,
      params: options.onProgress ? { ...params, _meta: { progressToken: token } } : params,
    };
    const headers = {
      Accept: 'application/json, text/event-stream',
      'Mcp-Protocol-Version': '2025-11-25',
    };
    const { reply, message } = await reached(() =>
      post('/mcp', body, headers, options.signal).then(async (reply) => ({
        reply,
        message: await readReply(reply, token, options.onProgress),
      })),
    );
    if (!message || message.error || message.result === undefined) throw refused(reply, message);
    return message.result;
  }

  function post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    return fetch(path, {
      method: 'POST',
      headers: { ...identity, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      credentials: key === undefined ? 'same-origin' : 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal,
    });
  }

  function refused(reply: Response, message: RpcMessage | undefined): ServerError {
    const error = refusal(reply, message);
    if (reply.status === 401) onRefused?.(error);
    return error;
  }

  return {
    async call<T>(tool: string, args: Record<string, unknown>, options?: CallOptions) {
      const params = { name: tool, arguments: args };
      return content((await rpc('tools/call', params, options)) as ToolAnswer) as T;
    },
    async tools() {
      const { tools } = (await rpc('tools/list', {})) as { tools: { name: string }[] };
      return new Set(tools.map((tool) => tool.name));
    },
    async admin<T>(action: string, input: Record<string, unknown> = {}) {
      const { reply, message } = await reached(() =>
        post('/admin', { action, ...input }).then(async (answer) => ({
          reply: answer,
          message: (await answer.json().catch(() => undefined)) as RpcMessage | undefined,
        })),
      );
      if (!reply.ok) throw refused(reply, message);
      return message as T;
    },
  };
}

export async function health(): Promise<HealthReport> {
  const init: RequestInit = { credentials: 'omit', cache: 'no-store', redirect: 'error' };
  const reply = await reached(() => fetch('/health', init));
  if (!reply.ok) throw refusal(reply, undefined);
  return (await reply.json()) as HealthReport;
}

/** fetch says no more than that it failed. */
async function reached<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof TypeError ? OFFLINE : error;
  }
}

async function readReply(
  reply: Response,
  token: string,
  onProgress: CallOptions['onProgress'],
): Promise<RpcMessage | undefined> {
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream') || !reply.body) {
    return (await reply.json().catch(() => undefined)) as RpcMessage | undefined;
  }
  let last: RpcMessage | undefined;
  await readEvents(reply.body, (data) => {
    const message = JSON.parse(data) as RpcMessage;
    if (message.method === 'notifications/progress') {
      if (message.params?.progressToken === token) onProgress?.(message.params);
    } else if (message.id !== undefined) last = message;
  });
  return last;
}

function content(answer: ToolAnswer): unknown {
  if (!answer.isError) return answer.structuredContent ?? {};
  const text = answer.content?.find((part) => part.type === 'text')?.text ?? '';
  throw toolError(text);
}

/** Every toolset writes its errors as JSON with the same names; anything else is shown as it is. */
function toolError(text: string): ServerError {
  try {
    const { error } = JSON.parse(text) as {
      error: { message: string; hint?: string; suggestions?: string[] };
    };
    return new ServerError(error.message, error);
  } catch {
    return new ServerError(text.slice(0, 500) || 'The call failed.');
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
