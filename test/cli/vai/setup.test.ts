import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { commandsIn } from './support.ts';

test('setup --print: the entry alone on standard output, the file it belongs to beside it', async () => {
  const { status, stdout, stderr } = await commandsIn(tempFolder('setup'))('setup', '--print', 'cursor');
  assert.equal(status, 0, stderr);
  const { mcpServers } = JSON.parse(stdout) as { mcpServers: { vai: { args: string[] } } };
  assert.equal(mcpServers.vai.args.at(-1), 'mcp-server');
  assert.match(stderr, /^Cursor: ~\/\.cursor\/mcp\.json$/m);
});
