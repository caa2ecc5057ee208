// Lines in, lines out. Differs from the SDK's own stdio transport in three ways: a malformed or oversized line gets a
// JSON-RPC error instead of silence and the connection lives on; nothing else can reach stdout; and at end of input
// requests already read are still answered for a moment, so that a script may pipe its requests in.

import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { JSONRPC_VERSION, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { checkShape } from '../protocol/shape.ts';

const MAX_LINE_BYTES = 10 * 1024 * 1024;
const EOF_GRACE_MS = 2_000;
const EDGE = 200;

export interface LineTransportOptions {
  input: Readable;
  write: (text: string, done: (error?: Error | null) => void) => boolean;
  maxLineBytes?: number;
}

export function createLineTransport(options: LineTransportOptions): Transport {
  const { input, write, maxLineBytes = MAX_LINE_BYTES } = options;
  const decoder = new StringDecoder('utf8');
  /** Requests read and not yet answered. */
  const open = new Set<string | number>();
  let parts: string[] = [];
  let length = 0;
  /** The first and last characters of a line that is too long, from which its id is read. */
  let skipped: { head: string; tail: string } | undefined;
  let ended = false;
  let closed = false;
  let graceTimer: NodeJS.Timeout | undefined;

  const send = (message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });

  const refuse = (code: number, message: string, id: string | number | null = null): void => {
    send({ jsonrpc: JSONRPC_VERSION, id, error: { code, message } }).catch((error: Error) =>
      transport.onerror?.(error),
    );
  };

  const onLine = (line: string): void => {
    if (line.trim() === '') return;
    if (checkShape(line) !== 'ok')
      return refuse(-32600, 'Invalid request: nested too deeply or too many values', idAtEdge(line, line));
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return refuse(-32700, 'Parse error: the line is not JSON');
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      return refuse(-32600, 'Invalid request: not a JSON-RPC 2.0 message', idOf(value));
    }
    if ('method' in message && 'id' in message) open.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = (message.params as { requestId?: string | number } | undefined)?.requestId;
      if (id !== undefined) settle(id);
    }
    transport.onmessage?.(message);
  };

  const skip = (text: string): void => {
    skipped ??= { head: (parts.join('') + text).slice(0, EDGE), tail: '' };
    skipped.tail = (skipped.tail + text).slice(-EDGE);
    parts = [];
  };

  const endLine = (text: string): void => {
    if (skipped || length + text.length > maxLineBytes) {
      skip(text);
      const id = idAtEdge(skipped!.head, skipped!.tail);
      refuse(-32600, `Invalid request: a line may hold at most ${maxLineBytes} bytes`, id);
    } else {
      onLine(parts.join('') + text);
    }
    parts = [];
    length = 0;
    skipped = undefined;
  };

  const onData = (chunk: Buffer): void => {
    let text = decoder.write(chunk);
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      endLine(text.slice(0, end));
      text = text.slice(end + 1);
    }
    length += text.length;
    if (length > maxLineBytes) skip(text);
    else parts.push(text);
  };

  const settle = (id: string | number): void => {
    open.delete(id);
    if (ended && open.size === 0) void transport.close();
  };

  const onEnd = (): void => {
    if (ended) return;
    ended = true;
    if (open.size === 0) void transport.close();
    else graceTimer = setTimeout(() => void transport.close(), EOF_GRACE_MS);
  };

  const transport: Transport = {
    async start() {
      input.on('data', onData);
      input.on('end', onEnd);
      input.on('close', onEnd);
      input.on('error', onEnd);
      if (input.readableEnded || input.destroyed) setImmediate(onEnd);
    },
    async send(message) {
      if (closed) return;
      await send(message);
      if (!('method' in message) && message.id !== undefined) settle(message.id);
    },
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(graceTimer);
      input.off('data', onData);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}

// A client waits for the answer to its id, so a request that is refused unread is answered under it all the same.
// Clients write the id next to the version, at the beginning or at the end of the message.
const FIRST = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*("[^"\\]*"|\d+)\s*,\s*"method"/;
const LAST = /"id"\s*:\s*("[^"\\]*"|\d+)\s*\}\s*$/;
const METHOD_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/;

function idAtEdge(start: string, end: string): string | number | null {
  const head = start.slice(0, EDGE);
  const found = FIRST.exec(head) ?? (METHOD_FIRST.test(head) ? LAST.exec(end.slice(-EDGE)) : null);
  return found ? (JSON.parse(found[1]!) as string | number) : null;
}

function idOf(value: unknown): string | number | null {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
