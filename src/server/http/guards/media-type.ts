// The body of a call must say that it is JSON: other types are what a web form can send across origins without asking.

import { isJsonContentType } from '@modelcontextprotocol/server';
import { PASS, refuse, type Verdict } from './verdict.ts';

export function checkMediaType(contentType: string | undefined, encoding: string | undefined): Verdict {
  if (!isJsonContentType(contentType ?? '')) {
    return refuse(415, 'media type', 'The body must be sent as application/json.', {
      hint: 'Add the header `Content-Type: application/json`.',
    });
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return refuse(415, 'encoding', 'Compressed bodies are not accepted.');
  }
  return PASS;
}

/**
 * The SDK insists that a legacy client names both types; plain tools name none or everything. A client that accepts
 * only something else gets a 406.
 */
export function completedAccept(accept: string | undefined): string {
  const both = 'application/json, text/event-stream';
  return accept === undefined || accept.trim() === '' || /^\s*\*\/\*\s*(;.*)?$/.test(accept) ? both : accept;
}
