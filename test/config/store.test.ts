import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  deleteConfig,
  getConfig,
  KEYS,
  listConfig,
  maskSecret,
  maskValue,
  readConfig,
  registerDatabase,
  setConfig,
  updateConfig,
} from '../../src/config/index.ts';
import { VaiError } from '../../src/domain/errors.ts';

const root = mkdtempSync(join(tmpdir(), 'vai-config-store-'));
after(() => rmSync(root, { recursive: true, force: true }));
let count = 0;
const fresh = (): string => join(root, `home${++count}`, 'config.json');

test('set, get, list, delete; unknown fields survive', async () => {
  const path = fresh();
  await updateConfig(path, () => ({ telemetry: true, 'llm-model': 'x' }));
  await setConfig(path, 'api-key', 'pa-0123456789abcdef');
  await setConfig(path, 'default-db', 'team');
  await setConfig(path, 'chunk', '{"size": 800}');
  assert.deepEqual(getConfig(path, 'api-key'), { name: 'api-key', value: 'pa-0…cdef' });
  assert.deepEqual(getConfig(path, 'apiKey'), { name: 'api-key', value: 'pa-0…cdef' });
  assert.equal(getConfig(path, 'base-url'), undefined);
  assert.equal(readConfig(path).telemetry, true);
  assert.equal(await deleteConfig(path, 'api-key'), true);
  assert.equal(await deleteConfig(path, 'api-key'), false);
  assert.deepEqual(
    listConfig(path).map((entry) => entry.name),
    ['telemetry', 'llm-model', 'default-db', 'chunk'],
  );
});

test(
  'the file is 0600 in a 0700 folder from its creation',
  { skip: process.platform === 'win32' },
  async () => {
    const path = fresh();
    await setConfig(path, 'default-db', 'team');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(join(path, '..')), ['config.json']);
  },
);

test('V40: concurrent writers lose nothing', async () => {
  const path = fresh();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      updateConfig(path, (config) => ({
        ...config,
        'mcp-server-keys': [...((config['mcp-server-keys'] as string[] | undefined) ?? []), `key-${index}`],
      })),
    ),
  );
  assert.equal((readConfig(path)['mcp-server-keys'] as string[]).length, 20);
});

test('server keys are masked in every form', async () => {
  const path = fresh();
  await updateConfig(path, () => ({
    'mcp-server-keys': ['vai-mcp-key-0123456789', { id: 'k1', name: 'laptop', sha256: 'a'.repeat(64) }],
  }));
  assert.deepEqual(getConfig(path, 'mcp-server-keys')?.value, [
    'vai-…6789',
    { id: 'k1', name: 'laptop', sha256: 'aaaa…aaaa' },
  ]);
  assert.equal(getConfig(fresh(), 'mcp-server-keys'), undefined);
});

test('an unknown setting or a bad value changes nothing', async () => {
  const path = fresh();
  await assert.rejects(setConfig(path, 'nonsense', 'x'), { code: 'UNKNOWN_KEY' });
  await assert.rejects(setConfig(path, '__proto__', 'x'), { code: 'UNKNOWN_KEY' });
  await assert.rejects(setConfig(path, 'port', '1'), { code: 'UNKNOWN_KEY' });
  await assert.rejects(setConfig(path, 'default-dimensions', 'many'), { code: 'INVALID_INPUT' });
  assert.throws(() => getConfig(path, 'nonsense'), VaiError);
  assert.deepEqual(readConfig(path), {});
});

test('a broken file is never overwritten', async () => {
  const path = fresh();
  await setConfig(path, 'default-db', 'team');
  writeFileSync(path, '{"apiKey": "pa-SECRET"');
  await assert.rejects(setConfig(path, 'default-db', 'other'), { code: 'CONFIG_INVALID' });
  assert.equal(readFileSync(path, 'utf8'), '{"apiKey": "pa-SECRET"');
});

test('a lock left behind by a dead process is taken over', async () => {
  const path = fresh();
  await setConfig(path, 'default-db', 'one');
  writeFileSync(`${path}.lock`, 'somebody');
  const long = new Date(Date.now() - 60_000);
  utimesSync(`${path}.lock`, long, long);
  await setConfig(path, 'default-db', 'two');
  assert.equal(readConfig(path).defaultDb, 'two');
});

test('a database elsewhere is registered beside others', async () => {
  const path = fresh();
  await registerDatabase(path, 'notes', '/data/notes/flowrag.db');
  await registerDatabase(path, 'docs', '/data/docs/flowrag.db');
  assert.deepEqual(readConfig(path).databases, {
    notes: '/data/notes/flowrag.db',
    docs: '/data/docs/flowrag.db',
  });
});

test('masking', () => {
  assert.equal(maskSecret('short'), '****');
  assert.equal(maskSecret('pa-1234567890'), 'pa-1…7890');
  assert.equal(maskValue('note', 'mongodb://user:pass@host/db'), 'mong…t/db');
  assert.equal(maskValue('defaultDb', 'team'), 'team');
});

test('the table of settings is complete and without doubles', () => {
  const names = KEYS.map((key) => key.name);
  assert.equal(new Set(names).size, names.length);
  for (const key of KEYS) assert.ok(key.description.length > 10, key.name);
  for (const field of ['env', 'stored', 'cli', 'project'] as const) {
    const used = KEYS.flatMap((key) => key[field] ?? []);
    assert.equal(new Set(used).size, used.length, field);
  }
});
