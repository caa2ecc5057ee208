import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
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
import { tempFolder } from '../support/temp-folder.ts';

const root = tempFolder('config-store');
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
    assert.equal(readFileSync(path, 'utf8'), '{\n  "defaultDb": "team"\n}\n');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(join(path, '..')), ['config.json']);
  },
);

test('concurrent writers lose nothing', async () => {
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

/** A lock that somebody else took at a whole second. */
function lockedAt(seconds: number): { path: string; lock: string } {
  const path = fresh();
  mkdirSync(dirname(path));
  const lock = `${path}.lock`;
  writeFileSync(lock, 'somebody');
  utimesSync(lock, seconds, seconds);
  return { path, lock };
}

/** The clock by which patience ends: each look at it gives the next value, and the last one from then on. */
function clock(t: TestContext, ...values: number[]): { looks: () => number } {
  let looks = 0;
  t.mock.method(performance, 'now', () => values[Math.min(looks++, values.length - 1)]);
  return { looks: () => looks };
}

test('a lock is respected for ten seconds and taken over after them', async (t) => {
  const { path, lock } = lockedAt(1_000);
  clock(t, 0, 5_001);
  t.mock.method(Date, 'now', () => 1_010_000);
  await assert.rejects(setConfig(path, 'default-db', 'two'), {
    code: 'WRITE_FAILED',
    message: 'Another process is writing the config file.',
  });
  assert.equal(readFileSync(lock, 'utf8'), 'somebody');
  assert.deepEqual(readConfig(path), {});
  t.mock.method(Date, 'now', () => 1_010_001);
  await setConfig(path, 'default-db', 'two');
  assert.equal(readConfig(path).defaultDb, 'two');
  assert.equal(existsSync(lock), false);
});

test('a writer waits five seconds for another one', async (t) => {
  const { path } = lockedAt(1_000);
  t.mock.method(Date, 'now', () => 1_000_000);
  const { looks } = clock(t, 100, 5_100, 5_101);
  await assert.rejects(setConfig(path, 'default-db', 'two'), { code: 'WRITE_FAILED' });
  assert.equal(looks(), 3, 'at five seconds it tries once more');
});

test(
  'a lock is private, and whoever took it over keeps it',
  { skip: process.platform === 'win32' },
  async () => {
    const path = fresh();
    const lock = `${path}.lock`;
    await updateConfig(path, () => {
      assert.equal(statSync(lock).mode & 0o777, 0o600);
      writeFileSync(lock, 'somebody else');
      return { defaultDb: 'team' };
    });
    assert.equal(readFileSync(lock, 'utf8'), 'somebody else');
  },
);

test('folders on the way are made; where that fails, the error says so', async () => {
  const deep = join(root, 'several', 'folders', 'config.json');
  await setConfig(deep, 'default-db', 'team');
  assert.equal(readConfig(deep).defaultDb, 'team');
  await assert.rejects(setConfig(join(deep, 'below', 'config.json'), 'default-db', 'x'), {
    code: 'WRITE_FAILED',
    message: 'The folder of the config file cannot be created.',
  });
  const locked = fresh();
  mkdirSync(dirname(locked));
  await assert.rejects(
    updateConfig(join(dirname(locked), 'x'.repeat(300)), () => ({})),
    {
      code: 'WRITE_FAILED',
      message: 'The config file could not be locked for writing.',
    },
  );
});

test('a write that fails is reported and leaves nothing behind', async () => {
  const failed = { code: 'WRITE_FAILED', message: 'The config file could not be written.' };
  const replaced = fresh();
  await assert.rejects(
    updateConfig(replaced, () => {
      mkdirSync(replaced);
      return {};
    }),
    failed,
  );
  assert.deepEqual(readdirSync(dirname(replaced)), ['config.json']);
  const removed = fresh();
  await assert.rejects(
    updateConfig(removed, () => {
      rmSync(dirname(removed), { recursive: true });
      return {};
    }),
    failed,
  );
});

test('a new value is shown under the name people type, secrets masked', async () => {
  const path = fresh();
  assert.deepEqual(await setConfig(path, 'defaultDb', 'team'), { name: 'default-db', value: 'team' });
  assert.deepEqual(await setConfig(path, 'apiKey', 'pa-0123456789abcdef'), {
    name: 'api-key',
    value: 'pa-0…cdef',
  });
  assert.deepEqual(await setConfig(path, 'databases', '{"notes": "notes.db"}'), {
    name: 'databases',
    value: { notes: join(dirname(path), 'notes.db') },
  });
  await updateConfig(path, (config) => ({ ...config, telemetry: 'all', token: 'abcdefghijklmnop' }));
  assert.deepEqual(listConfig(path), [
    { name: 'default-db', value: 'team' },
    { name: 'api-key', value: 'pa-0…cdef' },
    { name: 'databases', value: { notes: join(dirname(path), 'notes.db') } },
    { name: 'telemetry', value: 'all' },
    { name: 'token', value: 'abcd…mnop' },
  ]);
  assert.deepEqual(getConfig(path, 'telemetry'), { name: 'telemetry', value: 'all' });
  assert.deepEqual(getConfig(path, 'default-db'), { name: 'default-db', value: 'team' });
  for (const name of ['chunk', 'databases'])
    await assert.rejects(setConfig(path, name, 'size=7'), {
      code: 'INVALID_INPUT',
      message: `\`${name}\` must be written as JSON.`,
    });
  await assert.rejects(setConfig(path, 'default-dimensions', '0'), {
    message: '`default-dimensions` must be a whole number from 1 to 8192.',
  });
});

test('an unknown name is answered with those there are', async () => {
  await assert.rejects(setConfig(fresh(), 'z'.repeat(99), 'x'), (error: VaiError) => {
    assert.equal(error.message, `There is no setting \`${'z'.repeat(60)}\` in the config file.`);
    const names = error.hint!.replace(/^Settings are |\.$/g, '').split(', ');
    assert.ok(names.includes('default-db') && names.includes('store'));
    assert.ok(names.every((name) => name !== '' && name !== 'undefined'));
    return true;
  });
  for (const name of ['toString', '__proto__'])
    assert.throws(() => getConfig(fresh(), name), { code: 'UNKNOWN_KEY' });
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
