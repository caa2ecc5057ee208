// One parsed request in, one answer out, in whichever era the client speaks. Common calls of the modern era are answered
// directly, the others by the SDK. Legacy requests get plain JSON, as the specification asks, except where the answer cannot be
// one JSON object: progress was asked for, or a batch was sent.

import {
  classifyInboundRequest,
  createMcpHandler,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { authInfo, type Factory, type RequestNotes } from '../protocol/factory.ts';
import type { Dispatcher } from '../protocol/dispatch.ts';
import { plainCall, type Direct, type ProtocolHeaders } from './direct.ts';
import { refuseParamHeaders } from './param-headers.ts';
import { webRequest } from './web.ts';

export interface Eras {
  answer(asked: Asked, notes: RequestNotes): Promise<Reply>;
  /** Aborts what still runs. */
  close(): Promise<void>;
}

export interface Asked {
  headers: ProtocolHeaders;
  body: unknown;
  /** Aborted when the client goes, or here when the server does. */
  gone: AbortController;
}

/** A JSON-RPC message to send as it is, or what the SDK answered. */
export type Reply = { message: object } | { response: Response };

export interface EraOptions {
  direct: Direct;
  dispatcher: () => Promise<Dispatcher>;
  onerror: (error: Error) => void;
  /** The server sends log messages, so even a plain legacy call may have more than one thing to say. */
  logs: boolean;
}

export function createEras(factory: Factory, { direct, dispatcher, onerror, logs }: EraOptions): Eras {
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror });
  const streaming = legacyStatelessFallback(factory, onerror);
  const running = new Set<() => void>();

  async function answerDirectly(asked: Asked, notes: RequestNotes, route: Route): Promise<Reply | undefined> {
    const call = plainCall(asked.headers, route);
    if (!call) return undefined;
    const abort = (): void => asked.gone.abort(STOPPING);
    running.add(abort);
    try {
      const message = await direct(call, notes, asked.gone.signal);
      return message && (asked.gone.signal.aborted ? { response: unanswered(asked) } : { message });
    } finally {
      running.delete(abort);
    }
  }

  async function answerLegacy(asked: Asked, notes: RequestNotes): Promise<Response> {
    const { body: parsedBody, gone } = asked;
    const request = webRequest(asked.headers, gone.signal);
    const options = { parsedBody, authInfo: authInfo(notes) };
    if (logs || Array.isArray(parsedBody) || wantsProgress(parsedBody)) return streaming(request, options);
    const server = factory({ era: 'legacy', authInfo: options.authInfo, requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    const close = (): Promise<void> => server.close();
    const stop = (): void => gone.abort(STOPPING);
    running.add(stop);
    request.signal.addEventListener('abort', () => void close(), { once: true });
    try {
      await server.connect(transport);
      return await Promise.race([transport.handleRequest(request, options), whenGone(asked)]);
    } finally {
      running.delete(stop);
      queueMicrotask(() => void close());
    }
  }

  return {
    async answer(asked, notes) {
      const route = classify(asked);
      if (route.kind === 'legacy') return { response: await answerLegacy(asked, notes) };
      const refused = refuseParamHeaders(await dispatcher(), asked.headers, route);
      if (refused) return { response: refused };
      const reply = await answerDirectly(asked, notes, route);
      if (reply) return reply;
      const request = webRequest(asked.headers, asked.gone.signal);
      return {
        response: await modern.fetch(request, { parsedBody: asked.body, authInfo: authInfo(notes) }),
      };
    },
    async close() {
      for (const stop of running) stop();
      await modern.close().catch(() => {});
    },
  };
}

type Route = ReturnType<typeof classifyInboundRequest>;

/** What the SDK's own entry decides by. */
function classify({ headers, body }: Asked): Route {
  const version = headers['mcp-protocol-version'];
  const method = headers['mcp-method'];
  const name = headers['mcp-name'];
  return classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
    ...(name === undefined ? {} : { mcpNameHeader: name }),
  });
}

/** Why a call ends without its answer though its client is there. */
const STOPPING = 'stopping';

function unanswered({ body, gone }: Asked): Response {
  if (gone.signal.reason !== STOPPING) return new Response(null, { status: 499 });
  const id = (body as { id?: unknown } | null)?.id ?? null;
  const error = {
    code: -32603,
    message: 'The server is stopping.',
    data: { hint: 'Try again in a moment.' },
  };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 503, headers: { 'Retry-After': '1' } });
}

/** The SDK's JSON mode never answers a request it has aborted; without this the promise would be kept forever. */
function whenGone(asked: Asked): Promise<Response> {
  return new Promise((resolve) => {
    asked.gone.signal.addEventListener('abort', () => resolve(unanswered(asked)), { once: true });
  });
}

function wantsProgress(body: unknown): boolean {
  const meta = (body as { params?: { _meta?: { progressToken?: unknown } } } | null)?.params?._meta;
  return meta?.progressToken !== undefined;
}
