// vai config list: keys of the server are counted for a person, and listed by their own command.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

test('keys of the server are not written out as JSON on a terminal', async () => {
  const folder = tempFolder('config-command');
  const vai = commandsIn(folder, { terminal: true });
  await vai('mcp-server', 'generate-key');
  await vai('config', 'set', 'default-collection', 'handbook');
  const { stdout } = await vai('config', 'list');
  assert.match(stdout, /^mcp-server-keys: 1 key, listed by `vai mcp-server list-keys`$/m);
  assert.match(stdout, /^default-collection = handbook$/m);
  const piped = await commandsIn(folder)('config', 'list');
  assert.match(piped.stdout, /"scopes"/);
});
