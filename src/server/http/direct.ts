// The common call without the SDK: a `tools/call` of the modern era that wants one JSON object back. The SDK makes a web
// request, a server, a transport, a stream and a web response for it, which takes longer than a search. Whatever is
// unusual about a call is left to the SDK, and a test holds both answers equal to the byte.

import {
  BAGGAGE_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SERVER_INFO_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '@modelcontextprotocol/server';
import type { CallToolResult, InboundClassificationOutcome } from '@modelcontextprotocol/server';
import { isObject } from '../../domain/object.ts';
import { identityOf, type FactoryOptions, type RequestNotes } from '../protocol/factory.ts';
import { serve } from '../protocol/serve.ts';
import { knowsTasks } from '../protocol/client-extensions.ts';

const REVISION = '2026-07-28';
const METHOD = 'tools/call';
/** Anything else in `_meta` (progress, a log level) may ask for more than one answer. */
const PLAIN_META = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
  BAGGAGE_META_KEY,
]);
const PLAIN_PARAMS = new Set(['name', 'arguments', '_meta']);

export interface PlainCall {
  id: string | number;
  name: string;
  values: Record<string, unknown>;
  /** The client takes a task for an answer. */
  tasks: boolean;
}

export type ProtocolHeaders = Readonly<Record<string, string>>;

/** The call, if the SDK's classification found nothing wrong with it and nothing about it is unusual. */
export function plainCall(
  headers: ProtocolHeaders,
  route: InboundClassificationOutcome,
): PlainCall | undefined {
  if (route.kind !== 'modern' || route.messageKind !== 'request') return undefined;
  const { id, method, params } = route.message;
  if (method !== METHOD || headers['mcp-method'] !== METHOD) return undefined;
  if (route.classification.revision !== REVISION || headers['mcp-protocol-version'] !== REVISION)
    return undefined;
  if (!params || !holdsOnly(params, PLAIN_PARAMS) || !holdsOnly(params._meta ?? {}, PLAIN_META))
    return undefined;
  const { name, arguments: values = {} } = params as { name?: unknown; arguments?: unknown };
  if (typeof name !== 'string' || headers['mcp-name'] !== name || !isObject(values)) return undefined;
  return { id, name, values, tasks: knowsTasks(params._meta) };
}

export type Direct = (
  call: PlainCall,
  notes: RequestNotes,
  signal: AbortSignal,
) => Promise<object | undefined>;

/** Answers with the JSON-RPC message, or with nothing where there is no such tool or the call may become a task. */
export function createDirect(options: FactoryOptions): Direct {
  const signature = { [SERVER_INFO_META_KEY]: identityOf(options) };

  return async ({ id, name, values, tasks }, notes, signal) => {
    const dispatcher = await options.dispatcher();
    const { principal } = notes;
    if (!dispatcher.hasTool(name) || (tasks && dispatcher.isLong(name, values, principal))) return undefined;
    const channels = notes.channels ?? options.channels;
    try {
      const { report, audit } = notes;
      const call = { principal, signal };
      const asked = { where: METHOD, call, channels, report, ...(audit ? { audit } : {}) };
      const result = await serve(options, asked, (served) => dispatcher.callTool(name, values, served));
      return { result: signed(result), jsonrpc: '2.0', id };
    } catch (thrown) {
      if (!(thrown instanceof ProtocolError)) throw thrown;
      const { code, message, data } = thrown;
      return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
  };

  function signed(result: CallToolResult): object {
    return { ...result, resultType: 'complete', _meta: { ...result._meta, ...signature } };
  }
}

function holdsOnly(record: object, known: ReadonlySet<string>): boolean {
  for (const key in record) if (!known.has(key)) return false;
  return true;
}
