// Every guard as a table: no socket, no server.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress, proxyTrust } from '../../../src/server/http/guards/client-address.ts';
import { checkHost, hostGuard } from '../../../src/server/http/guards/host.ts';
import { checkKey } from '../../../src/server/http/guards/key.ts';
import { checkMediaType, completedAccept } from '../../../src/server/http/guards/media-type.ts';
import { checkOrigin, corsHeaders, originGuard } from '../../../src/server/http/guards/origin.ts';
import { route } from '../../../src/server/http/guards/route.ts';
import { checkSingleHeaders } from '../../../src/server/http/guards/single-headers.ts';
import { digestOf, readEntry } from '../../../src/server/keys/entry.ts';
import { keyRing } from '../../../src/server/keys/live.ts';

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
  ];
  for (const [name, guard, header, local, passes] of cases) {
    it(`${passes ? 'passes' : 'refuses'}: ${name}`, () =>
      assert.equal(checkHost(guard, header, local).ok, passes));
  }
});

describe('headers that must come once', () => {
  it('passes one of each and several of others, refuses two hosts or keys', () => {
    assert.ok(checkSingleHeaders(['Host', 'a', 'Accept', 'x', 'accept', 'y', 'Authorization', 'b']).ok);
    assert.ok(!checkSingleHeaders(['Host', 'localhost', 'X', 'y', 'host', 'evil.example']).ok);
    assert.ok(!checkSingleHeaders(['Authorization', 'Bearer a', 'AUTHORIZATION', 'Bearer b']).ok);
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
      assert.equal(checkMediaType(type, encoding).ok, passes));
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

  it('refuses what is no address', () => {
    for (const entry of ['proxy.local', '10.0.0.0/33', '10.0.0.0/x', '']) {
      assert.throws(() => proxyTrust([entry]), /not an address/);
    }
  });
});
