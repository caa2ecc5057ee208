// A browser signs in on the page through the issuer and gets the cookie of the page, for as long as its token would hold.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SIGN_IN_FOLDER } from '../../../src/server/sign-in/sign-ins.ts';
import { httpServer } from '../support/http.ts';
import { PAGE_CLIENT, testIssuer, type TestIssuer } from '../support/issuer.ts';
import { RULES, serverOf, type OAuthServer } from '../support/oauth.ts';
import { JSON_TYPE, rpc, send, type Reply } from '../support/send.ts';

const redirectUri = 'https://vai.example.com/sign-in/return';
const page = { clientId: PAGE_CLIENT };
const get = (server: { url: string }, path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  send(server, { method: 'GET', path, headers });
const cookies = (reply: Reply): string[] => [reply.headers['set-cookie'] ?? []].flat();
const nameAndValue = (cookie: string): string => cookie.split(';')[0]!;

/** Up to the moment the issuer sends the browser back: with which address, and which cookie. */
async function atIssuer(server: OAuthServer, issuer: TestIssuer): Promise<{ back: URL; flow: string }> {
  const begun = await get(server, '/sign-in/issuer');
  assert.equal(begun.status, 302);
  const [flow] = cookies(begun);
  assert.match(flow!, /; HttpOnly; SameSite=Lax; Secure$/);
  const back = await issuer.browse(String(begun.headers['location']));
  assert.equal(back.origin + back.pathname, redirectUri);
  return { back, flow: nameAndValue(flow!) };
}

const list = (server: OAuthServer, cookie: string): Promise<Reply> =>
  send(server, {
    headers: { ...JSON_TYPE, Origin: server.url, 'X-Vai-Page': '1', Cookie: cookie },
    body: rpc('tools/list', {}),
  });

const signedInCookie = (reply: Reply): string | undefined =>
  cookies(reply).find((cookie) => cookie.startsWith('vai-sign-in='));

describe('signing in through the issuer', () => {
  it('leads there and back, and leaves a cookie and no token', async () => {
    await using issuer = await testIssuer({ redirectUri, groups: ['editors'] });
    await using server = await serverOf(issuer, { page });
    assert.equal((await get(server, '/sign-in')).body.issuer, issuer.url);
    const { back, flow } = await atIssuer(server, issuer);
    const done = await get(server, back.pathname + back.search, { Cookie: flow });
    assert.equal(done.headers['location'], '/#/signed-in');
    const cookie = signedInCookie(done)!;
    assert.match(cookie, /; HttpOnly; SameSite=Strict; Secure$/);
    const seconds = Number(/Max-Age=(\d+)/.exec(cookie)![1]);
    assert.ok(seconds > 0 && seconds <= 600, 'as long as the token');
    assert.equal((await list(server, nameAndValue(cookie))).status, 200);
    const folder = join(server.home, SIGN_IN_FOLDER);
    for (const name of await readdir(folder))
      assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /eyJ/, 'no token on disk');

    const again = await get(server, back.pathname + back.search, { Cookie: flow });
    assert.equal(again.headers['location'], '/#/sign-in-failed', 'a code works once');
    assert.equal(signedInCookie(again), undefined);
  });

  it('an answer that was not asked for signs nobody in', async () => {
    await using issuer = await testIssuer({ redirectUri });
    await using server = await serverOf(issuer, { page });
    const { back, flow } = await atIssuer(server, issuer);
    const other = await atIssuer(server, issuer);
    const altered = (name: string, value: string): string => {
      const url = new URL(back);
      url.searchParams.set(name, value);
      return url.pathname + url.search;
    };
    const attempts: [string, string, Record<string, string>][] = [
      ['no cookie', back.pathname + back.search, {}],
      ['the cookie of another', back.pathname + back.search, { Cookie: other.flow }],
      ['another state', altered('state', 'x'.repeat(43)), { Cookie: flow }],
      ['another issuer', altered('iss', 'https://evil.example.com'), { Cookie: flow }],
      ['a made-up code', altered('code', 'y'.repeat(43)), { Cookie: flow }],
      ['nothing', '/sign-in/return', { Cookie: flow }],
    ];
    for (const [what, path, headers] of attempts) {
      const reply = await get(server, path, headers);
      assert.equal(reply.headers['location'], '/#/sign-in-failed', what);
      assert.equal(signedInCookie(reply), undefined, what);
    }
  });

  it('somebody who may not use the server is told so', async () => {
    await using issuer = await testIssuer({ redirectUri });
    await using server = await serverOf(issuer, { page, access: [RULES[0]!] });
    const { back, flow } = await atIssuer(server, issuer);
    const done = await get(server, back.pathname + back.search, { Cookie: flow });
    assert.equal(done.headers['location'], '/#/sign-in-failed?no-access');
    assert.equal(signedInCookie(done), undefined);
  });

  it('is not there where no issuer is, or the page is no client of it', async () => {
    await using without = await httpServer();
    await using issuer = await testIssuer();
    await using closed = await serverOf(issuer);
    for (const server of [without, closed]) {
      assert.equal((await get(server, '/sign-in')).body.issuer, null);
      assert.equal((await get(server, '/sign-in/issuer')).status, 404);
      assert.equal((await get(server, '/sign-in/return?code=x')).status, 404);
    }
    assert.equal((await get(without, '/.well-known/oauth-protected-resource')).status, 404);
    assert.equal((await get(without, '/.well-known/oauth-protected-resource/mcp')).status, 404);
  });
});
