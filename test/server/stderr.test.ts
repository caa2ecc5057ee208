// A server whose log nobody reads any more goes on serving.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { KEY } from './support/http.ts';
import { as, rpc, send } from './support/send.ts';
import { tempFolder } from '../support/temp-folder.ts';

const MAIN = fileURLToPath(new URL('./support/cli-main.ts', import.meta.url));

it('survives when the reader of its log goes away', async (context) => {
  const home = tempFolder('stderr');
  const child = spawn(process.execPath, [MAIN, 'mcp', '--transport', 'http', '--port', '0'], {
    env: { ...process.env, VAI_HOME: home, VAI_CONFIG_PATH: '', VAI_MCP_SERVER_KEY: KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  context.after(async () => {
    child.kill('SIGKILL');
  });
  const port = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk) => {
      const found = /"port":(\d+)/.exec(String(chunk));
      if (found) resolve(found[1]!);
    });
  });
  child.stderr.destroy();
  for (let at = 0; at < 50; at += 1) {
    const reply = await send({ url: `http://127.0.0.1:${port}` }, { headers: as(KEY), body: rpc('ping') });
    assert.equal(reply.status, 200);
  }
  assert.equal(child.exitCode, null);
});
