// The only way out of the page: POST /mcp, GET /health, and /sign-in. A browser that is signed in sends its cookie, which
// no script can read; one that is not sends a key, which lives in the closure of one connection and is written nowhere.

import type { Measures } from './measure.ts';
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
}

export interface Server {
  call<T>(tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<T>;
  /** Names of the tools this key may use. */
  tools(): Promise<ReadonlySet<string>>;
}

/** What went wrong, in words to show, with what to do about it. */
export class ServerError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly suggestions: readonly string[];

  constructor(code: string, message: string, more: { hint?: string; suggestions?: string[] } = {}) {
    super(message);
    this.code = code;
    this.hint = more.hint;
    this.suggestions = more.suggestions ?? [];
  }
}

interface RpcMessage {
  id?: number | string | null;
  method?: string;
  params?: Progress & { progressToken?: string | number };
  result?: unknown;
  error?: { code: number; message: string; data?: { hint?: string } };
}

interface ToolAnswer {
  isError?: boolean;
  structuredContent?: unknown;
  content?: { type: string; text?: string }[];
}

const OFFLINE = new ServerError('OFFLINE', 'The server does not answer.', {
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
  if (reply.ok) return;
  const { error } = (await reply.json().catch(() => ({}))) as RpcMessage;
  throw new ServerError(
    codeOf(reply.status),
    error?.message ?? `The server answered with status ${reply.status}.`,
    {
      ...(error?.data?.hint ? { hint: error.data.hint } : {}),
    },
  );
}

export async function signOut(): Promise<void> {
  await fetch('/sign-in', { method: 'DELETE', headers: PAGE, cache: 'no-store' }).catch(() => undefined);
}

export function connect({ key, onRefused }: Identity, measures: Measures): Server {
  let lastId = 0;
  const identity: Record<string, string> = key === undefined ? PAGE : { Authorization: `Bearer ${key}` };

  async function rpc(
    what: string,
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
    const response = await timed(measures, what, () =>
      fetch('/mcp', {
        method: 'POST',
        headers: {
          ...identity,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'Mcp-Protocol-Version': '2025-11-25',
        },
        body: JSON.stringify(body),
        credentials: key === undefined ? 'same-origin' : 'omit',
        cache: 'no-store',
        redirect: 'error',
        ...(options.signal ? { signal: options.signal } : {}),
      }).then(async (reply) => ({ reply, message: await readReply(reply, token, options.onProgress) })),
    );
    const { reply, message } = response;
    if (message?.error) {
      const error = new ServerError(codeOf(reply.status), message.error.message, {
        ...(message.error.data?.hint ? { hint: message.error.data.hint } : {}),
      });
      if (reply.status === 401) onRefused?.(error);
      throw error;
    }
    if (!message || message.result === undefined) {
      throw new ServerError(codeOf(reply.status), `The server answered with status ${reply.status}.`);
    }
    return message.result;
  }

  return {
    async call<T>(tool: string, args: Record<string, unknown>, options?: CallOptions) {
      const params = { name: tool, arguments: args };
      return content((await rpc(tool, 'tools/call', params, options)) as ToolAnswer) as T;
    },
    async tools() {
      const { tools } = (await rpc('tools/list', 'tools/list', {})) as { tools: { name: string }[] };
      return new Set(tools.map((tool) => tool.name));
    },
  };
}

export async function health(measures: Measures, signal?: AbortSignal): Promise<HealthReport> {
  const init: RequestInit = { credentials: 'omit', cache: 'no-store', redirect: 'error' };
  return timed(measures, '/health', async () => {
    const reply = await fetch('/health', { ...init, ...(signal ? { signal } : {}) });
    if (!reply.ok) throw new ServerError('HTTP', `The server answered with status ${reply.status}.`);
    return (await reply.json()) as HealthReport;
  });
}

async function timed<T>(measures: Measures, what: string, run: () => Promise<T>): Promise<T> {
  const at = Date.now();
  const start = performance.now();
  const done = (ok: boolean): void => measures.add({ at, what, ms: performance.now() - start, ok });
  try {
    const value = await run();
    const { reply, message } = value as { reply?: Response; message?: RpcMessage };
    const failed = (message?.result as ToolAnswer | undefined)?.isError ?? false;
    done((reply?.status ?? 200) < 400 && !failed);
    return value;
  } catch (error) {
    if (isAbort(error)) throw error;
    done(false);
    // fetch says no more than that it failed.
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
      error: { code: string | number; message: string; hint?: string; suggestions?: string[] };
    };
    return new ServerError(String(error.code), error.message, error);
  } catch {
    return new ServerError('TOOL', text.slice(0, 500) || 'The call failed.');
  }
}

function codeOf(status: number): string {
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 429) return 'RATE_LIMITED';
  return 'HTTP';
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
