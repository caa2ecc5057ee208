// A server that takes the tokens of an issuer, under a public name as behind a proxy: the name is part of every token, and
// the port is not known before the server listens.

import type { OAuthSettings } from '../../../src/config/index.ts';
import { createJsonFetcher } from '../../../src/sources/web/json.ts';
import { httpServer, type TestServer } from './http.ts';

export const RULES: OAuthSettings['access'] = [
  { groups: ['editors'], scopes: ['read', 'write'], collections: ['public'] },
  { scopes: ['read'], collections: '*' },
];

export interface OAuthServer extends TestServer {
  resource: string;
  /** Leads requests for the server's public name to where it listens, as a proxy does. */
  fetch: typeof fetch;
}

export async function serverOf(
  issuer: { url: string },
  { name = 'vai', ...more }: Partial<OAuthSettings> & { name?: string } = {},
): Promise<OAuthServer> {
  const resource = `https://${name}.example.com/mcp`;
  const settings: OAuthSettings = {
    issuer: issuer.url,
    resource,
    audience: [resource],
    scopes: { 'vai:read': 'read', 'vai:write': 'write' },
    scopeClaims: ['scope'],
    groupsClaim: 'groups',
    access: RULES,
    ...more,
  };
  const ask = createJsonFetcher({ userAgent: 'test', allowPrivate: [new URL(issuer.url).host] });
  const server = await httpServer({ oauth: { settings, ask } });
  const toServer = (url: string): string => url.replace(new URL(resource).origin, server.url);
  return {
    ...server,
    resource,
    fetch: (input, init) => fetch(toServer(input instanceof Request ? input.url : input.toString()), init),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
