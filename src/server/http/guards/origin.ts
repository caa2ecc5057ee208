// Against web pages. Only a browser sends `Origin`, so its absence passes; a present one must be a page of this
// server's own host names or one allowed by name. `null` (a sandboxed frame, a local file) is refused, and so is
// anything but a web page: an extension may claim any host name.

import { validateOriginHeader } from '@modelcontextprotocol/server';
import { PASS, refuse, type Verdict } from './verdict.ts';

export interface OriginGuard {
  /** Host names whose pages may call, on any port. */
  names: string[];
  /** Exact origins allowed by flag: these also get CORS headers. */
  exact: Set<string>;
}

export function originGuard(hostNames: readonly string[], allowed: readonly string[]): OriginGuard {
  const exact = new Set<string>();
  const names = [...hostNames];
  for (const entry of allowed) {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(entry)) exact.add(normalised(entry));
    else names.push(entry.toLowerCase());
  }
  return { names, exact };
}

export function checkOrigin(guard: OriginGuard, header: string | undefined): Verdict {
  if (header === undefined) return PASS;
  if (guard.exact.has(normalised(header))) return PASS;
  if (/^https?:\/\//i.test(header) && validateOriginHeader(header, guard.names).ok) return PASS;
  return refuse(403, 'origin', 'This Origin may not call the server.', {
    hint: 'Start the server with --allowed-origin <origin> to allow a web page.',
  });
}

/** Headers that let an explicitly allowed page read the answer; nothing for anyone else. */
export function corsHeaders(guard: OriginGuard, header: string | undefined): Record<string, string> {
  if (header === undefined || !guard.exact.has(normalised(header))) return {};
  return {
    'Access-Control-Allow-Origin': header,
    'Access-Control-Allow-Headers': 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name',
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Max-Age': '600',
    Vary: 'Origin',
  };
}

function normalised(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '');
}
