// The one place where an exception becomes an answer. Whatever a handler throws would reach the client verbatim through
// the SDK (even a driver's error with its host name), so every handler is wrapped here: known errors show their message,
// unknown ones a fixed sentence with an id that the log also carries.

import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Log } from '../log.ts';
import { describeError, toVaiError, VaiError } from '../../domain/errors.ts';

export interface FailureContext {
  log: Log;
  newId: () => string;
}

/** A VaiError that is safe to show; our own faults get a correlation id and are logged with their cause. */
export function safeError(thrown: unknown, context: FailureContext, where: string): VaiError {
  const error = toVaiError(thrown);
  if (error.code !== 'INTERNAL') return error;
  const correlationId = context.newId();
  context.log.error('internal error', { correlationId, where, error: describeCause(error) });
  return new VaiError('INTERNAL', error.message, {
    hint: error.hint ?? 'Report this with the correlation id and the server log.',
    data: { ...error.data, correlationId },
    cause: error.cause,
  });
}

export function errorResult(text: string): CallToolResult {
  // Text only: an older client checks `structuredContent` of an error against the output schema and throws.
  return { content: [{ type: 'text', text }], isError: true };
}

/** For everything that is not a tool call: JSON-RPC errors with numbers the specification knows. */
export function protocolError(thrown: unknown, context: FailureContext, where: string): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const error = safeError(thrown, context, where);
  const internal = error.code === 'INTERNAL';
  return new ProtocolError(
    internal ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams,
    error.messageAndHint,
    describeError(error),
  );
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

export function resourceNotFound(uri: string): ProtocolError {
  return new ResourceNotFoundError(uri);
}

function describeCause(error: VaiError): unknown {
  const cause = error.cause;
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause.slice(0, 2_000) : typeof cause;
  return { name: cause.name, message: cause.message.slice(0, 2_000), stack: cause.stack?.slice(0, 8_000) };
}
