// Which route a request asks for, and whether its method fits. Only exact paths exist; everything else is the page's.

import { refuse, type Refusal } from './verdict.ts';

export type Route =
  | 'mcp'
  | 'preflight'
  | 'admin'
  | 'health'
  | 'metrics'
  | 'sign-in'
  | 'sign-in-issuer'
  | 'sign-in-return'
  | 'resource-metadata'
  | 'page';

const PLACE = '/.well-known/oauth-protected-resource';
export const RETURN_PATH = '/sign-in/return';

interface RouteInfo {
  route: Route;
  path: string;
  methods: readonly string[];
  /** For the reference. */
  what: string;
}

export const ROUTES: readonly RouteInfo[] = [
  { route: 'mcp', path: '/mcp', methods: ['POST'], what: 'MCP: JSON-RPC with a key, in every revision' },
  {
    route: 'preflight',
    path: '/mcp',
    methods: ['OPTIONS'],
    what: 'CORS preflight, for allowed origins',
  },
  {
    route: 'admin',
    path: '/admin',
    methods: ['POST'],
    what: 'an action of the admin API, such as `{"action":"session"}`, with the scopes of the key; for the page',
  },
  {
    route: 'health',
    path: '/health',
    methods: ['GET', 'HEAD'],
    what: 'whether the server and the services it depends on work; with `?strict=1`, 503 unless all do',
  },
  {
    route: 'metrics',
    path: '/metrics',
    methods: ['GET'],
    what: 'Prometheus metrics, for a key with the admin scope',
  },
  {
    route: 'sign-in',
    path: '/sign-in',
    methods: ['POST', 'DELETE', 'GET'],
    what: 'signs a browser in with a one-time code or a key, and out; says whether single sign-on is set up; for the page',
  },
  {
    route: 'sign-in-issuer',
    path: '/sign-in/issuer',
    methods: ['GET'],
    what: 'sends a browser to the issuer of `--oauth` to sign in',
  },
  {
    route: 'sign-in-return',
    path: RETURN_PATH,
    methods: ['GET'],
    what: 'where the issuer sends the browser back to',
  },
  ...[PLACE, `${PLACE}/mcp`].map((path) => ({
    route: 'resource-metadata' as const,
    path,
    methods: ['GET'],
    what: 'whose tokens are accepted (RFC 9728), with `--oauth`',
  })),
  { route: 'page', path: '/', methods: ['GET', 'HEAD'], what: 'the web page and its files' },
];

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
  const here = ROUTES.filter((one) => one.path === path);
  // Every other path may be a file of the page.
  const open = here.length > 0 ? here : ROUTES.filter((one) => one.route === 'page');
  const fits = open.find(({ methods }) => methods.includes(method));
  if (fits) return { ok: true, route: fits.route, path, query };
  if (here.length === 0) return notFound();
  const main = open[0]!;
  return refuse(405, 'method', 'This method is not allowed here.', {
    headers: { Allow: main.methods.join(', ') },
    hint:
      main.route === 'mcp'
        ? 'Send JSON-RPC with POST; there are no sessions and no event stream to open.'
        : undefined,
  });
}

/** A bridge that finds no OAuth at our address posts to paths of its own and shows its user what came back. */
export function notFound(): Refusal {
  return refuse(404, 'path', 'There is nothing at this address.', {
    hint:
      'MCP is served at /mcp, to requests with a key in `Authorization: Bearer vai-mcp-key-…`. ' +
      'The owner of the server creates one with `vai mcp-server generate-key`.',
  });
}
