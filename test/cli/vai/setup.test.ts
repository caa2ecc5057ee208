import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { runProgram } from '../../../src/cli/frame.ts';
import { buildVai } from '../../../src/cli/vai/program.ts';

test('setup --print: the entry alone on standard output, the file it belongs to beside it', async () => {
  const out = { stdout: '', stderr: '' };
  const streams = {
    stdout: { isTTY: false, write: (text: string) => (out.stdout += text) },
    stderr: { isTTY: false, write: (text: string) => (out.stderr += text) },
    stdin: Readable.from([]),
  };
  const env = { HOME: '/nonexistent' };
  const input = { name: 'vai', env, cwd: process.cwd(), streams, uriChoosesStore: true };
  assert.equal(await runProgram(input, buildVai, ['setup', '--print', 'cursor']), 0);
  const { mcpServers } = JSON.parse(out.stdout) as { mcpServers: { vai: { args: string[] } } };
  assert.equal(mcpServers.vai.args.at(-1), 'mcp-server');
  assert.match(out.stderr, /^Cursor: ~\/\.cursor\/mcp\.json$/m);
});
