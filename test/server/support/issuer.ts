// A real authorization server on a free port: people log in without a form, everybody is in the groups the test says, and
// its signing keys can be exchanged while it runs.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, jwtVerify, type CryptoKey, type JWK } from 'jose';
import Provider, { type Context } from 'oidc-provider';

const SCOPES = 'vai:read vai:write';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface TestIssuer extends AsyncDisposable {
  url: string;
  /** New signing keys; tokens signed before are no longer vouched for. */
  rotate(): Promise<void>;
  /** Does what a browser does: follows redirects with cookies until one leads elsewhere. */
  browse(start: string | URL): Promise<URL>;
  /** A token from the client credentials of a service. */
  serviceToken(resource: string): Promise<string>;
}

export interface TestIssuerOptions {
  person?: string;
  groups?: string[];
  /** Of the page, where it may sign in. */
  redirectUri?: string;
  /** Verifies identity assertions of the enterprise's own issuer: key and name. */
  enterprise?: { key: CryptoKey; issuer: string };
}

const SERVICE = { client_id: 'service', client_secret: 'a-secret-of-the-service' };
export const PAGE_CLIENT = 'page';
export const ENTERPRISE = { client_id: 'desk', client_secret: 'a-secret-of-the-desk' };

export async function testIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let turn = 0;
  const rotate = async (): Promise<void> => {
    const provider = providerAt(url, [await signingKey(`key-${++turn}`)], options);
    const answer = provider.callback();
    handle = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return answer(request, response);
      const login = { login: { accountId: options.person ?? 'anna' }, consent: {} };
      void provider.interactionFinished(request, response, login);
    };
  };
  await rotate();
  return {
    url,
    rotate,
    browse: (start) => browse(url, new URL(start)),
    async serviceToken(resource) {
      const reply = await fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({ ...SERVICE, grant_type: 'client_credentials', scope: SCOPES, resource }),
      });
      return ((await reply.json()) as { access_token: string }).access_token;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function signingKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
}

function providerAt(url: string, keys: JWK[], options: TestIssuerOptions): Provider {
  const resourceServer = (resource: string) => ({
    scope: SCOPES,
    audience: resource,
    accessTokenFormat: 'jwt',
    accessTokenTTL: 600,
    jwt: { sign: { alg: 'RS256' } },
  });
  const provider: Provider = new Provider(url, {
    jwks: { keys },
    cookies: { keys: ['only a test'] },
    clients: [
      {
        ...SERVICE,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope: SCOPES,
      },
      { ...ENTERPRISE, grant_types: [JWT_BEARER], redirect_uris: [], response_types: [], scope: SCOPES },
      ...(options.redirectUri
        ? [
            {
              client_id: PAGE_CLIENT,
              token_endpoint_auth_method: 'none',
              redirect_uris: [options.redirectUri],
              scope: SCOPES,
              // A web client may not come from plain http, and that is all a test has.
              application_type: 'native',
            },
          ]
        : []),
    ],
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
    scopes: ['offline_access', ...SCOPES.split(' ')],
    ttl: { AccessToken: 600, ClientCredentials: 600, Grant: 600, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (_context: Context, resource: string) => resourceServer(resource),
      },
    },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: async (_context: Context, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id }),
    }),
    extraTokenClaims: async () => ({ groups: options.groups ?? [] }),
    // Whoever logged in has agreed.
    async loadExistingGrant({ oidc }: Context) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(SCOPES);
      grant.addResourceScope(oidc.params['resource']!, SCOPES);
      await grant.save();
      return grant;
    },
  });
  if (options.enterprise) acceptAssertions(provider, url, options.enterprise, resourceServer);
  return provider;
}

/** What the authorization server of an enterprise does: an identity assertion in, an access token out. */
function acceptAssertions(
  provider: Provider,
  url: string,
  { key, issuer }: NonNullable<TestIssuerOptions['enterprise']>,
  resourceServer: (resource: string) => object,
): void {
  provider.registerGrantType(
    JWT_BEARER,
    async (context) => {
      const { client, params } = context.oidc;
      const { payload } = await jwtVerify(params['assertion']!, key, {
        issuer,
        audience: url,
        typ: 'oauth-id-jag+jwt',
      });
      const resource = payload['resource'] as string;
      const token = new provider.AccessToken({ accountId: payload.sub, client, grantId: 'enterprise' });
      token.resourceServer = new provider.ResourceServer(resource, resourceServer(resource));
      token.scope = SCOPES;
      context.body = { access_token: await token.save(), token_type: 'Bearer', expires_in: 600 };
    },
    ['assertion', 'scope'],
  );
}

async function browse(issuer: string, start: URL): Promise<URL> {
  const jar = new Map<string, string>();
  let at = start;
  for (let hop = 0; hop < 10; hop += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    for (const line of reply.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split(/=(.*)/s) as [string, string];
      jar.set(name, value);
    }
    const location = reply.headers.get('location');
    if (location === null) throw new Error(`${at.pathname}: ${reply.status} ${await reply.text()}`);
    at = new URL(location, at);
    if (at.origin !== issuer) return at;
  }
  throw new Error('too many redirects');
}
