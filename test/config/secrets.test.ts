import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecret, maskValue } from '../../src/config/secrets.ts';

test('a long secret can be recognised, a short one not at all', () => {
  assert.equal(maskSecret('abcdefghij'), 'abcd…ghij');
  assert.equal(maskSecret('abcdefghi'), '****');
  assert.equal(maskSecret(''), '****');
});

test('what a name or an address gives away is masked, at any depth', () => {
  const long = 'abcdefghijklmnop';
  for (const name of ['apiKey', 'TOKEN', 'password', 'mongodbUri', 'sha256', 'privateThing'])
    assert.equal(maskValue(name, long), 'abcd…mnop', name);
  assert.equal(maskValue('model', long), long);
  assert.equal(maskValue('url', 'https://me:secret@host/x'), 'http…st/x');
  assert.equal(maskValue('url', 'https://host/a@b'), 'https://host/a@b');
  assert.deepEqual(maskValue('keys', [long, { name: long, secret: long }]), [
    'abcd…mnop',
    { name: long, secret: 'abcd…mnop' },
  ]);
  assert.deepEqual(maskValue('list', [long, 7, null, true]), [long, 7, null, true]);
  assert.deepEqual(maskValue('a', { b: { token: long } }), { b: { token: 'abcd…mnop' } });
  assert.equal(maskValue('secret', 42), 42);
});
