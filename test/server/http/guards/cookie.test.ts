import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkPage,
  cookieSecret,
  signedInCookie,
  signedOutCookie,
} from '../../../../src/server/http/guards/cookie.ts';

test('the secret is found among other cookies', () => {
  assert.equal(cookieSecret(undefined), undefined);
  assert.equal(cookieSecret('a=b; vai-sign-in = s3cr3t ; c=d'), 's3cr3t');
  assert.equal(cookieSecret('vai-sign-in=a=b'), 'a=b');
  assert.equal(cookieSecret('vai-sign-in'), undefined);
  assert.equal(cookieSecret('xvai-sign-in=no'), undefined);
  assert.equal(cookieSecret('vai-sign-inx'), undefined);
  const far = (length: number) => `${'x'.repeat(length - ';vai-sign-in=s'.length)};vai-sign-in=s`;
  assert.equal(cookieSecret(far(8_192)), 's');
  assert.equal(cookieSecret(`${'x'.repeat(8_192)};vai-sign-in=s`), undefined, 'no more than 8 KB is read');
});

test('a browser keeps it for itself, and only over TLS where there is TLS', () => {
  assert.equal(
    signedInCookie('s', true, 60),
    'vai-sign-in=s; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  );
  assert.match(signedInCookie('s', false), /^vai-sign-in=s; Path=\/; Max-Age=2592000; .*SameSite=Strict$/);
  assert.equal(signedOutCookie(false), 'vai-sign-in=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
});

test('only our own page on this very host may use it', () => {
  const page = { 'x-vai-page': '1' };
  assert.ok(checkPage({ ...page, origin: 'http://Host:3100', host: 'host:3100' }).ok);
  assert.ok(checkPage({ ...page, origin: 'https://host', host: 'host' }).ok);
  const refused = [
    { ...page, host: 'host' },
    { ...page, origin: 'https://evil', host: 'host' },
    { ...page, origin: 'https://host:1', host: 'host' },
    { ...page, origin: 'ftp://host', host: 'host' },
    { ...page },
    { origin: 'https://host', host: 'host' },
    { origin: 'https://host', host: 'host', 'x-vai-page': '2' },
  ];
  for (const headers of refused) {
    const verdict = checkPage(headers);
    assert.ok(!verdict.ok && verdict.status === 403, JSON.stringify(headers));
  }
});
