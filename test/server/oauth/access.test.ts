// What the holder of a token may do.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OAuthSettings } from '../../../src/config/index.ts';
import { accessOf, scopesToAsk } from '../../../src/server/oauth/access.ts';
import type { Holder } from '../../../src/server/oauth/verify.ts';

const SETTINGS: OAuthSettings = {
  issuer: 'https://login.example.com',
  resource: 'https://vai.example.com/mcp',
  audience: ['https://vai.example.com/mcp'],
  scopes: { 'api://vai/Read': 'read', 'api://vai/Write': 'write', 'api://vai/Admin': 'admin' },
  scopeClaims: ['scp'],
  groupsClaim: 'groups',
  access: [
    {
      groups: ['writers', 'authors'],
      scopes: ['read', 'write'],
      collections: ['blog'],
      rate: 60,
      spending: 2,
    },
    { groups: ['readers'], scopes: ['read'], collections: '*' },
  ],
};

const holder = (groups: string[], scopes: string[], subject = 'anna'): Holder => ({
  subject,
  scopes,
  groups,
  expires: 1_000,
});

const may = (groups: string[], scopes: string[]) => {
  const allowed = accessOf(holder(groups, scopes), SETTINGS);
  return allowed.ok ? [allowed.caller.scopes, allowed.caller.collections] : allowed.reason;
};

it('one rule decides: being in two groups adds nothing up', () => {
  assert.deepEqual(may(['readers', 'authors'], ['Read', 'Write', 'Admin']), [['read', 'write'], ['blog']]);
  assert.deepEqual(may(['readers'], ['Read', 'Write']), [['read'], '*']);
});

it('limits of the rule hold for its people', () => {
  const allowed = accessOf(holder(['writers'], ['Read']), SETTINGS);
  assert.ok(allowed.ok);
  assert.deepEqual([allowed.caller.rate, allowed.caller.spending], [60, 2]);
});

it('the token can only narrow what the rule allows', () => {
  assert.deepEqual(may(['writers'], ['Read']), [['read'], ['blog']]);
  assert.deepEqual(may(['writers'], ['api://vai/Write']), [['write'], ['blog']]);
  assert.equal(may(['writers'], ['Admin', 'read', 'READ', '']), 'no scope');
  assert.equal(may(['writers'], []), 'no scope');
});

it('without a rule nobody gets in', () => {
  assert.equal(may([], ['Read']), 'no access');
  assert.equal(may(['Readers', 'reader'], ['Read']), 'no access');
});

it('the same person has one id, another issuer’s has another', () => {
  const idOf = (subject: string, issuer = SETTINGS.issuer): string => {
    const allowed = accessOf(holder(['readers'], ['Read'], subject), { ...SETTINGS, issuer });
    assert.ok(allowed.ok);
    return allowed.caller.id;
  };
  assert.equal(idOf('anna'), idOf('anna'));
  assert.notEqual(idOf('anna'), idOf('bela'));
  assert.notEqual(idOf('anna'), idOf('anna', 'https://other.example.com'));
});

it('clients are told only scopes that some rule can give', () => {
  assert.deepEqual(scopesToAsk(SETTINGS), ['api://vai/Read', 'api://vai/Write']);
});
