// One parsed request in, one web response out, in whichever era the client speaks. Legacy requests get plain JSON, as
// the seed asks, except where the answer cannot be one JSON object: progress was asked for, or a batch was sent.

import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Factory } from '../protocol/factory.ts';

export interface Eras {
  answer(request: Request, body: unknown, authInfo: AuthInfo): Promise<Response>;
  /** Aborts what still runs. */
  close(): Promise<void>;
}

export interface EraOptions {
  onerror: (error: Error) => void;
  /** The server sends log messages, so even a plain legacy call may have more than one thing to say. */
  logs: boolean;
}

export function createEras(factory: Factory, { onerror, logs }: EraOptions): Eras {
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror });
  const streaming = legacyStatelessFallback(factory, onerror);
  const running = new Set<() => Promise<void>>();

  return {
    async answer(request, parsedBody, authInfo) {
      if (!(await isLegacyRequest(request, parsedBody)))
        return modern.fetch(request, { parsedBody, authInfo });
      if (logs || Array.isArray(parsedBody) || wantsProgress(parsedBody))
        return streaming(request, { parsedBody, authInfo });
      const server = factory({ era: 'legacy', authInfo, requestInfo: request });
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: undefined,
        enableJsonResponse: true,
      });
      const close = (): Promise<void> => server.close();
      running.add(close);
      request.signal.addEventListener('abort', () => void close(), { once: true });
      try {
        await server.connect(transport);
        return await Promise.race([
          transport.handleRequest(request, { parsedBody, authInfo }),
          gone(request.signal),
        ]);
      } finally {
        running.delete(close);
        queueMicrotask(() => void close());
      }
    },
    async close() {
      await Promise.allSettled([modern.close(), ...[...running].map((close) => close())]);
    },
  };
}

/** The SDK's JSON mode never answers a request it has aborted; without this the promise would be kept forever. */
function gone(signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(new Response(null, { status: 499 })), { once: true });
  });
}

function wantsProgress(body: unknown): boolean {
  const meta = (body as { params?: { _meta?: { progressToken?: unknown } } } | null)?.params?._meta;
  return meta?.progressToken !== undefined;
}
