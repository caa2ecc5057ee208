// Which route a request asks for, and whether its method fits. Only exact paths exist; everything else is the page's.

import { refuse, type Refusal } from './verdict.ts';

export type Route = 'mcp' | 'preflight' | 'health' | 'metrics' | 'page';

const ALLOWED: Record<Exclude<Route, 'preflight'>, string[]> = {
  mcp: ['POST'],
  health: ['GET', 'HEAD'],
  metrics: ['GET'],
  page: ['GET', 'HEAD'],
};

export interface Routed {
  ok: true;
  route: Route;
  path: string;
  query: string;
}

export function route(method: string, url: string): Routed | Refusal {
  const at = url.indexOf('?');
  const path = at === -1 ? url : url.slice(0, at);
  const query = at === -1 ? '' : url.slice(at + 1);
  const name =
    path === '/mcp' ? 'mcp' : path === '/health' ? 'health' : path === '/metrics' ? 'metrics' : 'page';
  if (name === 'mcp' && method === 'OPTIONS') return { ok: true, route: 'preflight', path, query };
  if (ALLOWED[name].includes(method)) return { ok: true, route: name, path, query };
  if (name === 'page' && path !== '/') return notFound();
  const allow = ALLOWED[name].join(', ');
  return refuse(405, 'method', 'This method is not allowed here.', {
    headers: { Allow: allow },
    hint:
      name === 'mcp'
        ? 'Send JSON-RPC with POST; there are no sessions and no event stream to open.'
        : undefined,
  });
}

/** A bridge that finds no OAuth at our address posts to paths of its own and shows its user what came back. */
function notFound(): Refusal {
  return refuse(404, 'path', 'There is nothing at this address.', {
    hint:
      'MCP is served at /mcp, to requests with a key in `Authorization: Bearer vai-mcp-key-…`. ' +
      'Its owner makes one with `vai mcp-server generate-key`.',
  });
}
