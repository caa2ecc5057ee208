// Each program prints the completion of itself, whole, although only the command that was typed is loaded.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sandbox } from '../support/cli.ts';

const box = sandbox();
after(() => box.remove());

test('vai and blz complete their own commands', async () => {
  const [vai, blz] = await Promise.all([
    box.run('vai', ['completion', 'bash']),
    box.run('blz', ['completions', 'bash']),
  ]);
  assert.equal(vai.status, 0, vai.stderr);
  assert.match(vai.stdout, /'docs search'\) words='.*--headings-only/);
  assert.match(vai.stdout, /^complete -F _vai vai$/m);
  assert.equal(blz.status, 0, blz.stderr);
  assert.match(blz.stdout, /'search'\) words='.*--headings-only/);
  assert.match(blz.stdout, /'mcp generate-key'\)/);
  assert.match(blz.stdout, /^complete -F _blz blz$/m);
});

test('a shell we do not know is refused by name', async () => {
  const refused = await box.run('blz', ['completions', 'tcsh']);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /`tcsh`[^]*bash, zsh, fish/);
});
