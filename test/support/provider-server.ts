// A provider on loopback: the test gives it its wire format; it keeps every request and plays the failures it is told to.

import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

export interface ProviderRequest {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

export type Reply =
  | { status?: number; body?: unknown; headers?: Record<string, string> }
  /** Text that is sent as it is: a page, or JSON that ends too early. */
  | { text: string }
  /** The connection is reset before any answer. */
  | 'drop'
  /** No answer until the client goes away. */
  | 'hang';

export interface FakeProvider {
  base: string;
  requests: ProviderRequest[];
  maxInFlight: number;
  /** Replies to the next requests; afterwards `answer` decides. */
  play(...replies: Reply[]): void;
  /** Forgets the replies that were not needed. */
  clear(): void;
  close(): Promise<void>;
}

/** AWS's client speaks HTTP/2 to Bedrock, the others HTTP/1. */
export async function startProvider(
  answer: (request: ProviderRequest) => unknown,
  options: { http2?: boolean } = {},
): Promise<FakeProvider> {
  const sessions = new Set<ServerHttp2Session>();
  const script: Reply[] = [];
  let inFlight = 0;
  const fake: FakeProvider = {
    base: '',
    requests: [],
    maxInFlight: 0,
    play: (...replies) => void script.push(...replies),
    clear: () => void (script.length = 0),
    close: () =>
      new Promise((resolve) => {
        for (const session of sessions) session.destroy();
        if ('closeAllConnections' in server) server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const listener: RequestListener = (request, response) => {
    void readText(request).then((text) => {
      inFlight += 1;
      fake.maxInFlight = Math.max(fake.maxInFlight, inFlight);
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const asked = { path: request.url ?? '', headers: request.headers, body };
      fake.requests.push(asked);
      const reply = script.shift() ?? { body: answer(asked) };
      setImmediate(() => {
        inFlight -= 1;
        if (reply === 'hang') return;
        if (reply === 'drop') return void request.socket.destroy();
        if ('text' in reply) return void response.writeHead(200).end(reply.text);
        response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
        response.end(JSON.stringify(reply.body ?? {}));
      });
    });
  };
  const server = options.http2
    ? createHttp2Server(listener as never).on('session', (session) => sessions.add(session))
    : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}
