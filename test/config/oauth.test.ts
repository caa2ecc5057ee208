// The file of `--oauth`: what it may say, and that no mistake in it opens anything.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { readOAuth } from '../../src/config/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'vai-oauth-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const LEAST = {
  issuer: 'https://login.example.com/',
  resource: 'https://vai.example.com/mcp',
  access: [{ scopes: ['read'], collections: '*' }],
};

function read(content: unknown) {
  const file = join(folder, 'oauth.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readOAuth(file, 'oauth.json', folder);
}

it('says the least with three fields', () => {
  const settings = read(LEAST);
  assert.equal(settings.issuer, 'https://login.example.com/', 'as tokens spell it');
  assert.deepEqual(settings.audience, ['https://vai.example.com/mcp']);
  assert.deepEqual(Object.values(settings.scopes), ['read', 'write', 'admin']);
  assert.equal(settings.page, undefined);
});

it('takes the secret of the page from a file beside it', () => {
  writeFileSync(join(folder, 'secret'), 'of the page\n');
  const { page } = read({ ...LEAST, clientId: 'vai-page', clientSecretFile: 'secret' });
  assert.deepEqual(page, { clientId: 'vai-page', clientSecret: 'of the page' });
});

it('refuses what it does not understand, and says what', () => {
  const rule = (more: object): object => ({ ...LEAST, access: [{ ...LEAST.access[0], ...more }] });
  const cases: [unknown, RegExp][] = [
    ['{', /not valid JSON/],
    [{ ...LEAST, issuer: undefined }, /`issuer`/],
    [{ ...LEAST, issuer: 'http://login.example.com' }, /https address as `issuer`/],
    [{ ...LEAST, issuer: 'https://a:b@login.example.com' }, /`issuer`/],
    [{ ...LEAST, resource: 'vai' }, /`resource`/],
    [{ ...LEAST, resource: 'https://vai.example.com/mcp?x' }, /`resource`/],
    [{ ...LEAST, acces: [] }, /unknown field `acces` \(`access`\?\)/],
    [{ ...LEAST, access: [] }, /`access`/],
    [{ ...LEAST, access: undefined }, /`access`/],
    [{ ...LEAST, audience: [] }, /`audience`/],
    [{ ...LEAST, scopes: { 'vai:read': 'all' } }, /`scopes`/],
    [{ ...LEAST, scopes: { 'a"b': 'read' } }, /`scopes`/],
    [{ ...LEAST, clientId: 'page', clientSecretFile: 'nowhere' }, /clientSecretFile/],
    [rule({ group: ['a'] }), /unknown field `group` \(`groups`\?\)/],
    [rule({ groups: [] }), /`groups`/],
    [rule({ scopes: [] }), /`scopes`/],
    [rule({ scopes: ['read', 'root'] }), /`scopes`/],
    [rule({ collections: undefined }), /`collections`/],
    [rule({ collections: [] }), /`collections`/],
    [rule({ collections: ['a', '*'] }), /`collections`/],
    [rule({ rate: 0 }), /`rate`/],
    [rule({ spending: '5' }), /`spending`/],
    [rule({ spending: -1 }), /`spending`/],
  ];
  for (const [content, message] of cases)
    assert.throws(() => read(content), { code: 'CONFIG_INVALID', message }, JSON.stringify(content));
  assert.throws(() => readOAuth(join(folder, 'none'), 'none', folder), { code: 'CONFIG_INVALID' });
});
