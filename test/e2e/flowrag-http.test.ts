// Row 25 of the FlowRAG reference, section 12: a token that is not set must not open the server. The original's `auth`
// key is accepted with a warning and means nothing; only a key of the server's own lets a call in.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { JSON_TYPE, rpc, send, type Reply } from '../server/support/send.ts';
import { sandbox } from '../support/cli.ts';
import { NODE, script } from '../support/package.ts';

const post = (port: number, headers: Record<string, string>): Promise<Reply> =>
  send(
    { url: `http://127.0.0.1:${port}` },
    {
      headers: { ...JSON_TYPE, 'mcp-protocol-version': '2025-06-18', ...headers },
      body: rpc('tools/list', {}),
    },
  );
const said = ({ body }: Reply): string => JSON.stringify(body);

test('with an unset token every call is refused until a key exists, and a foreign Host always', async () => {
  const place = sandbox();
  const root = place.folder;
  mkdirSync(join(root, 'content'));
  writeFileSync(join(root, 'content/a.md'), 'The Auth Service uses Redis.\n');
  // Put together so that nobody mistakes it for a template of ours.
  const unset = ['$', '{FLOWRAG_TOKEN}'].join('');
  const config = { docs: './content', transport: 'http', auth: { token: unset } };
  writeFileSync(join(root, 'flowrag.config.json'), JSON.stringify(config));
  const child = spawn(NODE, [script('flowrag-mcp'), '--transport', 'http', '--port', '0'], {
    cwd: root,
    env: { PATH: process.env['PATH'], VAI_HOME: place.home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log: string[] = [];
  try {
    let port = 0;
    let host = '';
    for await (const line of createInterface(child.stderr)) {
      log.push(line);
      if (!line.includes('"listening"')) continue;
      ({ port, host } = JSON.parse(line) as { port: number; host: string });
      break;
    }
    child.stderr.resume();
    assert.equal(host, '127.0.0.1', 'loopback unless asked otherwise');
    assert.match(log.join('\n'), /`auth` in the FlowRAG config has no effect/);

    // Few enough not to be taken for an attack, which would be answered with 429 instead.
    const guesses = ['', `Bearer ${unset}`, 'Bearer ', 'Bearer undefined', 'Bearer null'];
    for (const guess of guesses) {
      const answer = await post(port, guess ? { authorization: guess } : {});
      assert.equal(answer.status, 401, guess);
      assert.ok(!said(answer).includes('flowrag_'));
    }

    const made = await place.run('vai', ['mcp-server', 'generate-key', '--name', 'ada']);
    assert.equal(made.status, 0, made.stderr);
    const authorization = `Bearer ${made.stdout.trim()}`;
    const open = await post(port, { authorization });
    assert.equal(open.status, 200, said(open));
    assert.match(said(open), /flowrag_index/);
    assert.equal((await post(port, {})).status, 401, 'a key for one is no key for all');
    assert.equal((await post(port, { authorization, host: 'evil.example' })).status, 403);
    assert.equal((await post(port, { authorization, origin: 'https://evil.example' })).status, 403);
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    place.remove();
  }
});
