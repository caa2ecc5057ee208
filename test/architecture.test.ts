// What docs/architecture.md says each folder may import, and other rules about the whole of src. A breach fails here,
// not in review.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

const src = resolve(import.meta.dirname, '../src');

const MAY_IMPORT: Record<string, string[]> = {
  domain: [],
  ports: ['domain'],
  config: ['domain'],
  sources: ['ports', 'domain'],
  models: ['ports', 'domain'],
  stores: ['ports', 'domain'],
  engine: ['ports', 'domain'],
  tools: ['engine', 'ports', 'domain'],
  server: ['tools', 'engine', 'ports', 'domain', 'config', 'version'],
  cli: ['server', 'tools', 'engine', 'ports', 'domain', 'config', 'version', 'compose'],
  web: [],
  version: [],
};

function layerOf(file: string): string {
  const [first = ''] = relative(src, file).split(sep);
  return first.replace(/\.ts$/, '');
}

/** Static imports and exports begin a line; dynamic ones are a call with one literal. */
const IMPORTS = [
  /^(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'/gm,
  /^import\s*'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'\s*\)/g,
];

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!));
}

const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name));

test('imports point one way', () => {
  const crossings: string[] = [];
  for (const file of files) {
    const layer = layerOf(file);
    if (layer === 'compose') continue;
    for (const target of importsOf(file)) {
      if (!target.startsWith('.')) continue;
      const other = layerOf(resolve(dirname(file), target));
      if (other !== layer && other !== '..' && !MAY_IMPORT[layer]?.includes(other)) {
        crossings.push(`${relative(src, file)} imports ${target}`);
      }
    }
  }
  assert.deepEqual(crossings, []);
});

test('domain imports no package and no Node module', () => {
  const outside = files
    .filter((file) => layerOf(file) === 'domain')
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('.'))
        .map((target) => `${relative(src, file)} imports ${target}`),
    );
  assert.deepEqual(outside, []);
});

test('only server imports the MCP SDK', () => {
  const outside = files
    .filter((file) => layerOf(file) !== 'server')
    .filter((file) => importsOf(file).some((target) => target.startsWith('@modelcontextprotocol/')));
  assert.deepEqual(outside, []);
});

test('every package that src imports is declared', () => {
  const pkg = JSON.parse(readFileSync(resolve(src, '../package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const declared = new Set(
    ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((field) => Object.keys(pkg[field] ?? {})),
  );
  const missing = new Set<string>();
  for (const file of files) {
    for (const target of importsOf(file)) {
      if (target.startsWith('.') || target.startsWith('node:')) continue;
      const name = target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
      if (!declared.has(name)) missing.add(name);
    }
  }
  assert.deepEqual([...missing], []);
});

test('nothing is decided by how the name of an error code is spelt', () => {
  const byName = /\berror\.code\.(?:startsWith|endsWith|includes|match)\(|\.test\(error\.code\)/;
  const deciding = files.filter((file) => byName.test(readFileSync(file, 'utf8')));
  assert.deepEqual(
    deciding.map((file) => relative(src, file)),
    [],
  );
});
