// Error numbers as revisions before 2026-07-28 have them. The SDK sends those of the newest revision to every client, so
// what it sends is corrected on its way to the transport.

import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';

export function keepLegacyCodes(server: Server): void {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withLegacyCode(message), options);
    return connect(transport);
  };
}

/** Invalid parameters whose data is an address and nothing else: a resource that is not there. */
function withLegacyCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || (message.error.code as ProtocolErrorCode) !== ProtocolErrorCode.InvalidParams)
    return message;
  const data = message.error.data as { uri?: unknown } | undefined;
  if (typeof data?.uri !== 'string' || Object.keys(data).length !== 1) return message;
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } };
}
