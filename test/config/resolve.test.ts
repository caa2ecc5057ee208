import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { resolveSettings, type ResolveInput } from '../../src/config/index.ts';
import { trustProject } from '../../src/config/trust.ts';
import { VaiError } from '../../src/domain/errors.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = tempFolder('config');

type Place = Pick<ResolveInput, 'cwd' | 'home' | 'env'>;

let count = 0;
/** `project` lies above the working directory, `beside` in it. */
function place(files: { config?: string; project?: string; beside?: string } = {}): Place {
  const home = join(root, `user${++count}`);
  const cwd = join(home, 'work', 'deep', 'inside');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(join(home, '.vai'));
  if (files.config !== undefined) writeFileSync(join(home, '.vai', 'config.json'), files.config);
  if (files.project !== undefined) writeFileSync(join(home, 'work', '.vai.json'), files.project);
  if (files.beside !== undefined) writeFileSync(join(cwd, '.vai.json'), files.beside);
  return { cwd, home, env: {} };
}

async function trusted(at: Place): Promise<Place> {
  await trustProject(join(at.home!, '.vai'), join(at.home!, 'work'));
  return at;
}

const failure = (input: ResolveInput): VaiError => {
  try {
    resolveSettings(input);
  } catch (error) {
    assert.ok(error instanceof VaiError);
    return error;
  }
  throw new Error('expected a refusal');
};

test('defaults without any file, flag or variable', () => {
  const at = place();
  const settings = resolveSettings(at);
  assert.equal(settings.store, 'sqlite');
  assert.equal(settings.defaultDb, 'vai');
  assert.equal(settings.defaultCollection, undefined);
  assert.equal(settings.model, undefined);
  assert.equal(settings.resultBudget, 40_000);
  assert.equal(settings.home, join(at.home!, '.vai'));
  assert.equal(settings.configPath, join(at.home!, '.vai', 'config.json'));
  assert.deepEqual(settings.warnings, []);
  assert.equal(settings.origins.defaultDb, 'default');
});

// V2: each source of a default, each above the next.
const ORDER = [
  { name: 'flag', origin: 'flag', value: 'from-flag' },
  { name: 'environment', origin: 'environment', value: 'from-env' },
  { name: 'project', origin: 'project', value: 'from-project' },
  { name: 'config', origin: 'config', value: 'from-config' },
] as const;
for (let present = 0; present < ORDER.length; present += 1) {
  test(`the ${ORDER[present]!.name} wins over everything below it`, async () => {
    const has = (name: string): boolean => ORDER.slice(present).some((source) => source.name === name);
    const at = place({
      ...(has('project') ? { project: '{"db": "from-project", "collection": "from-project"}' } : {}),
      ...(has('config')
        ? { config: '{"defaultDb": "from-config", "defaultCollection": "from-config"}' }
        : {}),
    });
    await trusted(at);
    const settings = resolveSettings({
      ...at,
      ...(has('flag') ? { flags: { defaultDb: 'from-flag', defaultCollection: 'from-flag' } } : {}),
      env: has('environment') ? { VAI_DEFAULT_DB: 'from-env', VAI_DEFAULT_COLLECTION: 'from-env' } : {},
    });
    assert.equal(settings.defaultDb, ORDER[present]!.value);
    assert.equal(settings.defaultCollection, ORDER[present]!.value);
    assert.equal(settings.origins.defaultDb, ORDER[present]!.origin);
  });
}

test('a trusted project file sets what is its business', async () => {
  const at = place({
    project: JSON.stringify({
      version: 1,
      model: 'voyage-4',
      dimensions: 512,
      field: 'vec',
      index: 'my_index',
      inputType: 'document',
      chunk: { strategy: 'markdown', size: 900, overlap: 40 },
      filterFields: ['metadata.team'],
    }),
  });
  const settings = resolveSettings(await trusted(at));
  assert.equal(settings.model, 'voyage-4');
  assert.equal(settings.dimensions, 512);
  assert.equal(settings.field, 'vec');
  assert.equal(settings.index, 'my_index');
  assert.deepEqual(settings.chunk, { strategy: 'markdown', size: 900, overlap: 40 });
  assert.deepEqual(settings.filterFields, ['metadata.team']);
  assert.deepEqual(settings.warnings, []);
});

test('an untrusted project file narrows and says what was not honoured', async () => {
  const project =
    '{"db": "theirs", "model": "voyage-4", "index": "i", "collection": "ours", "chunk": {"size": 900}}';
  const at = place({ project, config: '{"defaultDb": "mine"}' });
  const settings = resolveSettings(at);
  assert.equal(settings.defaultDb, 'mine');
  assert.equal(settings.model, undefined);
  assert.equal(settings.index, 'vector_index');
  assert.equal(settings.defaultCollection, 'ours');
  assert.deepEqual(settings.chunk, { size: 900 });
  assert.deepEqual(settings.warnings, [
    '.vai.json: not honoured: `db`, `model`, `index`. To allow it, run `vai trust` in the folder of the file.',
  ]);
  await trusted(at);
  assert.equal(resolveSettings(at).defaultDb, 'theirs');
  assert.deepEqual(resolveSettings(at).warnings, []);
  writeFileSync(join(at.home!, 'work', '.vai.json'), project.replace('theirs', 'another'));
  const changed = resolveSettings(at);
  assert.equal(changed.defaultDb, 'mine', 'trust is of what was there when it was given');
  assert.match(changed.warnings[0]!, /has changed since you trusted it/);
});

test('a broken file or value above the working directory warns and is ignored', () => {
  const broken = resolveSettings(place({ project: '{"collection": ' }));
  assert.equal(broken.defaultCollection, undefined);
  assert.match(broken.warnings[0]!, /~\/work\/\.vai\.json is not valid JSON \(line 1\)\. It was ignored\.$/);
  const bad = resolveSettings(place({ project: '{"collection": 5, "inputType": "query"}' }));
  assert.equal(bad.defaultCollection, undefined);
  assert.equal(bad.inputType, 'query');
  assert.match(bad.warnings[0]!, /`collection` .* It was ignored\.$/);
});

test('a project file cannot change endpoints, credentials or paths', () => {
  const at = place({
    project: JSON.stringify({
      apiKey: 'pa-stolen-key-000',
      baseUrl: 'https://evil.example',
      voyageApiBase: 'https://evil.example',
      mongodbUri: 'mongodb://evil.example',
      store: 'mongodb',
      models: '../../etc/passwd',
      databases: { vai: '/etc/passwd' },
      __proto__x: 1,
      collection: 'ok',
    }),
  });
  const settings = resolveSettings(at);
  assert.deepEqual(settings.providers, {});
  assert.equal(settings.mongodbUri, undefined);
  assert.equal(settings.models, undefined);
  assert.deepEqual({ ...settings.databases }, {});
  assert.equal(settings.store, 'sqlite');
  assert.equal(settings.defaultCollection, 'ok');
  assert.equal(settings.warnings.length, 1);
  assert.match(settings.warnings[0]!, /apiKey/);
  assert.doesNotMatch(settings.warnings[0]!, /stolen|evil/);
});

test('.env files of the working directory are not read', () => {
  const at = place();
  writeFileSync(join(at.cwd, '.env'), 'VOYAGE_API_KEY=pa-from-dotenv\nMONGODB_URI=mongodb://x\n');
  writeFileSync(join(at.cwd, '.env.local'), 'VOYAGE_API_KEY=pa-from-dotenv\n');
  const settings = resolveSettings(at);
  assert.deepEqual(settings.providers, {});
  assert.equal(settings.store, 'sqlite');
});

const MALFORMED: [string, string, number][] = [
  ['not json at all', 'SECRET-CONTENT', 1],
  ['a missing value', '{\n  "apiKey": "pa-SECRET-CONTENT",\n  "defaultDb":\n}', 4],
  ['a trailing comma', '{\n  "a": "SECRET-CONTENT",\n}', 3],
  ['an open string', '{\n  "a": 1,\n  "b": "SECRET-CONTENT\n}', 3],
  ['an open object', '{\n  "a": "SECRET-CONTENT"\n', 2],
  ['two values', '{}\n{"a": "SECRET-CONTENT"}', 2],
  ['a missing comma', '{\n  "a": "SECRET-CONTENT"\n  "b": 2\n}', 3],
  ['a single-quoted key', "{\n\n 'SECRET-CONTENT': 1}", 3],
  ['a list', '["SECRET-CONTENT"]', 1],
  ['nothing', '', 1],
];
for (const [what, text, line] of MALFORMED) {
  test(`a config file with ${what} is refused by name and line, without its content`, () => {
    const error = failure(place({ config: text }));
    assert.equal(error.code, 'CONFIG_INVALID');
    assert.match(error.message, /~\/\.vai\/config\.json/);
    assert.match(error.message, new RegExp(`line ${line}\\b`));
    assert.doesNotMatch(JSON.stringify([error.message, error.hint]), /SECRET/);
    assert.equal(error.cause, undefined);
    const project = failure(place({ beside: text }));
    assert.equal(project.code, 'CONFIG_INVALID');
    assert.match(project.message, /~\/work\/deep\/inside\/\.vai\.json/);
    assert.doesNotMatch(project.message, /SECRET/);
  });
}

test('a wrong value is named by key and line, never by itself', () => {
  const error = failure(place({ config: '{\n  "defaultModel": "m",\n  "baseUrl": "ftp://SECRET"\n}' }));
  assert.equal(error.code, 'CONFIG_INVALID');
  assert.match(error.message, /line 3: `baseUrl`/);
  assert.doesNotMatch(error.message, /SECRET/);
  const variable = failure({ ...place(), env: { PORT: 'SECRET' } });
  assert.match(variable.message, /PORT must be a whole number/);
  assert.doesNotMatch(variable.message, /SECRET/);
  const flag = failure({ ...place(), flags: { port: 'abc' } });
  assert.equal(flag.code, 'INVALID_INPUT');
});

test('an overlap of half the size or more is refused', () => {
  const error = failure(place({ beside: '{"chunk": {"size": 200, "overlap": 100}}' }));
  assert.match(error.message, /overlap under half/);
});

test('VAI_HOME and VAI_CONFIG_PATH move things', () => {
  const at = place();
  const elsewhere = join(at.home!, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'my.json'), '{"defaultDb": "other", "models": "models.json"}');
  const settings = resolveSettings({
    ...at,
    env: { VAI_HOME: elsewhere, VAI_CONFIG_PATH: '~/elsewhere/my.json' },
  });
  assert.equal(settings.home, elsewhere);
  assert.equal(settings.defaultDb, 'other');
  assert.equal(settings.models, join(elsewhere, 'models.json'));
});

test('a MongoDB URI alone chooses that store for vai, not for the other servers', () => {
  const at = place();
  const env = { MONGODB_URI: 'mongodb://127.0.0.1/x' };
  assert.equal(resolveSettings({ ...at, env }).store, 'mongodb');
  assert.equal(resolveSettings({ ...at, env }).origins.store, 'implied');
  assert.equal(resolveSettings({ ...at, env, uriChoosesStore: false }).store, 'sqlite');
  assert.equal(resolveSettings({ ...at, env: { ...env, VAI_STORE: 'sqlite' } }).store, 'sqlite');
});

test('the database of the connection string is the default one, after everything that names one', () => {
  const of = (uri: string, more: Record<string, string> = {}, config = '{}') =>
    resolveSettings({ ...place({ config }), env: { MONGODB_URI: uri, ...more } });
  assert.equal(of('mongodb://127.0.0.1/team').defaultDb, 'team');
  assert.equal(of('mongodb://127.0.0.1/team').origins.defaultDb, 'implied');
  assert.equal(of('mongodb+srv://u:p@host.example/te%61m?retryWrites=true').defaultDb, 'team');
  assert.equal(of('mongodb://a:1,b:2/team?replicaSet=x').defaultDb, 'team');
  for (const uri of [
    'mongodb://127.0.0.1',
    'mongodb://127.0.0.1/',
    'mongodb://127.0.0.1/?x=1',
    'mongodb://h/%zz',
  ])
    assert.equal(of(uri).defaultDb, 'vai', uri);
  assert.equal(of('mongodb://127.0.0.1/admin').defaultDb, 'vai', 'where the users are kept');
  assert.equal(of('mongodb://127.0.0.1/team', { VAI_DEFAULT_DB: 'mine' }).defaultDb, 'mine');
  assert.equal(of('mongodb://127.0.0.1/team', {}, '{"defaultDb": "mine"}').defaultDb, 'mine');
  assert.equal(of('mongodb://127.0.0.1/team', { VAI_STORE: 'sqlite' }).defaultDb, 'vai');
});

test('empty variables count as unset, several server keys are split', () => {
  const settings = resolveSettings({
    ...place({ config: '{"apiKey": "pa-0123456789"}' }),
    env: { VOYAGE_API_KEY: '', VAI_MCP_SERVER_KEY: 'one, two,', BLZ_ALLOW_PRIVATE: '1' },
  });
  assert.deepEqual(settings.providers, { voyage: { apiKey: 'pa-0123456789' } });
  assert.deepEqual(settings.serverKeys, ['one', 'two']);
  assert.equal(settings.allowPrivate, true);
});

test('null and empty text in a file count as unset', () => {
  const settings = resolveSettings(
    place({
      config:
        '{"defaultDb": null, "defaultModel": "", "maxChunks": null, "showCost": false, "maxSpending": 0}',
      beside: '{"collection": null, "chunk": null}',
    }),
  );
  assert.equal(settings.defaultDb, 'vai');
  assert.equal(settings.model, undefined);
  assert.equal(settings.maxChunks, 1_000_000);
  assert.equal(settings.defaultCollection, undefined);
  assert.deepEqual(settings.chunk, {});
  assert.deepEqual([settings.showCost, settings.maxSpending], [false, 0], 'no and nothing are values');
  assert.deepEqual([settings.origins.maxSpending, settings.origins.defaultDb], ['config', 'default']);
});

test('defaults are copies: whoever changes one changes nothing for others', () => {
  const at = place();
  resolveSettings(at).filterFields.push('mine');
  assert.deepEqual(resolveSettings(at).filterFields, []);
});

test('paths of a flag or variable are relative to the working directory, those of the config file to the file', () => {
  const at = place({ config: '{"models": "m.json"}' });
  assert.equal(resolveSettings(at).models, join(at.home!, '.vai', 'm.json'));
  const settings = resolveSettings({ ...at, flags: { models: 'f.json' }, env: { VAI_MCP_OAUTH: 'o.json' } });
  assert.equal(settings.models, join(at.cwd, 'f.json'));
  assert.equal(settings.oauth, join(at.cwd, 'o.json'));
});

test('hosts are all, none, or a list', () => {
  const of = (value: string) =>
    resolveSettings({ ...place(), env: { BLZ_ALLOW_PRIVATE: value } }).allowPrivate;
  assert.equal(of('true'), true);
  assert.equal(of('0'), false);
  assert.deepEqual(of('Wiki.corp, *.docs.corp:8443,[::1]'), ['wiki.corp', '*.docs.corp:8443', '[::1]']);
  const refused = failure({ ...place(), env: { BLZ_ALLOW_HOSTS: 'https://wiki.corp/' } });
  assert.match(refused.message, /BLZ_ALLOW_HOSTS must be 1, 0 or a list of host names/);
});

test('secrets may come from files; an error about one never quotes it', () => {
  const at = place();
  const file = join(at.home!, 'voyage.key');
  writeFileSync(file, 'pa-0123456789\n');
  const of = (env: Record<string, string>) => resolveSettings({ ...at, env });
  assert.equal(of({ VOYAGE_API_KEY_FILE: file }).providers.voyage?.apiKey, 'pa-0123456789');
  assert.equal(
    of({ VOYAGE_API_KEY: 'pa-mine-567890', VOYAGE_API_KEY_FILE: file }).providers.voyage?.apiKey,
    'pa-mine-567890',
  );
  assert.deepEqual(of({ VAI_MCP_SERVER_KEY_FILE: file }).serverKeys, ['pa-0123456789']);
  assert.equal(of({ VAI_MCP_HOST_FILE: file }).host, '127.0.0.1', 'only secrets');
  assert.match(
    failure({ ...at, env: { VOYAGE_API_KEY_FILE: `${file}x` } }).message,
    /VOYAGE_API_KEY_FILE cannot be read/,
  );
  writeFileSync(file, 'pa-0123456789'.padEnd(65_536));
  assert.equal(of({ VOYAGE_API_KEY_FILE: '~/voyage.key' }).providers.voyage?.apiKey, 'pa-0123456789');
  writeFileSync(file, 'pa-0123456789'.padEnd(65_537));
  assert.match(failure({ ...at, env: { VOYAGE_API_KEY_FILE: file } }).message, /is empty or too large/);
  writeFileSync(file, ' \n');
  assert.match(failure({ ...at, env: { MONGODB_URI_FILE: file } }).message, /MONGODB_URI_FILE is empty/);
});
