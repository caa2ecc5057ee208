// Manifests and lockfiles of each kind: names, and the versions that are in use.

import assert from 'node:assert/strict';
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { createProjectReader } from '../../../src/sources/project/reader.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { writerIn } from '../../support/write-files.ts';

const root = tempFolder('project');
let count = 0;

function project(files: Record<string, string | object>): string {
  const folder = join(root, `p${(count += 1)}`);
  const write = writerIn(folder);
  for (const [name, content] of Object.entries(files)) write(name, content);
  return folder;
}

async function versions(files: Record<string, string | object>): Promise<Record<string, string[]>> {
  const { dependencies } = await createProjectReader().dependencies(project(files));
  return Object.fromEntries(dependencies.map((one) => [`${one.ecosystem}:${one.name}`, one.versions]));
}

const workspace = {
  'package.json': { workspaces: ['packages/*'], dependencies: { zod: '^4.0.0', ours: 'workspace:*' } },
  'packages/a/package.json': { dependencies: { zod: '^3.0.0' }, devDependencies: { vite: '^7' } },
};
const both = { 'npm:zod': ['4.1.5', '3.24.1'], 'npm:vite': ['7.0.2'] };

test('npm: two versions of one package in a workspace', async () => {
  const packages = {
    'node_modules/zod': { version: '4.1.5' },
    'node_modules/vite': { version: '7.0.2' },
    'packages/a/node_modules/zod': { version: '3.24.1' },
  };
  assert.deepEqual(await versions({ ...workspace, 'package-lock.json': { packages } }), both);
});

test('pnpm', async () => {
  const lock = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      zod: { specifier: ^4.0.0, version: 4.1.5 }
  packages/a:
    dependencies:
      zod: { specifier: ^3.0.0, version: 3.24.1(typescript@5.9.2) }
    devDependencies:
      vite: { specifier: ^7, version: 7.0.2 }
packages:
  : not yaml at all [
`;
  assert.deepEqual(await versions({ ...workspace, 'pnpm-lock.yaml': lock }), both);
});

test('yarn, in both of its forms', async () => {
  const classic =
    '# yarn lockfile v1\n\nzod@^3.0.0, zod@~3:\n  version "3.24.1"\n  resolved "x"\n\nzod@^4.0.0:\n  version "4.1.5"\n\nvite@^7:\n  version "7.0.2"\n';
  assert.deepEqual(await versions({ ...workspace, 'yarn.lock': classic }), both);
  const berry =
    '"zod@npm:^3.0.0":\n  version: 3.24.1\n\n"zod@npm:^4.0.0":\n  version: 4.1.5\n\n"vite@npm:^7":\n  version: 7.0.2\n';
  assert.deepEqual(await versions({ ...workspace, 'yarn.lock': berry }), both);
});

test('bun', async () => {
  const lock = `{ "workspaces": { "": {}, "packages/a": { "name": "a", }, },
    "packages": { "zod": ["zod@4.1.5", {}], "vite": ["vite@7.0.2"], "a/zod": ["zod@3.24.1", {}], }, }`;
  assert.deepEqual(await versions({ ...workspace, 'bun.lock': lock }), both);
});

test('python: uv, poetry, and pins of a requirements file', async () => {
  const pyproject =
    '[project]\ndependencies = ["Django>=5", "ruamel_yaml[jinja2]; python_version > \'3.9\'"]\n[dependency-groups]\ndev = ["pytest"]\n';
  const lock =
    '[[package]]\nname = "django"\nversion = "5.2.1"\n[[package]]\nname = "ruamel-yaml"\nversion = "0.18.6"\n[[package]]\nname = "pytest"\nversion = "8.4.0"\n';
  const found = { 'pypi:Django': ['5.2.1'], 'pypi:ruamel_yaml': ['0.18.6'], 'pypi:pytest': ['8.4.0'] };
  assert.deepEqual(await versions({ 'api/pyproject.toml': pyproject, 'uv.lock': lock }), found);
  const poetry = '[tool.poetry.dependencies]\npython = "^3.12"\nDjango = "^5"\n';
  assert.deepEqual(await versions({ 'pyproject.toml': poetry, 'poetry.lock': lock }), {
    'pypi:Django': ['5.2.1'],
  });
  const pins = '# ours\n-r other.txt\nfastapi==0.116.1  # web\nrequests>=2\n';
  assert.deepEqual(await versions({ 'requirements.txt': pins }), {
    'pypi:fastapi': ['0.116.1'],
    'pypi:requests': [],
  });
});

test('Cargo, Go, Composer and Bundler', async () => {
  const found = await versions({
    'Cargo.toml': '[dependencies]\nserde = { version = "1.0" }\nlocal = { path = "../local" }\n',
    'Cargo.lock': '[[package]]\nname = "serde"\nversion = "1.0.219"\n',
    'go.mod':
      'module example.com/x\n\ngo 1.24\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.1\n\tgithub.com/stripe/stripe-go v70.15.0+incompatible\n\tgolang.org/x/text v0.3.0 // indirect\n)\n',
    'composer.json': { require: { php: '>=8', 'laravel/framework': '^12' } },
    'composer.lock': { packages: [{ name: 'laravel/framework', version: 'v12.3.0' }] },
    Gemfile: "source 'https://rubygems.org'\ngem 'rails', '~> 8'\n",
    'Gemfile.lock': 'GEM\n  specs:\n    rails (8.0.2)\n      actionpack (= 8.0.2)\n',
  });
  assert.deepEqual(found, {
    'cargo:serde': ['1.0.219'],
    'go:github.com/gin-gonic/gin': ['1.10.1'],
    'go:github.com/stripe/stripe-go': ['70.15.0'],
    'composer:laravel/framework': ['12.3.0'],
    'gem:rails': ['8.0.2'],
  });
});

test('the packages of the project itself, and what its tests and examples need, are no dependencies', async () => {
  const folder = project({
    'package.json': {
      name: '@herons/app',
      dependencies: { zod: '4', '@herons/pond': '*' },
      devDependencies: { vite: '7' },
    },
    'packages/pond/package.json': { name: '@herons/pond', dependencies: { '@herons/app': '*' } },
    'pyproject.toml': '[project]\nname = "Heron_Tools"\ndependencies = ["heron-tools", "click"]\n',
    'py/pyproject.toml': '[tool.poetry]\nname = "nest"\n[tool.poetry.dependencies]\nnest = "*"\n',
    'Cargo.toml': '[package]\nname = "heron"\n[workspace.dependencies]\nheron-core = "1"\nserde = "1"\n',
    'crates/core/Cargo.toml': '[package]\nname = "heron-core"\n',
    'go.mod': 'module example.com/herons/heron/v2\n\nrequire example.com/herons/api v1.0.0\n',
    'api/go.mod': 'module example.com/herons/api\n\nrequire example.com/herons/heron/v2 v2.0.0\n',
    'composer.json': { name: 'herons/site', require: { 'herons/site': '*' } },
    'test/package.json': { dependencies: { tested: '1' } },
    'js_tests/package.json': { dependencies: { tested: '1' } },
    'examples/next/package.json': { dependencies: { shown: '1' } },
    'vendor/other/package.json': { dependencies: { copied: '1' } },
  });
  const { dependencies, names } = await createProjectReader().dependencies(folder);
  assert.deepEqual(
    dependencies.map(({ name }) => name),
    ['zod', 'vite', 'click', 'serde'],
  );
  assert.deepEqual(names, ['app', 'Heron_Tools', 'heron', 'heron', 'site']);
});

test('a manifest or lockfile that is a device, nests without end or repeats a name is read in bounds', async () => {
  const folder = project({
    'package.json': { dependencies: { zod: '^4.0.0' } },
    'bun.lock': '['.repeat(200_000),
  });
  symlinkSync('/dev/zero', join(folder, 'package-lock.json'));
  const { dependencies } = await createProjectReader().dependencies(folder);
  assert.deepEqual(dependencies.map(({ name }) => name), ['zod']); // prettier-ignore
  const tables = '[[package]]\nname = "a"\nversion = "1"\n'.repeat(20_000);
  const began = performance.now();
  await versions({ 'pyproject.toml': '[project]\ndependencies = ["a"]\n', 'uv.lock': tables });
  assert.ok(performance.now() - began < 5_000);
});

test('a damaged file is ignored, and a lockfile that changes is read again', async () => {
  assert.deepEqual(await versions({ 'package.json': '{', 'pyproject.toml': '= =', 'go.mod': '\u0000' }), {});
  const reader = createProjectReader();
  const lock = (version: string) => JSON.stringify({ packages: { 'node_modules/zod': { version } } });
  const folder = project({
    'package.json': { dependencies: { zod: '^4' } },
    'package-lock.json': lock('4.1.5'),
  });
  const read = async () => (await reader.dependencies(folder)).dependencies[0]!.versions;
  assert.deepEqual(await read(), ['4.1.5']);
  writeFileSync(join(folder, 'package-lock.json'), lock('4.2.0'));
  utimesSync(join(folder, 'package-lock.json'), 1, 1);
  assert.deepEqual(await read(), ['4.2.0']);
});

test('documentation that came with a package, and nothing from outside the project', async () => {
  const reader = createProjectReader();
  const long = 'How to use it. '.repeat(60);
  const folder = project({
    'node_modules/zod/package.json': { version: '4.1.5' },
    'node_modules/zod/docs/api.md': '# API',
    'node_modules/zod/README.md': long,
    'packages/a/node_modules/zod/package.json': { version: '3.24.1' },
    'packages/a/node_modules/zod/README.md': long,
    'node_modules/tiny/package.json': { version: '1.0.0' },
    'node_modules/tiny/README.md': 'See the website.',
    'node_modules/evil/package.json': { version: '1.0.0' },
    '.venv/lib/python3.13/site-packages/Fast_API-0.116.1.dist-info/METADATA': long,
  });
  const secret = project({ 'docs/key.md': 'secret' });
  symlinkSync(join(secret, 'docs'), join(folder, 'node_modules/evil/docs'));
  const docs = async (ecosystem: 'npm' | 'pypi', name: string, version?: string) => {
    const found = await reader.packageDocs(folder, { ecosystem, name, ...(version ? { version } : {}) });
    return found && [found.version, found.rich, ...found.paths.map((path) => relative(folder, path))];
  };
  assert.deepEqual(await docs('npm', 'zod', '4'), [
    '4.1.5',
    true,
    'node_modules/zod/docs',
    'node_modules/zod/README.md',
  ]);
  assert.deepEqual(await docs('npm', 'zod', '3.24.1'), [
    '3.24.1',
    false,
    'packages/a/node_modules/zod/README.md',
  ]);
  assert.equal(await docs('npm', 'zod', '5'), undefined);
  assert.equal(await docs('npm', 'tiny'), undefined);
  assert.equal(await docs('npm', 'evil'), undefined);
  assert.equal(await docs('npm', '../../x'), undefined);
  assert.deepEqual((await docs('pypi', 'fast-api'))?.slice(0, 2), ['0.116.1', false]);
});
