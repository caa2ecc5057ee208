// A browser signs in with a one-time link or a key, and only the page of this very server may use what it got.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { digestOf, idOf } from '../../../src/server/keys/entry.ts';
import { SIGN_IN_FOLDER, signIns } from '../../../src/server/sign-in/sign-ins.ts';
import { httpServer, KEY, KEYS, stored, type TestServer } from '../support/http.ts';
import { JSON_TYPE, rpc, send, type Reply } from '../support/send.ts';
import { until } from '../../support/wait.ts';

const ID = idOf(digestOf(KEY));
const ofPage = (server: TestServer, more: Record<string, string> = {}): Record<string, string> => ({
  ...JSON_TYPE,
  Origin: server.url,
  'X-Vai-Page': '1',
  ...more,
});

const signIn = (server: TestServer, body: object, headers: Record<string, string> = {}): Promise<Reply> =>
  send(server, {
    method: 'POST',
    path: '/sign-in',
    headers: ofPage(server, headers),
    body: JSON.stringify(body),
  });

const cookieOf = (reply: Reply): string => String(reply.headers['set-cookie']).split(';')[0]!;

const list = (server: TestServer, headers: Record<string, string>): Promise<Reply> =>
  send(server, { method: 'POST', path: '/mcp', headers, body: JSON.stringify(rpc('tools/list', {})) });

describe('signing in', () => {
  it('a link works once, for the key it was made for, and leaves a cookie no script can read', async () => {
    await using server = await httpServer();
    const code = signIns(server.home, Date.now).makeLink(ID);
    const first = await signIn(server, { code });
    assert.equal(first.status, 200);
    assert.match(String(first.headers['set-cookie']), /; HttpOnly; SameSite=Strict$/);
    assert.equal((await signIn(server, { code })).status, 401, 'no second time');
    const reply = await list(server, ofPage(server, { Cookie: cookieOf(first) }));
    assert.equal(reply.status, 200);
  });

  it('of many that open a link at once, one gets in', async () => {
    await using server = await httpServer();
    const code = signIns(server.home, Date.now).makeLink(ID);
    const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(server, { code })));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(401)]);
  });

  it('a link ends after some minutes, a sign-in after some weeks', async () => {
    await using server = await httpServer();
    let now = Date.now();
    const kept = signIns(server.home, () => now);
    const code = kept.makeLink(ID);
    now += 11 * 60_000;
    assert.equal(kept.useLink(code), undefined);
    const secret = kept.signIn(ID);
    assert.equal(kept.find(secret)?.key, ID);
    now += 31 * 86_400_000;
    assert.equal(kept.find(secret), undefined);
    kept.signIn(ID);
    assert.equal((await readdir(join(server.home, SIGN_IN_FOLDER))).length, 1, 'what ended is removed');
  });

  it('a key signs in as well, and nothing on disk is a secret', async () => {
    await using server = await httpServer();
    const reply = await signIn(server, {}, { Authorization: `Bearer ${KEY}` });
    assert.equal(reply.status, 200);
    const secret = cookieOf(reply).split('=')[1]!;
    const folder = join(server.home, SIGN_IN_FOLDER);
    for (const name of await readdir(folder)) {
      const text = name + (await readFile(join(folder, name), 'utf8'));
      assert.ok(!text.includes(secret) && !text.includes(KEY));
    }
    const wrong = await signIn(server, {}, { Authorization: `Bearer ${KEY.slice(0, -1)}f` });
    assert.equal(wrong.status, 401);
  });

  it('behind a proxy that speaks TLS the cookie never travels without it, and only a named proxy is believed', async () => {
    for (const [trustedProxies, proto, secure] of [
      [['loopback'], 'https', true],
      [['loopback'], 'http, https', true],
      [['loopback'], 'https, http', false],
      [[], 'https', false],
    ] as const) {
      await using server = await httpServer({ trustedProxies: [...trustedProxies] });
      const headers = { Authorization: `Bearer ${KEY}`, 'X-Forwarded-Proto': proto };
      const reply = await signIn(server, {}, headers);
      assert.equal(/; Secure$/.test(String(reply.headers['set-cookie'])), secure, `${proto}`);
    }
  });

  it('one key with many browsers takes none from another', async () => {
    await using server = await httpServer();
    let now = Date.now();
    const kept = signIns(server.home, () => (now += 1));
    const other = kept.signIn('other');
    const link = kept.makeLink(ID);
    const first = kept.signIn(ID);
    for (let at = 0; at < 100; at += 1) kept.signIn(ID);
    assert.equal(kept.find(first), undefined, 'its own oldest made room');
    assert.equal(kept.find(other)?.key, 'other');
    assert.equal(kept.useLink(link), ID);
  });

  it('a cookie that was there before is not taken over', async () => {
    await using server = await httpServer();
    const planted = `vai-sign-in=${'x'.repeat(43)}`;
    const code = signIns(server.home, Date.now).makeLink(ID);
    const reply = await signIn(server, { code }, { Cookie: planted });
    assert.notEqual(cookieOf(reply), planted);
    assert.equal((await list(server, ofPage(server, { Cookie: planted }))).status, 401);
  });
});

describe('signed in', () => {
  it('only this page may use the cookie', async () => {
    await using server = await httpServer();
    const cookie = cookieOf(await signIn(server, { code: signIns(server.home, Date.now).makeLink(ID) }));
    const { port } = new URL(server.url);
    const foreign: [string, Record<string, string>][] = [
      ['no origin', { ...JSON_TYPE, Cookie: cookie, 'X-Vai-Page': '1' }],
      ['no header of ours', { ...JSON_TYPE, Cookie: cookie, Origin: server.url }],
      ['another port', ofPage(server, { Cookie: cookie, Origin: `http://127.0.0.1:${Number(port) + 1}` })],
      ['another name', ofPage(server, { Cookie: cookie, Origin: `http://localhost:${port}` })],
      ['null', ofPage(server, { Cookie: cookie, Origin: 'null' })],
    ];
    for (const [what, headers] of foreign) assert.equal((await list(server, headers)).status, 403, what);
    for (const [what, headers] of foreign.slice(0, 3))
      assert.equal((await send(server, { method: 'DELETE', path: '/sign-in', headers })).status, 403, what);
    assert.equal((await list(server, ofPage(server, { Cookie: cookie }))).status, 200);
  });

  it('ends with its key, and by signing out', async () => {
    await using server = await httpServer();
    const enter = async (): Promise<string> =>
      cookieOf(await signIn(server, { code: signIns(server.home, Date.now).makeLink(ID) }));
    const out = await enter();
    await send(server, { method: 'DELETE', path: '/sign-in', headers: ofPage(server, { Cookie: out }) });
    assert.equal((await list(server, ofPage(server, { Cookie: out }))).status, 401);
    const cookie = await enter();
    await server.setKeys(
      KEYS.map((one) => (one.id === ID ? stored(KEY, { expires: '2020-01-01T00:00:00.000Z' }) : one)),
    );
    const refused = async (): Promise<boolean> =>
      (await list(server, ofPage(server, { Cookie: cookie }))).status === 401;
    await until(refused);
    await server.setKeys(KEYS);
    await until(async () => !(await refused()));
    await server.setKeys(KEYS.filter(({ id }) => id !== ID));
    await until(refused);
  });
});
