// The official client finds the issuer by itself, gets a token from a real authorization server and is let in; tokens that
// were made for somebody else, or whose key the issuer withdrew, are not.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Client,
  CrossAppAccessProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { generateKeyPair, SignJWT } from 'jose';
import { KEY } from '../support/http.ts';
import { ENTERPRISE, testIssuer, type TestIssuer } from '../support/issuer.ts';
import { RULES, serverOf, type OAuthServer } from '../support/oauth.ts';
import { as, call, rpc, send } from '../support/send.ts';

const CALLBACK = 'http://127.0.0.1:9/callback';

/** Keeps what the client wants kept. */
function provider(onAuthorize: (url: URL) => void): OAuthClientProvider & { token(): string } {
  const kept: Record<string, unknown> = {};
  return {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'test',
      redirect_uris: [CALLBACK],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept['client'] as never,
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'] as never,
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: onAuthorize,
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'] as string,
    token: () => (kept['tokens'] as { access_token: string }).access_token,
  };
}

interface SignedIn {
  tools: string[];
  token: string;
}

/** What a user of the client sees: it sends him to the issuer, and afterwards it works. */
async function signIn(server: OAuthServer, issuer: TestIssuer): Promise<SignedIn> {
  let asked: URL | undefined;
  const auth = provider((url) => (asked = url));
  const endpoint = new URL(server.resource);
  const first = new StreamableHTTPClientTransport(endpoint, { authProvider: auth, fetch: server.fetch });
  const client = (): Client => new Client({ name: 'test', version: '1' });
  await assert.rejects(client().connect(first), UnauthorizedError);
  const back = await issuer.browse(asked!);
  assert.equal(back.origin + back.pathname, CALLBACK);
  await first.finishAuth(back.searchParams);
  const connected = client();
  await connected.connect(
    new StreamableHTTPClientTransport(endpoint, { authProvider: auth, fetch: server.fetch }),
  );
  const { tools } = await connected.listTools();
  await connected.close();
  return { tools: tools.map(({ name }) => name), token: auth.token() };
}

const list = (server: OAuthServer, token: string) =>
  send(server, { headers: as(token), body: rpc('tools/list', {}) });

describe('a client with a token', () => {
  it('is led to the issuer and back', async () => {
    await using issuer = await testIssuer({ groups: ['editors'] });
    await using server = await serverOf(issuer);
    const bare = await send(server, {
      headers: { 'Content-Type': 'application/json' },
      body: rpc('tools/list', {}),
    });
    assert.equal(bare.status, 401);
    const challenge = String(bare.headers['www-authenticate']);
    const place = /resource_metadata="([^"]+)"/.exec(challenge)![1]!;
    assert.match(challenge, /scope="vai:read vai:write"/);
    const document = (await (await server.fetch(place)).json()) as Record<string, unknown>;
    assert.equal(document['resource'], server.resource);
    assert.deepEqual(document['authorization_servers'], [issuer.url]);

    const { tools, token } = await signIn(server, issuer);
    assert.ok(tools.includes('echo') && tools.includes('write_note'), tools.join());
    const write = (collection: string) =>
      send(server, { headers: as(token), body: call('write_note', { collection, text: 'x' }) });
    assert.ok(!(await write('public')).body.result.isError);
    assert.match(JSON.stringify((await write('secret')).body), /No such collection/);
    const events = await server.audit();
    const holder = events.find(({ event }) => event === 'holder')!;
    assert.equal(holder['subject'], 'anna');
    assert.match(String(holder['key']), /^user-[0-9a-f]{16}$/);
  });

  it('may do what the first rule that fits allows', async () => {
    await using issuer = await testIssuer();
    await using server = await serverOf(issuer);
    const { tools, token } = await signIn(server, issuer);
    assert.ok(tools.includes('echo') && !tools.includes('write_note'), tools.join());
    const { body } = await send(server, {
      headers: as(token),
      body: call('write_note', { collection: 'public', text: 'x' }),
    });
    assert.match(JSON.stringify(body), /no write scope/);
  });

  it('keys go on working beside it', async () => {
    await using issuer = await testIssuer();
    await using server = await serverOf(issuer);
    assert.equal((await list(server, KEY)).status, 200);
  });

  it('is refused when the token is for another server of the same issuer', async () => {
    await using issuer = await testIssuer({ groups: ['editors'] });
    await using server = await serverOf(issuer);
    await using other = await serverOf(issuer, { name: 'other' });
    const { token } = await signIn(other, issuer);
    assert.equal((await list(other, token)).status, 200);
    const refused = await list(server, token);
    assert.equal(refused.status, 401);
    assert.match(String(refused.headers['www-authenticate']), /error="invalid_token", resource_metadata=/);
  });

  it('is refused when another issuer signed it', async () => {
    await using issuer = await testIssuer();
    await using stranger = await testIssuer();
    await using server = await serverOf(issuer);
    assert.equal((await list(server, await issuer.serviceToken(server.resource))).status, 200);
    assert.equal((await list(server, await stranger.serviceToken(server.resource))).status, 401);
  });

  it('is refused when the issuer has exchanged its keys', async () => {
    await using issuer = await testIssuer();
    const before = await issuer.serviceToken('https://vai.example.com/mcp');
    await issuer.rotate();
    await using server = await serverOf(issuer);
    assert.equal((await list(server, before)).status, 401);
    assert.equal((await list(server, await issuer.serviceToken(server.resource))).status, 200);
  });

  it('is told when no rule applies', async () => {
    await using issuer = await testIssuer({ groups: ['guests'] });
    await using server = await serverOf(issuer, { access: [RULES[0]!] });
    const refused = await list(server, await issuer.serviceToken(server.resource));
    assert.equal(refused.status, 403);
    assert.equal(refused.headers['www-authenticate'], undefined, 'another token would not help');
  });
});

describe('the enterprise-managed flow', () => {
  it('lets in whom the authorization server vouches for, never the assertion itself', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const enterprise = { key: publicKey, issuer: 'https://idp.example.com' };
    await using issuer = await testIssuer({ enterprise });
    await using server = await serverOf(issuer);
    let assertion = '';
    const authProvider = new CrossAppAccessProvider({
      async assertion({ authorizationServerUrl, resourceUrl, scope }) {
        assertion = await new SignJWT({ resource: resourceUrl, scope, client_id: ENTERPRISE.client_id })
          .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt' })
          .setIssuer(enterprise.issuer)
          .setSubject('bela')
          .setAudience(authorizationServerUrl)
          .setIssuedAt()
          .setExpirationTime('5m')
          .sign(privateKey);
        return assertion;
      },
      clientId: ENTERPRISE.client_id,
      clientSecret: ENTERPRISE.client_secret,
      expectedIssuer: issuer.url,
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server.resource), { authProvider, fetch: server.fetch }),
    );
    assert.ok((await client.listTools()).tools.length > 0);
    await client.close();
    const holder = (await server.audit()).find(({ event }) => event === 'holder')!;
    assert.deepEqual([holder['subject'], holder['client']], ['bela', ENTERPRISE.client_id]);
    assert.equal((await list(server, assertion)).status, 401);
  });
});
