// Answers that the protocol did not produce: refusals, health, small JSON. Every refusal is JSON, in the shape of a
// JSON-RPC error so that MCP clients can read it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './guards/verdict.ts';

/** Unread bytes worth discarding to keep a connection; beyond that, closing it is cheaper. */
const SWALLOW_BYTES = 64 * 1024;
/** How much of a refused body is discarded, and for how long, before the connection is closed. */
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_MS = 2_000;

export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const;

const RPC_CODES: Record<number, number> = { 400: -32600, 500: -32603, 503: -32603 };

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

export function sendRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const code = refusal.reason === 'parse' ? -32700 : (RPC_CODES[refusal.status] ?? -32600);
  const body = {
    jsonrpc: '2.0',
    id: null,
    error: { code, message: refusal.message, ...(refusal.hint ? { data: { hint: refusal.hint } } : {}) },
  };
  if (!hasUnreadBody(request)) return sendJson(response, refusal.status, body, refusal.headers);
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(refusal.status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...refusal.headers,
    Connection: 'close',
  });
  response.write(text);
  linger(request, response);
}

/**
 * The whole answer is out, but a sender still sending would lose it if the connection were cut now (a proxy then reports
 * a broken server). So its bytes are thrown away for a moment first.
 */
function linger(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) end();
  });
  request.once('end', end);
  request.once('close', end);
  request.resume();
}

function hasUnreadBody(request: IncomingMessage): boolean {
  if (request.readableEnded || request.complete) return false;
  const length = request.headers['content-length'];
  if (length === undefined) return request.headers['transfer-encoding'] !== undefined;
  return Number(length) > SWALLOW_BYTES;
}
