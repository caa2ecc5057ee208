// Keys, background servers and bad input, through the real command line. What a key is kept with, and what a new one takes
// over from an old one: test/server/keys/manage.test.ts.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NODE, script } from '../support/package.ts';
import { freePort } from '../support/port.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('vai mcp-server', () => {
  const home = tempFolder('serve');

  interface Done {
    code: number;
    stdout: string;
    stderr: string;
  }
  const vai = (args: string[], env: Record<string, string> = {}): Promise<Done> =>
    new Promise((resolve) => {
      execFile(
        NODE,
        [script('vai'), 'mcp-server', ...args],
        { env: { ...process.env, VAI_HOME: home, VAI_CONFIG_PATH: '', PORT: '9', ...env } },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      );
    });
  const config = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(join(home, 'config.json'), 'utf8'));

  it('a misspelt command is not taken for a server to start', async () => {
    const typo = await vai(['generat-key']);
    assert.equal(typo.code, 2);
    assert.match(typo.stderr, /no command `generat-key`[^]*Did you mean generate-key\?/);
    const list = await vai(['sample-config']);
    assert.match(list.stdout, /claude-desktop, .*, goose\.\nFor example/);
  });

  it('makes a key, shows it once, keeps only its digest, and takes it away', async () => {
    const made = await vai([
      'generate-key',
      '--name',
      'ada',
      '--scopes',
      'read,admin',
      '--collections',
      'docs,notes',
      '--rate',
      '60',
      '--spending',
      '2.50',
      '--expires',
      '30d',
    ]);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stderr, /no collection `docs` yet[^]*no collection `notes` yet/);
    const key = made.stdout.trim();
    assert.match(key, /^vai-mcp-key-[0-9a-f]{48}$/);
    const [entry] = (await config())['mcp-server-keys'] as Record<string, unknown>[];
    assert.ok(!JSON.stringify(await config()).includes(key));
    assert.equal((await stat(join(home, 'config.json'))).mode & 0o777, 0o600);
    const listed = await vai(['list-keys']);
    assert.match(
      listed.stdout,
      new RegExp(
        `^key +scopes .*\n${String(entry!['id'])}  read,admin  docs,notes   60/min, \\$2.5/day, until \\S+  never +ada`,
      ),
    );
    assert.ok(!listed.stdout.includes(String(entry!['sha256'])));
    const revoked = await vai(['revoke-key', String(entry!['id'])]);
    assert.equal(revoked.code, 0);
    assert.deepEqual((await config())['mcp-server-keys'], []);
    assert.equal((await vai(['revoke-key', 'ffffffff'])).code, 3);
    assert.match((await vai(['generate-key', '--scopes', 'admin'])).stderr, /this key cannot search/);
    const misspelt = await vai(['generate-key', '--collections', 'nosuch', '--json']);
    assert.match(misspelt.stderr, /no collection `nosuch` yet/);
  });

  it('writes every change into the audit log, and says where that was changed', async () => {
    const idOf = ({ stdout }: Done): string => (JSON.parse(stdout) as { id: string }).id;
    const id = idOf(await vai(['generate-key', '--name', 'ci', '--owner', 'ada', '--json']));
    await vai(['rotate-key', id]);
    assert.match((await vai(['list-keys'])).stdout, /never +ci \(ada\)/);
    await vai(['revoke-key', id]);
    const audit = join(home, 'logs', 'mcp-audit.log');
    const lines = (await readFile(audit, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.slice(-3).map(({ event, action }) => [event, action].join(' ')),
      ['key made', 'key rotated', 'key revoked'],
    );
    assert.doesNotMatch(JSON.stringify(lines), /vai-mcp-key-|sha256/);
    assert.equal((await vai(['audit'])).code, 0);
    await writeFile(audit, (await readFile(audit, 'utf8')).replace('"revoked"', '"renamed"'));
    const broken = await vai(['audit']);
    assert.equal(broken.code, 7);
    assert.match(broken.stdout, /was changed/);
    await rm(audit);
  });

  it('loses no key of eight writers at once, and no other setting', async () => {
    await writeFile(
      join(home, 'config.json'),
      JSON.stringify({ 'something-else': 1, 'mcp-server-keys': ['an-older-key'] }),
    );
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, at) => vai(['generate-key', '--name', `k${at}`])),
    );
    assert.ok(made.every((one) => one.code === 0));
    const after = await config();
    assert.equal((after['mcp-server-keys'] as unknown[]).length, 9);
    assert.equal(after['something-else'], 1);
    assert.deepEqual(
      (await readdir(home)).filter((name) => /tmp|lock/.test(name)),
      [],
    );
  });

  it('refuses what makes no sense, in one line and with status 2', async () => {
    const bad: [string[], RegExp][] = [
      [['generate-key', '--scopes', 'root'], /not a scope/],
      [['generate-key', '--expires', 'soon'], /must be a time in the future/],
      [['generate-key', '--rate', 'many'], /whole number/],
      [['generate-key', '--spending', 'much'], /takes dollars/],
      [['--transport', 'carrier-pigeon'], /transport/],
      [['--transport', 'http', '--port', 'abc'], /port/],
      [['--daemon'], /--transport http/],
      [['--workers', '2'], /--transport http/],
      [['--toolsets', 'nope'], /no toolset/],
      [['sample-config', 'netscape'], /no client/],
      [['--no-such-flag'], /unknown option/],
      [['--transport', 'http', '--trusted-proxy', 'proxy.local'], /not an address/],
    ];
    for (const [args, message] of bad) {
      const { code, stderr } = await vai(args);
      assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n\s+at /);
    }
  });

  it('refuses weak keys, and to replace one that is not there', async () => {
    const weak = await vai(['--transport', 'http', '--port', '0'], { VAI_MCP_SERVER_KEY: 'x' });
    assert.equal(weak.code, 2);
    assert.match(weak.stderr, /fewer than 24 characters/);
    assert.equal((await vai(['rotate-key', '00000000'])).code, 3);
  });

  it('prints configurations without secrets', async () => {
    for (const client of ['claude-desktop', 'vscode', 'codex']) {
      const { code, stdout } = await vai(['sample-config', client, '--url', 'https://vai.team.dev/mcp'], {
        VAI_MCP_SERVER_KEY: 'a-top-secret-key-of-a-server',
      });
      assert.equal(code, 0);
      assert.match(stdout, /https:\/\/vai\.team\.dev\/mcp/);
      assert.ok(!stdout.includes('a-top-secret-key-of-a-server'));
      const local = await vai(['sample-config', client]);
      assert.match(local.stdout, /mcp-server/);
      assert.match(local.stderr, /reads this from/);
      if (client !== 'codex') assert.doesNotThrow(() => void JSON.parse(local.stdout), client);
    }
  });

  it('runs in the background, is found again, refuses a second, and stops', async () => {
    const port = await freePort();
    const args = ['--transport', 'http', '--port', String(port), '--daemon'];
    const started = await vai(args);
    assert.equal(started.code, 0, started.stderr);
    const files = await readdir(join(home, 'run'));
    assert.deepEqual(files.sort(), [`mcp-server-${port}.log`, `mcp-server-${port}.pid`]);
    for (const file of files) assert.equal((await stat(join(home, 'run', file))).mode & 0o777, 0o600);
    assert.match(
      await readFile(join(home, 'run', `mcp-server-${port}.pid`), 'utf8'),
      /^\d+\n127\.0\.0\.1\n$/,
    );
    assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200);
    assert.match((await vai(['status'])).stdout, new RegExp(`port ${port}  pid \\d+  ok`));
    const second = await vai(args);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /already runs/);
    const stopped = await vai(['stop', '--port', String(port)]);
    assert.equal(stopped.code, 0, stopped.stderr);
    assert.equal((await vai(['status'])).code, 3);
    assert.deepEqual(await readdir(join(home, 'run')), [`mcp-server-${port}.log`]);
  });

  it('says why it cannot start in the background', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as { port: number };
    const { code, stderr } = await vai(['--transport', 'http', '--port', String(port), '--daemon']);
    busy.close();
    assert.equal(code, 1);
    assert.match(stderr, /already in use/);
  });

  it(
    'an unwritable home is a clear error',
    { skip: process.getuid?.() === 0 ? 'root writes everywhere' : false },
    async () => {
      const closed = tempFolder('closed');
      await chmod(closed, 0o500);
      const { code, stderr } = await vai(['generate-key'], { VAI_HOME: closed });
      assert.notEqual(code, 0);
      assert.doesNotMatch(stderr, /\n\s+at /);
    },
  );

  it('a home that is a file is a clear error', async () => {
    const file = join(home, 'a-file');
    await writeFile(file, '');
    for (const args of [['generate-key'], ['--transport', 'http', '--port', '0', '--daemon']]) {
      const { code, stderr } = await vai(args, { VAI_HOME: join(file, 'x') });
      assert.notEqual(code, 0);
      assert.doesNotMatch(stderr, /\n\s+at |Something went wrong/, stderr);
    }
  });

  it('ends on SIGTERM with 0 and frees the port', async () => {
    const port = await freePort();
    const child = spawn(NODE, [script('vai'), 'mcp', '--transport', 'http', '--port', String(port)], {
      env: { ...process.env, VAI_HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    assert.equal((await once(child, 'close'))[0], 0);
    assert.match(said, /"msg":"stopped"\}\n$/);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health`));
  });
});
