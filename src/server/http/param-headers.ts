// Arguments that a tool wants repeated in a header (`x-mcp-header` in its schema), so that a proxy can route by them: what
// the header says must be what the body says. The SDK checks this for its other kind of server only.

import type { InboundClassificationOutcome } from '@modelcontextprotocol/server';
import { isObject } from '../../domain/object.ts';
import type { Dispatcher } from '../protocol/dispatch.ts';
import type { ProtocolHeaders } from './direct.ts';

const PREFIX = 'mcp-param-';
const HEADER_MISMATCH = -32020;
const ENCODED = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The refusal of a call whose headers are not those its arguments ask for. */
export function refuseParamHeaders(
  dispatcher: Dispatcher,
  headers: ProtocolHeaders,
  route: InboundClassificationOutcome,
): Response | undefined {
  if (route.kind !== 'modern' || route.messageKind !== 'request') return undefined;
  const { id, method, params } = route.message;
  const { name, arguments: values } = (params ?? {}) as { name?: unknown; arguments?: unknown };
  if (method !== 'tools/call' || typeof name !== 'string' || !isObject(values)) return undefined;
  for (const [argument, header] of dispatcher.headersOf(name)) {
    const value = values[argument];
    if (value === undefined || value === null || isSame(headers[PREFIX + header.toLowerCase()], value))
      continue;
    const error = {
      code: HEADER_MISMATCH,
      message: `The header \`Mcp-Param-${header}\` must repeat the argument \`${argument}\`.`,
    };
    return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
  }
  return undefined;
}

function isSame(header: string | undefined, value: unknown): boolean {
  const text = header === undefined ? undefined : decoded(header);
  if (text === undefined) return false;
  return typeof value === 'number' ? text.trim() !== '' && Number(text) === value : text === String(value);
}

/** Undefined where it claims to be encoded and is not. */
function decoded(header: string): string | undefined {
  const inner = ENCODED.exec(header)?.[1];
  if (inner === undefined) return header;
  return BASE64.test(inner) ? Buffer.from(inner, 'base64').toString('utf8') : undefined;
}

export function isParamHeader(name: string): boolean {
  return name.startsWith(PREFIX);
}
