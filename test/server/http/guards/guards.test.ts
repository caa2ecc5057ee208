// Every guard as a table: no socket, no server.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress, isSecure, proxyTrust } from '../../../../src/server/http/guards/client-address.ts';
import { checkHost, hostGuard } from '../../../../src/server/http/guards/host.ts';
import { checkKey, checkSignedIn } from '../../../../src/server/http/guards/key.ts';
import { checkMediaType, completedAccept } from '../../../../src/server/http/guards/media-type.ts';
import { checkOrigin, corsHeaders, originGuard } from '../../../../src/server/http/guards/origin.ts';
import { route } from '../../../../src/server/http/guards/route.ts';
import { checkSingleHeaders } from '../../../../src/server/http/guards/single-headers.ts';
import type { Verdict } from '../../../../src/server/http/guards/verdict.ts';
import { digestOf, readEntry } from '../../../../src/server/keys/entry.ts';
import { keyRing } from '../../../../src/server/keys/live.ts';

const statusOf = (verdict: Verdict): number | undefined => (verdict.ok ? undefined : verdict.status);

describe('host', () => {
  const loopback = hostGuard('127.0.0.1', []);
  const everywhere = hostGuard('0.0.0.0', ['vai.team.dev']);
  const cases: [string, typeof loopback, string | undefined, string | undefined, boolean][] = [
    ['loopback name', loopback, 'localhost:3100', '127.0.0.1', true],
    ['loopback address', loopback, '127.0.0.1', '127.0.0.1', true],
    ['IPv6 loopback', loopback, '[::1]:3100', '::1', true],
    ['upper case', loopback, 'LOCALHOST', '127.0.0.1', true],
    ['missing', loopback, undefined, '127.0.0.1', false],
    ['empty', loopback, '', '127.0.0.1', false],
    ['rebinding name', loopback, 'evil.example', '127.0.0.1', false],
    ['rebinding name with our port', loopback, 'evil.example:3100', '127.0.0.1', false],
    ['name that starts like ours', loopback, 'localhost.evil.example', '127.0.0.1', false],
    ['user part', loopback, 'localhost@evil.example', '127.0.0.1', false],
    ['path part', loopback, 'localhost/evil', '127.0.0.1', false],
    ['allowed name', everywhere, 'vai.team.dev', '10.0.0.5', true],
    ['0.0.0.0 is nobody', everywhere, '0.0.0.0:3100', '10.0.0.5', false],
    ['the address it arrived at', everywhere, '10.0.0.5:3100', '10.0.0.5', true],
    ['the same, mapped', everywhere, '10.0.0.5:3100', '::ffff:10.0.0.5', true],
    ['another address', everywhere, '10.0.0.6:3100', '10.0.0.5', false],
    ['an IPv6 literal it arrived at', everywhere, '[fd00::5]:3100', 'fd00::5', true],
    ['the same, of one interface', everywhere, '[fe80::5]:3100', 'fe80::5%eth0', true],
    ['a literal without a connection', everywhere, '10.0.0.5', undefined, false],
    ['too long', everywhere, 'x'.repeat(261), '10.0.0.5', false],
  ];
  for (const [name, guard, header, local, passes] of cases) {
    it(`${passes ? 'passes' : 'refuses'}: ${name}`, () =>
      assert.deepEqual(statusOf(checkHost(guard, header, local)), passes ? undefined : 403));
  }
});

describe('the names a server answers to', () => {
  it('are those of loopback, of its address and the allowed ones, each once', () => {
    assert.deepEqual(hostGuard('10.0.0.5', ['Vai.Team', '10.0.0.5', 'not a host']).names, [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '10.0.0.5',
      'vai.team',
    ]);
    assert.ok(hostGuard('fd00::5', []).names.includes('[fd00::5]'));
    assert.ok(hostGuard('127.0.0.1', ['cafe:3100']).names.includes('cafe'), 'a name and its port');
    for (const everywhere of ['0.0.0.0', '::', '[::]', '', '0'])
      assert.equal(hostGuard(everywhere, []).names.length, 3, everywhere);
  });

  it('are remembered as they were written, a hundred of them', () => {
    const guard = hostGuard('127.0.0.1', []);
    for (let port = 1; port <= 200; port += 1) assert.ok(checkHost(guard, `localhost:${port}`, undefined).ok);
    assert.equal(guard.known.size, 100);
    assert.ok(checkHost(guard, 'localhost:1', undefined).ok);
    assert.ok(!checkHost(guard, 'evil.example', undefined).ok);
    assert.ok(!guard.known.has('evil.example'));
    const seen = { names: [], known: new Set(['seen:1']) };
    assert.ok(checkHost(seen, 'seen:1', undefined).ok, 'and not looked at again');
    assert.ok(!checkHost(seen, undefined, undefined).ok);
  });
});

describe('headers that must come once', () => {
  it('passes one of each and several of others, refuses two hosts or keys', () => {
    assert.ok(checkSingleHeaders(['Host', 'a', 'Accept', 'x', 'accept', 'y', 'Authorization', 'b']).ok);
    const twice = [
      ['Host', 'localhost', 'X', 'y', 'host', 'evil.example'],
      ['Authorization', 'Bearer a', 'AUTHORIZATION', 'Bearer b'],
      ['Content-Type', 'text/plain', 'content-type', 'application/json'],
    ];
    for (const headers of twice) assert.equal(statusOf(checkSingleHeaders(headers)), 400);
  });
});

describe('origin', () => {
  const guard = originGuard(['localhost', '127.0.0.1'], ['https://app.team.dev']);
  const cases: [string, string | undefined, boolean][] = [
    ['none', undefined, true],
    ['our own page', 'http://localhost:3100', true],
    ['allowed', 'https://app.team.dev', true],
    ['allowed, but another scheme', 'http://app.team.dev', false],
    ['allowed, but another port', 'https://app.team.dev:8443', false],
    ['null', 'null', false],
    ['empty', '', false],
    ['foreign', 'https://evil.example', false],
    ['looks like ours', 'http://localhost.evil.example', false],
    ['garbage', 'http://', false],
    ['an extension named like us', 'chrome-extension://localhost', false],
    ['a file named like us', 'file://localhost', false],
  ];
  for (const [name, header, passes] of cases) {
    it(`${passes ? 'passes' : 'refuses'}: ${name}`, () =>
      assert.equal(checkOrigin(guard, header).ok, passes));
  }

  it('takes names without a scheme, and origins however they are written', () => {
    const named = originGuard(['localhost'], ['App.Team.dev', 'HTTPS://Other.dev/']);
    assert.ok(checkOrigin(named, 'https://app.team.dev:8443').ok);
    assert.ok(checkOrigin(named, 'https://other.dev').ok);
    assert.ok(!checkOrigin(named, 'http://other.dev').ok);
    const refusal = checkOrigin(named, 'https://evil.example');
    assert.ok(!refusal.ok && refusal.status === 403 && refusal.hint);
  });

  it('gives CORS headers to allowed pages only', () => {
    assert.equal(
      corsHeaders(guard, 'https://app.team.dev')['Access-Control-Allow-Origin'],
      'https://app.team.dev',
    );
    assert.deepEqual(corsHeaders(guard, 'http://localhost:3100'), {});
    assert.deepEqual(corsHeaders(guard, undefined), {});
  });
});

describe('route', () => {
  const cases: [string, string, string | number][] = [
    ['POST', '/mcp', 'mcp'],
    ['POST', '/mcp?x=1', 'mcp'],
    ['GET', '/mcp', 405],
    ['DELETE', '/mcp', 405],
    ['OPTIONS', '/mcp', 'preflight'],
    ['GET', '/health?strict=1', 'health'],
    ['HEAD', '/health', 'health'],
    ['POST', '/health', 405],
    ['GET', '/metrics', 'metrics'],
    ['GET', '/', 'page'],
    ['GET', '/.well-known/oauth-protected-resource', 'resource-metadata'],
    ['GET', '/.well-known/oauth-authorization-server', 'page'],
    ['PUT', '/', 405],
    ['POST', '/MCP', 404],
    ['POST', '/mcp/', 404],
    ['POST', '/register', 404],
    ['DELETE', '/assets/main.js', 404],
  ];
  for (const [method, url, expected] of cases) {
    it(`${method} ${url}`, () => {
      const routed = route(method, url);
      assert.equal(routed.ok ? routed.route : routed.status, expected);
    });
  }

  it('splits the query off', () => {
    const routed = route('GET', '/health?strict=1?x');
    assert.ok(routed.ok);
    assert.deepEqual([routed.path, routed.query], ['/health', 'strict=1?x']);
    const plain = route('GET', '/health');
    assert.ok(plain.ok && plain.query === '');
  });

  it('says which methods there are, and how MCP is called', () => {
    const mcp = route('GET', '/mcp');
    assert.ok(!mcp.ok);
    assert.equal(mcp.headers!.Allow, 'POST');
    assert.match(mcp.hint!, /Send JSON-RPC with POST/);
    const health = route('POST', '/health');
    assert.ok(!health.ok);
    assert.equal(health.headers!.Allow, 'GET, HEAD');
    assert.equal(health.hint, undefined);
  });
});

describe('media type', () => {
  const cases: [string | undefined, string | undefined, boolean][] = [
    ['application/json', undefined, true],
    ['application/json; charset=utf-8', undefined, true],
    ['Application/JSON', 'identity', true],
    ['application/json', 'gzip', false],
    ['text/plain', undefined, false],
    ['application/x-www-form-urlencoded', undefined, false],
    [undefined, undefined, false],
    ['text/plain; a=application/json', undefined, false],
  ];
  for (const [type, encoding, passes] of cases) {
    it(`${passes ? 'passes' : 'refuses'}: ${type} ${encoding ?? ''}`, () =>
      assert.equal(statusOf(checkMediaType(type, encoding)), passes ? undefined : 415));
  }

  it('completes a missing or open Accept and keeps any other', () => {
    const both = 'application/json, text/event-stream';
    for (const accept of [undefined, '', '*/*', ' */*;q=0.8']) assert.equal(completedAccept(accept), both);
    assert.equal(completedAccept('text/html'), 'text/html');
  });
});

describe('key', () => {
  const key = (more: object) => readEntry({ sha256: digestOf('good').toString('hex'), ...more })!;
  const keys = keyRing([key({ scopes: ['read'] })]);

  it('knows a key', () => {
    const verdict = checkKey('Bearer good', keys, 0);
    assert.ok(verdict.ok);
    assert.deepEqual(verdict.key.scopes, ['read']);
    assert.ok(checkKey('bearer good', keys, 0).ok);
  });

  it('may be as long as 512 characters', () => {
    const long = 'x'.repeat(512);
    const ring = keyRing([readEntry({ sha256: digestOf(long).toString('hex') })!]);
    assert.ok(checkKey(`Bearer ${long}`, ring, 0).ok);
    const longer = keyRing([readEntry({ sha256: digestOf(`${long}x`).toString('hex') })!]);
    assert.ok(!checkKey(`Bearer ${long}x`, longer, 0).ok);
  });

  it('expires at its moment', () => {
    const ring = keyRing([key({ expires: '2026-01-01' })]);
    const end = Date.parse('2026-01-01');
    assert.ok(checkKey('Bearer good', ring, end - 1).ok);
    const expired = checkKey('Bearer good', ring, end);
    assert.ok(!expired.ok);
    assert.equal(expired.headers!['WWW-Authenticate'], 'Bearer realm="vai", error="invalid_token"');
  });

  it('keeps a browser signed in as long as it holds', () => {
    const ring = keyRing([key({ expires: '2026-01-01' })]);
    const { id } = ring.find(digestOf('good'))!;
    assert.ok(checkSignedIn(id, ring, 0).ok);
    const reasonOf = (verdict: ReturnType<typeof checkSignedIn>) => (verdict.ok ? 'ok' : verdict.reason);
    assert.equal(reasonOf(checkSignedIn(id, ring, Date.parse('2026-01-02'))), 'expired key');
    assert.equal(reasonOf(checkSignedIn('another', ring, 0)), 'signed out');
    assert.equal(reasonOf(checkSignedIn(undefined, ring, 0)), 'signed out');
  });

  it('says what was wrong and where a token may be had', () => {
    const headerOf = (header: string | undefined, challenge?: string) => {
      const verdict = checkKey(header, keys, 0, challenge);
      assert.ok(!verdict.ok);
      return [verdict.message, verdict.headers!['WWW-Authenticate']];
    };
    assert.deepEqual(headerOf(undefined), ['A key is required.', 'Bearer realm="vai"']);
    assert.deepEqual(headerOf('', 'x="y"'), ['A token or a key is required.', 'Bearer realm="vai", x="y"']);
    assert.deepEqual(headerOf('Bearer bad', 'x="y"'), [
      'This key is not valid here.',
      'Bearer realm="vai", error="invalid_token", x="y"',
    ]);
    const none = checkKey(undefined, keyRing([]), 0, 'x="y"');
    assert.ok(!none.ok && none.reason === 'no key', 'tokens may do where there are no keys');
  });

  const refused: [string, string | undefined, typeof keys, RegExp][] = [
    ['none configured', 'Bearer good', keyRing([]), /no keys/],
    ['no header', undefined, keys, /required/],
    ['wrong', 'Bearer bad', keys, /not valid/],
    ['another scheme', 'Basic good', keys, /not valid/],
    ['two words', 'Bearer good good', keys, /not valid.*Authorization: Bearer/],
    ['no scheme', 'good', keys, /not valid.*Authorization: Bearer/],
    ['endless', `Bearer ${'x'.repeat(5000)}`, keys, /not valid/],
    ['expired', 'Bearer good', keyRing([key({ expires: '2020-01-01' })]), /expired/],
  ];
  for (const [name, header, list, message] of refused) {
    it(`refuses: ${name}`, () => {
      const verdict = checkKey(header, list, Date.parse('2026-01-01'));
      assert.ok(!verdict.ok);
      assert.equal(verdict.status, 401);
      assert.match(`${verdict.message} ${verdict.hint}`, message);
      assert.match(verdict.headers!['WWW-Authenticate']!, /^Bearer realm="vai"/);
      assert.ok(verdict.hint);
    });
  }
});

describe('client address', () => {
  const trust = proxyTrust(['loopback', '10.0.0.0/8', 'fd00::/8']);
  const cases: [string, string | undefined, string | undefined, string][] = [
    ['direct', '203.0.113.9', undefined, '203.0.113.9'],
    ['a claim by a stranger', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['through the proxy', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a claim passed on by the proxy', '127.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['through two proxies', '127.0.0.1', '203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['mapped', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['garbage', '127.0.0.1', 'nonsense', '127.0.0.1'],
    ['IPv6 with port', '127.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['nothing', undefined, undefined, 'unknown'],
  ];
  for (const [name, socket, header, expected] of cases) {
    it(name, () => assert.equal(clientAddress(trust, socket, header), expected));
  }

  it('reads the nearest thousand characters of a claim', () => {
    assert.equal(clientAddress(trust, '127.0.0.1', `1.2.3.4${',10.0.0.1'.repeat(200)}`), '10.0.0.1');
    const claim = `203.0.113.9,${Array(98).fill('10.0.0.1').join(', ')}`;
    assert.equal(claim.length < 1_000, true);
    assert.equal(clientAddress(trust, '127.0.0.1', claim), '203.0.113.9');
    assert.equal(clientAddress(trust, '127.0.0.1', '10.0.0.1, 10.0.0.2'), '10.0.0.1');
  });

  it('trusts the ranges it was given and nothing else', () => {
    const exact = proxyTrust(['192.0.2.7', '10.0.0.0/32', 'fd00::7', '0.0.0.0/0']);
    assert.equal(exact.trusts('203.0.113.9'), true);
    assert.equal(exact.trusts('fd00::7'), true);
    assert.equal(exact.trusts('fd00::8'), false);
    const one = proxyTrust(['192.0.2.7', 'fd00::/128']);
    assert.deepEqual(
      ['192.0.2.7', '192.0.2.8', 'fd00::', 'fd00::1', 'nonsense', '127.0.0.1'].map((a) => one.trusts(a)),
      [true, false, true, false, false, false],
    );
    const loopback = proxyTrust(['loopback']);
    assert.deepEqual(
      ['127.0.0.1', '127.255.255.255', '128.0.0.1', '::1', '::2'].map((a) => loopback.trusts(a)),
      [true, true, false, true, false],
    );
  });

  it('is secure by our own TLS or by what a trusted proxy says', () => {
    assert.equal(isSecure(trust, { encrypted: true }, undefined), true);
    const from = (remoteAddress: string | undefined, proto: string | undefined) =>
      isSecure(trust, remoteAddress === undefined ? {} : { remoteAddress }, proto);
    assert.equal(from('127.0.0.1', 'https'), true);
    assert.equal(from('127.0.0.1', 'http, HTTPS '), true);
    assert.equal(from('127.0.0.1', 'https, http'), false);
    assert.equal(from('127.0.0.1', `${'x'.repeat(200)},https`), true);
    assert.equal(from('127.0.0.1', `https${' '.repeat(100)}`), false, 'a hundred characters are read');
    assert.equal(from('127.0.0.1', undefined), false);
    assert.equal(from('203.0.113.9', 'https'), false);
    assert.equal(from(undefined, 'https'), false);
  });

  it('refuses what is no address', () => {
    for (const entry of [
      'proxy.local',
      '10.0.0.0/33',
      '10.0.0.0/x',
      '',
      '10.0.0.0/-1',
      '::/129',
      '10.0.0.0/1.5',
    ]) {
      assert.throws(() => proxyTrust([entry]), { code: 'CONFIG_INVALID', message: /not an address/ });
    }
    assert.throws(() => proxyTrust(['proxy'.repeat(99)]), {
      message: `\`${'proxy'.repeat(16)}\` is not an address or a range of addresses.`,
    });
  });
});
