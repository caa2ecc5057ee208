// The package as a user gets it: what it holds, which Node it wants, and that what is loaded late is there.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { docx, paragraph, pdf } from '../sources/files/fixtures.ts';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { installed, NODE, script, type CommandName } from '../support/package.ts';
import { served } from '../support/served.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const COMMANDS: CommandName[] = ['vai', 'blz', 'flowrag-mcp'];

interface Manifest {
  version: string;
  scripts: Record<string, string>;
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

describe('the packed package', () => {
  const folder = join(installed, 'node_modules/vai-knowledge');
  let box: Sandbox;
  before(() => (box = sandbox()));
  after(() => box.remove());

  test('holds what a user needs and nothing else', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    const allowed = /^(package\.json|README\.md|LICENSE|bin\/[\w-]+\.js|dist\/.+)$/;
    assert.deepEqual(
      files.filter((file) => !allowed.test(file)),
      [],
    );
    for (const name of ['vai.js', 'blz.js', 'flowrag-mcp.js', 'weights.bin', 'THIRD-PARTY-LICENSES.txt'])
      assert.ok(files.includes(`dist/${name}`), name);
    const grammars = files.filter((file) => file.startsWith('dist/grammars/'));
    assert.equal(grammars.length, 22);
    const packed = grammars.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    assert.ok(packed < 4_000_000, 'the parsers take more than 4 MB');
    for (const file of files.filter((name) => name.endsWith('.js')))
      assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), /test_simple_text/, 'a test fixture');
    const tarball = readdirSync(installed).find((name) => name.endsWith('.tgz'))!;
    assert.ok(statSync(join(installed, tarball)).size < 26_000_000, 'the package is larger than 26 MB');
    // These tests build by themselves; whoever publishes builds by this.
    assert.equal(manifest.scripts['prepack'], 'node scripts/build.js');
  });

  test('each command says its version on this Node', async () => {
    for (const command of COMMANDS) {
      const done = await box.run(command, ['--version']);
      assert.equal(done.status, 0, done.stderr);
      assert.equal(done.stdout.trim(), manifest.version);
    }
  });

  test('reads every format, front matter included', async () => {
    const docs = join(box.folder, 'docs');
    mkdirSync(docs);
    const files: Record<string, string | Buffer> = {
      'yaml.md': '---\ncSpell:ignore: a b\nteam: { name: [red] }\n---\n# Yaml\n\nA walrus in YAML.\n',
      'toml.md': '+++\nteam = "blue"\n+++\n# Toml\n\nA walrus in TOML.\n',
      'page.html': '<h1>Html</h1><p>A walrus in HTML.</p>',
      'paper.pdf': pdf(['A walrus in PDF.']),
      'letter.docx': docx(paragraph('A walrus in DOCX.')),
      'walrus.go': 'package sea\n\n// Feed gives a walrus in Go its fish.\nfunc (sea *Sea) Feed() {}\n',
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(docs, name), content);
    const added = await box.run('vai', ['ingest', 'docs', '--collection', 'formats', '--json']);
    const report = JSON.parse(added.stdout) as {
      run: { added: number };
      warnings: string[];
      failures: unknown[];
    };
    assert.deepEqual([report.run.added, report.failures, report.warnings], [6, [], []], added.stderr);
    for (const [filter, path] of [
      ['{"metadata.team.name":"red"}', 'yaml.md'],
      ['{"metadata.team":"blue"}', 'toml.md'],
    ]) {
      const found = await box.run('vai', ['search', 'walrus', '--filter', filter!, '--json']);
      const { hits } = JSON.parse(found.stdout) as { hits: { citation: string }[] };
      assert.ok(
        hits.length > 0 && hits.every(({ citation }) => citation.startsWith(`formats/${path}:`)),
        filter,
      );
    }
    const found = await box.run('vai', ['search', 'walrus', '--json']);
    for (const name of Object.keys(files)) assert.ok(found.stdout.includes(`formats/${name}:`), name);
    // No pattern knows what a method belongs to: the parser is in the package.
    assert.match(found.stdout, /"Sea",\s+"Feed"/);
  });

  test('measures itself', async () => {
    await using server = await served({ scopes: 'read,admin' });
    await fetch(`${server.url}/health`);
    const headers = { Authorization: `Bearer ${server.key}` };
    const reply = await fetch(`${server.url}/metrics`, { headers });
    assert.equal(reply.status, 200);
    assert.match(await reply.text(), /^vai_http_requests_total\{route="health",status="200"\} 1$/m);
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
        const done = spawnSync(old!, [script(command), '--version'], { encoding: 'utf8' });
        assert.equal(done.status, 1);
        assert.match(done.stderr, /^[\w-]+ needs Node 22\.16 or newer; this is Node [\d.]+\.\n$/);
      }
    },
  );
  test(
    'in a clone an older Node hands over to the one that npm installed',
    { skip: old ? false : 'no Node older than 22.16 on this machine' },
    () => {
      const clone = tempFolder('clone');
      cpSync(join(dirname(script('vai')), '..'), clone, { recursive: true });
      mkdirSync(join(clone, 'node_modules/.bin'), { recursive: true });
      symlinkSync(NODE, join(clone, 'node_modules/.bin/node'));
      for (const command of COMMANDS) {
        const done = spawnSync(old!, [join(clone, 'bin', `${command}.js`), '--nonsense'], {
          encoding: 'utf8',
        });
        assert.equal(done.status, 2, done.stderr);
        assert.match(done.stderr, /unknown option '--nonsense'/);
      }
    },
  );
});
