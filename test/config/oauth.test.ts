// The file of `--oauth`: what it may say, and that no mistake in it opens anything.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readOAuth } from '../../src/config/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('oauth');

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

const rule = (more: object): object => ({ ...LEAST, access: [{ ...LEAST.access[0], ...more }] });
const refused = (content: unknown, message: RegExp): void =>
  assert.throws(
    () => read(content),
    { code: 'CONFIG_INVALID', message },
    JSON.stringify(content).slice(0, 200),
  );

it('needs three fields, and fills in the others', () => {
  assert.deepEqual(read(LEAST), {
    issuer: 'https://login.example.com/',
    resource: 'https://vai.example.com/mcp',
    audience: ['https://vai.example.com/mcp'],
    scopes: { 'vai:read': 'read', 'vai:write': 'write', 'vai:admin': 'admin' },
    scopeClaims: ['scope', 'scp'],
    groupsClaim: 'groups',
    access: [{ scopes: ['read'], collections: '*' }],
  });
});

it('takes every field as it is written', () => {
  const written = {
    issuer: 'https://login.example.com',
    resource: 'https://vai.example.com/mcp',
    audience: ['vai', 'api://vai'],
    scopes: { 'kb.read': 'read', 'kb.all': 'admin' },
    scopeClaims: ['permissions'],
    groupsClaim: 'roles',
    access: [
      { groups: ['staff', 'guests'], scopes: ['read', 'write'], collections: ['docs'], rate: 1, spending: 0 },
      { scopes: ['admin'], collections: '*', rate: 600, spending: 2.5 },
    ],
  };
  assert.deepEqual(read(written), written);
});

it('takes one text where a list of one is meant', () => {
  const settings = read({
    ...rule({ groups: 'staff', collections: 'docs' }),
    audience: 'vai',
    scopeClaims: 'roles',
  });
  assert.deepEqual(settings.audience, ['vai']);
  assert.deepEqual(settings.scopeClaims, ['roles']);
  assert.deepEqual(settings.access, [{ groups: ['staff'], scopes: ['read'], collections: ['docs'] }]);
});

it('accepts plain http from this very machine alone', () => {
  for (const issuer of [
    'http://localhost:9000',
    'http://127.0.0.1',
    'http://127.8.9.10:1/x',
    'http://[::1]:9000',
  ])
    assert.equal(read({ ...LEAST, issuer }).issuer, issuer);
  for (const issuer of [
    'http://login.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://127.example.com',
    'http://128.0.0.1',
    'http://[::2]',
    'ftp://localhost',
    'ftp://login.example.com',
  ])
    refused({ ...LEAST, issuer }, /must have an https address as `issuer`/);
});

it('refuses an address that carries more than where the server is', () => {
  for (const more of [
    'https://me@a.example',
    'https://:pass@a.example',
    'https://a.example/?b',
    'https://a.example/#b',
  ])
    for (const name of ['issuer', 'resource'])
      refused({ ...LEAST, [name]: more }, new RegExp(`plain address as \`${name}\`, without a user`));
});

it('takes texts of up to 1000 characters and lists of up to 1000 entries', () => {
  const long = 'x'.repeat(1_000);
  const many = Array<string>(1_000).fill('x');
  assert.equal(read({ ...LEAST, groupsClaim: long }).groupsClaim, long);
  assert.equal(read({ ...LEAST, audience: many }).audience.length, 1_000);
  assert.equal(read({ ...LEAST, access: Array(1_000).fill(LEAST.access[0]) }).access.length, 1_000);
  for (const groupsClaim of [`${long}x`, '', 'a\nb', 7, null])
    refused({ ...LEAST, groupsClaim }, /must have a text as `groupsClaim`/);
  refused({ ...LEAST, audience: [...many, 'x'] }, /must have 1 to 1000 texts as `audience`/);
  refused({ ...LEAST, access: Array(1_001).fill(LEAST.access[0]) }, /a list of rules/);
});

it('is a file of at most a megabyte', () => {
  const text = JSON.stringify(LEAST);
  assert.equal(read(text.padEnd(1_000_000)).issuer, LEAST.issuer);
  refused(text.padEnd(1_000_001), /is larger than 1 MB/);
});

it('takes the secret of the page from a file beside it', () => {
  writeFileSync(join(folder, 'secret'), 'of the page\n');
  const { page } = read({ ...LEAST, clientId: 'vai-page', clientSecretFile: 'secret' });
  assert.deepEqual(page, { clientId: 'vai-page', clientSecret: 'of the page' });
  assert.deepEqual(read({ ...LEAST, clientId: 'vai-page' }).page, { clientId: 'vai-page' });
});

it('refuses what it does not understand, and says what', () => {
  const cases: [unknown, RegExp][] = [
    ['{', /not valid JSON/],
    [{ ...LEAST, issuer: undefined }, /`issuer`/],
    [{ ...LEAST, issuer: 'http://login.example.com' }, /https address as `issuer`/],
    [{ ...LEAST, issuer: 'https://a:b@login.example.com' }, /`issuer`/],
    [{ ...LEAST, resource: 'vai' }, /`resource`/],
    [{ ...LEAST, resource: 'https://vai.example.com/mcp?x' }, /`resource`/],
    [{ ...LEAST, acces: [] }, /unknown field `acces` \(`access`\?\)/],
    [{ ...LEAST, zzz: 1 }, /unknown field `zzz`\.$/],
    [{ ...LEAST, ['z'.repeat(99)]: 1 }, /unknown field `z{40}`\.$/],
    [{ ...LEAST, access: [] }, /`access`/],
    [{ ...LEAST, access: undefined }, /`access`/],
    [{ ...LEAST, access: ['everybody'] }, /has a rule that is not an object/],
    [{ ...LEAST, audience: [] }, /`audience`/],
    [{ ...LEAST, scopes: {} }, /must map scopes of tokens/],
    [{ ...LEAST, scopes: ['read'] }, /must map scopes of tokens/],
    [{ ...LEAST, scopes: { 'vai:read': 'all' } }, /must have read, write, admin as values in `scopes`/],
    [{ ...LEAST, scopes: { 'a"b': 'read' } }, /has a name in `scopes` that no scope can have/],
    [{ ...LEAST, clientId: 'page', clientSecretFile: 'nowhere' }, /clientSecretFile/],
    [{ ...LEAST, clientId: 7 }, /must have a text as `clientId`/],
    [rule({ group: ['a'] }), /unknown field `group` \(`groups`\?\)/],
    [rule({ groups: [] }), /`groups`/],
    [rule({ scopes: [] }), /`scopes`/],
    [rule({ scopes: 'read' }), /`scopes`/],
    [rule({ scopes: ['read', 'root'] }), /`scopes`/],
    [rule({ collections: undefined }), /`collections`/],
    [rule({ collections: [] }), /`collections`/],
    [rule({ collections: ['a', '*'] }), /`collections`/],
    [rule({ collections: ['*'] }), /`collections`/],
    [rule({ rate: 0 }), /`rate`/],
    [rule({ rate: 1.5 }), /`rate`/],
    [rule({ rate: '5' }), /`rate`/],
    [rule({ spending: '5' }), /`spending`/],
    [rule({ spending: -1 }), /`spending`/],
  ];
  for (const [content, message] of cases) refused(content, message);
  assert.throws(() => readOAuth(join(folder, 'none'), 'none', folder), {
    code: 'CONFIG_INVALID',
    message: 'The file none does not exist.',
  });
});
