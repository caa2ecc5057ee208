// Answers that the protocol did not produce: refusals, health, small JSON. Every refusal is JSON, in the shape of a
// JSON-RPC error so that MCP clients can read it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './guards/verdict.ts';

/** Unread bytes worth swallowing to keep a connection; more is cheaper to cut. */
const SWALLOW_BYTES = 64 * 1024;

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
  sendJson(response, refusal.status, body, {
    ...refusal.headers,
    ...(hasUnreadBody(request) ? { Connection: 'close' } : {}),
  });
}

function hasUnreadBody(request: IncomingMessage): boolean {
  if (request.readableEnded || request.complete) return false;
  const length = request.headers['content-length'];
  if (length === undefined) return request.headers['transfer-encoding'] !== undefined;
  return Number(length) > SWALLOW_BYTES;
}
