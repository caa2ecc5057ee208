// What keeps the server running: the command lines of the systemd unit, of PM2's file and of `nohup` in the docs, each
// started as it is written, with `vai` on the path. Only the port is replaced.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NODE, script } from '../../support/package.ts';
import { freePort } from '../../support/port.ts';
import { until } from '../../support/wait.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const UNIT = at('deploy/systemd/vai-mcp-server.service');
const unit = readFileSync(UNIT, 'utf8');

const folder = tempFolder('supervised');
writeFileSync(join(folder, 'vai'), `#!/bin/sh\nexec '${NODE}' '${script('vai')}' "$@"\n`);
chmodSync(join(folder, 'vai'), 0o755);
const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, VAI_HOME: join(folder, 'home') };

async function healthy(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
  return reply?.status === 200;
}

/** Starts a line of a shell, waits for its server, stops it as a supervisor does. */
async function supervise(
  context: TestContext,
  line: string,
  extra: Record<string, string> = {},
): Promise<void> {
  const port = await freePort();
  const child = spawn('/bin/sh', ['-c', `exec ${line.replace('--port 3100', `--port ${port}`)}`], {
    cwd: folder,
    env: { ...env, ...extra },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise<number | null>((done) => child.on('exit', done));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said);
    return healthy(port);
  });
  child.kill('SIGTERM');
  assert.equal(await ended, 0, said);
}

describe('systemd', { concurrency: true }, () => {
  it('the unit starts the server and stops it with SIGTERM', async (context) => {
    const line = /^ExecStart=\/usr\/bin\/env (.*)$/m.exec(unit)![1]!;
    const set = /^Environment=(.*)$/m
      .exec(unit)![1]!
      .split(' ')
      .map((pair) => pair.split(/=(.*)/).slice(0, 2));
    const variables = Object.fromEntries(set as [string, string][]);
    assert.equal(variables['VAI_HOME'], '/var/lib/vai');
    assert.match(unit, /^StateDirectory=vai$/m);
    await supervise(context, line, { ...variables, VAI_HOME: env.VAI_HOME });
  });

  it(
    'systemd finds nothing wrong with it',
    { skip: spawnSync('systemd-analyze', ['--version']).error ? 'systemd-analyze not installed' : false },
    () => {
      const checked = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' });
      assert.equal(checked.status, 0, checked.stderr);
      assert.doesNotMatch(checked.stderr, /vai-mcp-server/);
    },
  );
});

it('the file of PM2 starts the server and stops it', async (context) => {
  const { apps } = createRequire(import.meta.url)(at('deploy/pm2/ecosystem.config.cjs')) as {
    apps: { script: string; args: string; env: Record<string, string>; kill_timeout: number }[];
  };
  assert.equal(apps.length, 1);
  const [app] = apps;
  assert.ok(app!.kill_timeout > 10_000, 'longer than the server takes to drain');
  await supervise(context, `${app!.script} ${app!.args}`, app!.env);
});

it('nohup keeps it running when the terminal is gone', async (context) => {
  const docs = readFileSync(at('docs/team-server.md'), 'utf8');
  const line = /`(nohup vai mcp-server [^`]*&)`/.exec(docs)![1]!;
  const port = await freePort();
  const shell = spawn('/bin/bash', ['-c', `${line} echo $!; wait`], {
    cwd: folder,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const pid = await new Promise<number>((done) =>
    shell.stdout.once('data', (text) => done(Number.parseInt(String(text), 10))),
  );
  context.after(() => process.kill(pid, 'SIGTERM'));
  await until(() => healthy(port));
  // What a closing terminal does: the signal goes to the shell and everything it started.
  process.kill(-shell.pid!, 'SIGHUP');
  await new Promise((done) => shell.once('exit', done));
  assert.ok(await healthy(port));
});
