import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../../src/sources/files/decode.ts';

test('what is Western and no UTF-8 is read as windows-1252, and a notice says so', () => {
  const bytes = Buffer.from(
    `Mu\xf1oz: \x93Caf\xe9\x94, 5\xa0\x80 \x96 ${'and so on. '.repeat(10)}`,
    'latin1',
  );
  const { text, notices } = decodeText('a.md', bytes);
  assert.ok(text.startsWith('Muñoz: “Café”, 5\u00a0€ – and'), text);
  assert.deepEqual(notices, ['The text is not UTF-8 and was read as windows-1252 (Latin-1).']);
});

test('but no other script, and nothing with a byte that windows-1252 does not have', () => {
  const cyrillic = Buffer.from('\xcf\xf0\xe8\xe2 '.repeat(20), 'latin1');
  assert.throws(() => decodeText('a.txt', cyrillic), { code: 'UNSUPPORTED_FORMAT' });
  const unknown = decodeText('a.txt', Buffer.from('a byte without a meaning: \x81', 'latin1'));
  assert.ok(unknown.text.endsWith('\ufffd'));
});
