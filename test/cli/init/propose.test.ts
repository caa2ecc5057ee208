import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { propose } from '../../../src/cli/init/propose.ts';
import { createRegistry } from '../../../src/sources/registry/registry.ts';

let folder: string;
const { entries } = await createRegistry().load();

before(() => (folder = mkdtempSync(join(tmpdir(), 'vai-init-'))));
after(() => rmSync(folder, { recursive: true, force: true }));

function project(name: string, files: Record<string, string>): string {
  const place = join(folder, name);
  mkdirSync(place);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
  return place;
}

test('npm: sources of the dependencies, with the version that is installed', () => {
  const place = project('web', {
    'package.json': JSON.stringify({
      name: '@me/shop',
      dependencies: { hono: '^4.0.0', 'left-pad': '1' },
      devDependencies: { vite: '^8' },
    }),
    'package-lock.json': JSON.stringify({ packages: { 'node_modules/hono': { version: '4.9.1' } } }),
    'README.md': '# Shop',
  });
  mkdirSync(join(place, 'docs'));
  const proposal = propose(place, entries);
  assert.equal(proposal.name, 'shop');
  assert.deepEqual(proposal.folders, ['docs', 'README.md']);
  const found = new Map(proposal.sources.map((source) => [source.alias, source.version]));
  assert.deepEqual(found, new Map([['hono', '4.9.1'], ['vite', '^8']])); // prettier-ignore
});

test('python and rust manifests are read too', () => {
  const place = project('service', {
    'pyproject.toml':
      '[project]\ndependencies = ["langgraph[all]>=0.2; python_version > \'3.9\'", "requests"]\n',
    'uv.lock': '[[package]]\nname = "langgraph"\nversion = "0.3.1"\n',
    'Cargo.toml': '[dependencies]\nserde = { version = "1.0" }\n',
  });
  const proposal = propose(place, entries);
  assert.deepEqual(proposal.read, ['pyproject.toml', 'Cargo.toml']);
  assert.deepEqual(
    proposal.sources.map((source) => [source.alias, source.version]),
    [['langgraph-python', '0.3.1']],
  );
});

test('broken and hostile manifests propose nothing and stop nothing', () => {
  const place = project('odd name!', {
    'package.json': '{ "name": "../../x", "dependencies": [] ',
    'pyproject.toml': '= = =',
  });
  const proposal = propose(place, entries);
  assert.deepEqual(proposal.sources, []);
  assert.match(proposal.name, /^[\w.-]+$/);
});
