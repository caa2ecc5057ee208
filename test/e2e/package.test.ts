// The package as a user gets it: what it holds, and that its commands work outside this checkout.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
const COMMANDS = ['vai', 'blz', 'flowrag-mcp'];

describe('the packed package', () => {
  let folder: string;
  let installed: string;
  let files: string[];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'vai-pack-'));
    const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}` };
    const out = execFileSync(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder],
      {
        cwd: root,
        env,
        encoding: 'utf8',
      },
    );
    const [pack] = JSON.parse(out.slice(out.indexOf('['))) as {
      filename: string;
      files: { path: string }[];
    }[];
    files = pack!.files.map((file) => file.path);
    execFileSync('tar', ['-xzf', join(folder, pack!.filename), '-C', folder]);
    assert.ok(statSync(join(folder, pack!.filename)).size < 20_000_000, 'the package is larger than 20 MB');
    installed = join(folder, 'node_modules', 'vai-knowledge');
    mkdirSync(join(folder, 'node_modules'));
    execFileSync('mv', [join(folder, 'package'), installed]);
    // What an installation would fetch, taken from here: this test must not need a network.
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies))
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (node: string, command: string, args: string[]) =>
    spawnSync(node, [join(installed, 'bin', `${command}.js`), ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, VAI_HOME: join(folder, 'home') },
      encoding: 'utf8',
    });

  test('holds what a user needs and nothing else', () => {
    const allowed = /^(package\.json|README\.md|LICENSE|bin\/[\w-]+\.js|dist\/.+)$/;
    assert.deepEqual(
      files.filter((file) => !allowed.test(file)),
      [],
    );
    for (const file of [
      'dist/vai.js',
      'dist/blz.js',
      'dist/flowrag-mcp.js',
      'dist/weights.bin',
      'dist/THIRD-PARTY-LICENSES.txt',
    ]) {
      assert.ok(files.includes(file), file);
    }
    for (const file of readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.js'))) {
      assert.doesNotMatch(
        readFileSync(join(installed, 'dist', file), 'utf8'),
        /test_simple_text/,
        'test fixtures were packed',
      );
    }
  });

  test('each command says its version on this Node', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const command of COMMANDS) {
      const done = run(process.execPath, command, ['--version']);
      assert.equal(done.status, 0, done.stderr);
      assert.equal(done.stdout.trim(), version);
    }
  });

  test('ingests and searches by words and meaning with nothing but the package', () => {
    const added = run(process.execPath, 'vai', [
      'ingest',
      join(root, 'README.md'),
      '--collection',
      'readme',
      '--json',
    ]);
    assert.equal(added.status, 0, added.stderr);
    const found = run(process.execPath, 'vai', ['query', 'what is vai', '--collection', 'readme', '--json']);
    assert.equal(found.status, 0, found.stderr);
    assert.match(found.stdout, /readme\/README\.md:\d+/);
    assert.match(found.stdout, /builtin-embed-1/);
  });

  const old = ['/usr/bin/node', '/usr/local/bin/node'].find((node) => {
    if (!existsSync(node)) return false;
    const [major = 0, minor = 0] = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
      .split('.')
      .map(Number);
    return major < 22 || (major === 22 && minor < 16);
  });
  test(
    'on an older Node each command names the version it needs',
    { skip: old ? false : 'no Node older than 22.16 on this machine' },
    () => {
      for (const command of COMMANDS) {
        const done = run(old!, command, ['--version']);
        assert.equal(done.status, 1);
        assert.match(done.stderr, /^[\w-]+ needs Node 22\.16 or newer; this is Node [\d.]+\.\n$/);
      }
    },
  );
});
