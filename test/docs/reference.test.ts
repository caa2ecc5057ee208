import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { reference } from '../../scripts/reference.ts';
import { VARIABLES } from '../../scripts/variables.ts';
import { KEYS } from '../../src/config/index.ts';

test('the reference says what the code says', async () => {
  const written = readFileSync(resolve(import.meta.dirname, '../../docs/reference.md'), 'utf8');
  assert.equal(written, await reference(), 'run npm run reference');
});

/** The system's own, and what the server sets for its own processes. */
const NOT_FOR_PEOPLE = new Set([
  'HOME',
  'APPDATA',
  'PATH',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'TERM',
  'COLUMNS',
  'VAI_MCP_DAEMON_CHILD',
  'VAI_MCP_LOG_FILE',
]);

test('every variable that the sources read is listed', () => {
  const source = resolve(import.meta.dirname, '../../src');
  const known = new Set([
    ...KEYS.flatMap(({ env }) => env ?? []),
    ...Object.keys(VARIABLES),
    ...NOT_FOR_PEOPLE,
  ]);
  const read = new Set<string>();
  for (const file of globSync('**/*.ts', { cwd: source })) {
    const text = readFileSync(resolve(source, file), 'utf8');
    for (const [, plain, quoted] of text.matchAll(
      /env(?:\.|\[')([A-Z][A-Z_0-9]+)|'((?:VAI|BLZ|AWS|RUST)_[A-Z_]+)'/g,
    ))
      read.add(plain ?? quoted!);
  }
  assert.ok(read.has('VAI_HOME') && read.has('RUST_LOG'));
  assert.deepEqual([...read].filter((name) => !known.has(name)).sort(), []);
});
