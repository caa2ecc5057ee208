// Which tokens are believed. Time is the test's own, and the issuer answers what the test lets it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import type { OAuthSettings } from '../../../src/config/index.ts';
import { VaiError } from '../../../src/domain/errors.ts';
import { createIssuer } from '../../../src/server/oauth/issuer.ts';
import { verifyToken, type Verified } from '../../../src/server/oauth/verify.ts';

const ISSUER = 'https://login.example.com/team';
const RESOURCE = 'https://vai.example.com/mcp';
const SETTINGS: OAuthSettings = {
  issuer: ISSUER,
  resource: RESOURCE,
  audience: [RESOURCE],
  scopes: { 'vai:read': 'read' },
  scopeClaims: ['scope', 'scp'],
  groupsClaim: 'groups',
  access: [{ scopes: ['read'], collections: '*' }],
};
const START = Date.parse('2026-05-01T12:00:00Z');
const MINUTE = 60_000;

interface Key {
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

async function newKey(kid: string, alg = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** An issuer with its clock: `world.now`, `world.keys`, `world.reachable` are what the test sets. */
async function makeWorld(settings = SETTINGS) {
  const key = await newKey('one');
  const world = {
    key,
    now: START,
    keys: [key.jwk],
    reachable: true,
    asked: 0,
    document: { issuer: ISSUER, jwks_uri: 'https://keys.example.com/jwks' } as Record<string, unknown>,
    async token(claims: JWTPayload = {}, { with: signer = key, typ = 'at+jwt' } = {}): Promise<string> {
      const seconds = Math.floor(world.now / 1000);
      return new SignJWT({
        iss: ISSUER,
        aud: RESOURCE,
        sub: 'anna',
        iat: seconds,
        exp: seconds + 3600,
        scope: 'vai:read',
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: signer.kid, typ })
        .sign(signer.privateKey);
    },
    verify: (token: string): Promise<Verified> => verifyToken(token, issuer, settings, world.now),
  };
  const issuer = createIssuer(
    ISSUER,
    async (url) => {
      world.asked += 1;
      if (!world.reachable) throw new VaiError('FETCH_FAILED', 'unreachable');
      if (url === `${ISSUER}/.well-known/openid-configuration`) return world.document;
      if (url === 'https://keys.example.com/jwks') return { keys: world.keys };
      throw new VaiError('FETCH_FAILED', 'nothing there');
    },
    () => world.now,
  );
  return world;
}

const reasonOf = (verified: Verified): string => (verified.ok ? 'believed' : verified.reason);

describe('a token is believed', () => {
  it('when the issuer signed it for us and it is in force', async () => {
    const world = await makeWorld();
    const verified = await world.verify(await world.token({ groups: ['a', 'b'], client_id: 'desk' }));
    assert.ok(verified.ok);
    assert.deepEqual(verified.holder, {
      subject: 'anna',
      client: 'desk',
      scopes: ['vai:read'],
      groups: ['a', 'b'],
      expires: START + 60 * MINUTE,
    });
  });

  it('when we are one of several it is for, and clocks differ a little', async () => {
    const world = await makeWorld();
    const seconds = START / 1000;
    assert.ok((await world.verify(await world.token({ aud: ['https://other.example.com', RESOURCE] }))).ok);
    assert.ok((await world.verify(await world.token({ exp: seconds - 20 }))).ok);
    assert.ok((await world.verify(await world.token({ nbf: seconds + 20 }))).ok);
  });

  it('whichever way its claims are written', async () => {
    const world = await makeWorld({ ...SETTINGS, groupsClaim: 'realm_access.roles' });
    const nested = await world.verify(
      await world.token({ scope: undefined, scp: ['vai:read', 'x'], realm_access: { roles: ['staff'] } }),
    );
    assert.ok(nested.ok);
    assert.deepEqual([nested.holder.scopes, nested.holder.groups], [['vai:read', 'x'], ['staff']]);
    const dotted = await world.verify(await world.token({ 'realm_access.roles': ['boss', 7] }));
    assert.ok(dotted.ok);
    assert.deepEqual(dotted.holder.groups, ['boss']);
  });
});

describe('a token is not believed', () => {
  it('for what it says', async () => {
    const world = await makeWorld();
    const seconds = START / 1000;
    const cases: [string, string, Promise<string>][] = [
      ['another audience', 'invalid', world.token({ aud: 'https://other.example.com/mcp' })],
      ['no audience', 'invalid', world.token({ aud: undefined })],
      ['audience that only begins like ours', 'invalid', world.token({ aud: `${RESOURCE}/more` })],
      ['another issuer', 'invalid', world.token({ iss: 'https://login.example.com' })],
      ['expired', 'expired', world.token({ exp: seconds - 40 })],
      ['not yet', 'invalid', world.token({ nbf: seconds + 40 })],
      ['without an end', 'invalid', world.token({ exp: undefined })],
      ['without a subject', 'invalid', world.token({ sub: undefined })],
      ['empty subject', 'invalid', world.token({ sub: '' })],
      ['bound to a key of its holder', 'invalid', world.token({ cnf: { jkt: 'x' } })],
      ['identity assertion', 'invalid', world.token({}, { typ: 'oauth-id-jag+jwt' })],
      ['logout token', 'invalid', world.token({}, { typ: 'logout+jwt' })],
    ];
    for (const [what, reason, token] of cases)
      assert.equal(reasonOf(await world.verify(await token)), reason, what);
  });

  it('for how it is signed', async () => {
    const world = await makeWorld();
    const stranger = await newKey('one');
    assert.equal(reasonOf(await world.verify(await world.token({}, { with: stranger }))), 'invalid');
    const none = new UnsecuredJWT({ iss: ISSUER, aud: RESOURCE, sub: 'anna', exp: 9e9, iat: 1 }).encode();
    assert.equal(reasonOf(await world.verify(none)), 'invalid', 'no signature');
    // The public key as a shared secret: what it signs anybody can sign.
    const shared = await new SignJWT({ sub: 'anna', iss: ISSUER, aud: RESOURCE, iat: 1, exp: 9e9 })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(JSON.stringify(world.key.jwk)));
    assert.equal(reasonOf(await world.verify(shared)), 'invalid', 'HS256');
    const [head, , signature] = (await world.token()).split('.');
    const forged = Buffer.from(JSON.stringify({ iss: ISSUER, aud: RESOURCE, sub: 'root', exp: 9e9, iat: 1 }));
    assert.equal(
      reasonOf(await world.verify(`${head}.${forged.toString('base64url')}.${signature}`)),
      'invalid',
      'another body',
    );
    for (const junk of ['a.b.c', 'e30.e30.', '..', `${'x'.repeat(4000)}.y.z`])
      assert.equal(reasonOf(await world.verify(junk)), 'invalid', junk.slice(0, 10));
  });

  it('with a secret that the issuer lists among its keys', async () => {
    const world = await makeWorld();
    const secret = Buffer.from('a secret that somebody published by mistake');
    world.keys = [{ kty: 'oct', k: secret.toString('base64url'), kid: 'one', alg: 'HS256' }];
    const token = await new SignJWT({ sub: 'anna', iss: ISSUER, aud: RESOURCE, iat: 1, exp: 9e9 })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(secret);
    assert.equal(reasonOf(await world.verify(token)), 'invalid');
  });
});

describe('the keys of the issuer', () => {
  it('a new one is found when a token names it, though not at any pace', async () => {
    const world = await makeWorld();
    assert.ok((await world.verify(await world.token())).ok);
    const next = await newKey('two');
    world.keys = [world.key.jwk, next.jwk];
    const asked = world.asked;
    assert.equal(reasonOf(await world.verify(await world.token({}, { with: next }))), 'invalid', 'too soon');
    assert.equal(world.asked, asked);
    world.now += 11_000;
    assert.ok((await world.verify(await world.token({}, { with: next }))).ok);
    const found = world.asked;
    for (let made = 0; made < 20; made += 1) {
      const invented = { ...next, kid: `made-up-${made}` };
      assert.equal(reasonOf(await world.verify(await world.token({}, { with: invented }))), 'invalid');
    }
    assert.equal(world.asked, found, 'made-up names do not make us ask');
  });

  it('a withdrawn one ends within minutes', async () => {
    const world = await makeWorld();
    const token = await world.token();
    assert.ok((await world.verify(token)).ok);
    world.keys = [(await newKey('two')).jwk];
    world.now += 6 * MINUTE;
    assert.equal(reasonOf(await world.verify(token)), 'invalid');
  });

  it('an issuer that is away is believed for a while, then nobody is let in', async () => {
    const world = await makeWorld();
    const token = await world.token();
    assert.ok((await world.verify(token)).ok);
    world.reachable = false;
    world.now += 10 * MINUTE;
    assert.ok((await world.verify(token)).ok);
    world.now += 6 * MINUTE;
    assert.equal(reasonOf(await world.verify(token)), 'unavailable');
    world.reachable = true;
    world.now += MINUTE;
    assert.ok((await world.verify(token)).ok, 'and it recovers');
  });

  it('an issuer that was never reached lets nobody in, and is not asked at every call', async () => {
    const world = await makeWorld();
    world.reachable = false;
    const token = await world.token();
    for (let call = 0; call < 5; call += 1) assert.equal(reasonOf(await world.verify(token)), 'unavailable');
    assert.equal(world.asked, 2, 'the two places of its metadata, once');
  });

  it('an issuer with another name or without https is not the one', async () => {
    for (const document of [
      { issuer: 'https://evil.example.com', jwks_uri: 'https://keys.example.com/jwks' },
      { issuer: ISSUER, jwks_uri: 'http://keys.example.com/jwks' },
      { issuer: ISSUER },
    ]) {
      const world = await makeWorld();
      world.document = document;
      assert.equal(reasonOf(await world.verify(await world.token())), 'unavailable');
    }
  });
});
