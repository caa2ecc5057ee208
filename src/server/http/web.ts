// Between node's requests and the web-standard ones the SDK takes. The body is handed over parsed and only the headers
// the protocol reads travel along: neither the key nor a cookie ever reaches a handler.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProtocolHeaders } from './direct.ts';
import { completedAccept } from './guards/media-type.ts';
import { isParamHeader } from './param-headers.ts';
import { SECURITY_HEADERS } from './reply.ts';

const PROTOCOL_HEADERS = [
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
];

export function protocolHeaders(request: IncomingMessage): ProtocolHeaders {
  const headers: Record<string, string> = {
    accept: completedAccept(request.headers.accept),
    'content-type': 'application/json',
  };
  for (const name of PROTOCOL_HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  for (const name in request.headers) {
    const value = request.headers[name];
    if (isParamHeader(name) && typeof value === 'string') headers[name] = value;
  }
  return headers;
}

export function webRequest(headers: ProtocolHeaders, signal: AbortSignal): Request {
  return new Request('http://vai.invalid/mcp', { method: 'POST', headers, signal });
}

export async function sendWeb(
  response: ServerResponse,
  answer: Response,
  extra: Record<string, string>,
): Promise<void> {
  const type = answer.headers.get('content-type');
  const headers: Record<string, string | number> = { ...SECURITY_HEADERS, ...extra };
  for (const [name, value] of answer.headers) if (name !== 'cache-control') headers[name] = value;
  if (response.destroyed) return cancel(answer);
  if (type?.startsWith('text/event-stream')) {
    response.writeHead(answer.status, headers);
    // So that the client's side opens even when the first event is long in coming.
    response.flushHeaders();
    await pump(response, answer);
    return;
  }
  const text = await answer.text();
  headers['content-length'] = Buffer.byteLength(text);
  response.writeHead(answer.status, headers);
  response.end(text);
}

async function pump(response: ServerResponse, answer: Response): Promise<void> {
  if (!answer.body) {
    response.end();
    return;
  }
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  try {
    for await (const chunk of answer.body) {
      if (response.destroyed) break;
      if (!response.write(chunk)) {
        await Promise.race([new Promise<void>((resolve) => response.once('drain', resolve)), closed]);
      }
    }
  } catch {
    // The stream ends early when the client goes or the server shuts down; both are known elsewhere.
  }
  response.end();
}

function cancel(answer: Response): Promise<void> {
  return answer.body?.cancel().catch(() => {}) ?? Promise.resolve();
}
