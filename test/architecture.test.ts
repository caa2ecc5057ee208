// What docs/architecture.md says each folder may import, and other rules about the whole of src. A breach fails here,
// not in review.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { PROVIDERS } from '../src/models/providers.ts';

const src = resolve(import.meta.dirname, '../src');

const MAY_IMPORT: Record<string, string[]> = {
  domain: [],
  ports: ['domain'],
  // Of models only the list of providers: what they declare becomes settings.
  config: ['domain', 'models/providers', 'make-folder'],
  sources: ['ports', 'domain'],
  models: ['ports', 'domain', 'wasm', 'make-folder'],
  stores: ['ports', 'domain', 'wasm', 'small-heap', 'make-folder'],
  engine: ['ports', 'domain', 'make-folder'],
  tools: ['engine', 'ports', 'domain'],
  server: ['tools', 'engine', 'ports', 'domain', 'config', 'version', 'make-folder'],
  cli: [
    'server',
    'tools',
    'engine',
    'ports',
    'domain',
    'config',
    'version',
    'compose',
    'small-heap',
    'make-folder',
  ],
  // The program of the worker process, put together as `compose` puts together the main one.
  worker: [
    'ports',
    'domain',
    'engine/text/analyse',
    'sources/code/symbols',
    'sources/files/formats',
    'sources/files/read',
    'sources/web/html',
    'models/rules/index',
  ],
  wasm: [],
  web: [],
  version: [],
  'small-heap': [],
  'make-folder': [],
  // Programs that import vai, as `cli` is for people.
  library: ['engine', 'domain', 'config', 'compose'],
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
      const path = resolve(dirname(file), target);
      const other = layerOf(path);
      const whole = relative(src, path).replace(/\.ts$/, '').replaceAll(sep, '/');
      const allowed = MAY_IMPORT[layer] ?? [];
      if (other !== layer && other !== '..' && !allowed.includes(other) && !allowed.includes(whole)) {
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

test('no code outside src/models names a provider', () => {
  // As a word in code, or as a whole string. `local` and `rules` mean other things too, so they count beside `provider`.
  const names = PROVIDERS.map(({ id }) => id).filter((id) => !['local', 'rules', 'builtin'].includes(id));
  const inCode = new RegExp(names.join('|'), 'i');
  const asValue = new RegExp(`^'(?:${names.join('|')})'$|provider.*'(?:local|rules|builtin)'`);
  const STRING = /'(?:[^'\\\n]|\\.)*'/g;
  const found = files
    .filter((file) => !['models', 'web', 'compose'].includes(layerOf(file)))
    .filter((file) => !relative(src, file).startsWith(join('engine', 'explain', 'topics')))
    .flatMap((file) =>
      withoutTexts(readFileSync(file, 'utf8'))
        .split('\n')
        .filter((line) => {
          const values = line.match(STRING)?.some((text) => asValue.test(text)) || asValue.test(line);
          return values || inCode.test(line.replaceAll(STRING, ''));
        })
        .map((line) => `${relative(src, file)}: ${line.trim()}`),
    );
  // The body of /health has a field for this one, and a client of MCP happens to have the name of another.
  const fixed = /voyageAi|id === 'voyage'|id: 'gemini'|'\.gemini'/;
  assert.deepEqual(
    found.filter((line) => !fixed.test(line)),
    [],
  );
});

/** Code without comments and without texts in backquotes. */
function withoutTexts(code: string): string {
  return code.replaceAll(/\/\*[^]*?\*\/|\/\/.*|`(?:[^`\\]|\\.)*`/g, '');
}

test('nothing is decided by how the name of an error code is spelt', () => {
  const byName = /\berror\.code\.(?:startsWith|endsWith|includes|match)\(|\.test\(error\.code\)/;
  const deciding = files.filter((file) => byName.test(readFileSync(file, 'utf8')));
  assert.deepEqual(
    deciding.map((file) => relative(src, file)),
    [],
  );
});
