import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from '../../src/config/env-file.ts';
import { collectionOf, resolveFlowrag, type FlowragFlags } from '../../src/config/flowrag.ts';
import type { Trust } from '../../src/config/trust.ts';
import { VaiError } from '../../src/domain/errors.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Place {
  root: string;
  write(path: string, text: string): void;
  resolve(
    flags?: FlowragFlags,
    env?: Record<string, string>,
    cwd?: string,
  ): ReturnType<typeof resolveFlowrag>;
}

function using(work: (place: Place) => void, trust: Trust = 'trusted'): void {
  const root = tempFolder('flowrag-config');
  mkdirSync(join(root, 'project'));
  mkdirSync(join(root, 'elsewhere'));
  work({
    root,
    write: (path, text) => writeFileSync(join(root, path), text),
    resolve: (flags = {}, env = {}, cwd = join(root, 'project')) =>
      resolveFlowrag({ flags, env, cwd, userHome: root, trustOf: () => trust }),
  });
}

const problem = (work: () => unknown): VaiError => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof VaiError);
    return error;
  }
  throw new Error('nothing was wrong');
};

test('without configuration nothing is set and nothing is written', () =>
  using((place) => {
    assert.deepEqual(place.resolve(), { env: {} });
  }));

test('flags win over the file, the file over defaults; paths in the file are relative to it, those of flags to the working directory', () =>
  using((place) => {
    place.write(
      'project/flowrag.config.json',
      JSON.stringify({ docs: './content', schema: { entityTypes: ['A'] } }),
    );
    const config = join(place.root, 'project/flowrag.config.json');
    const fromElsewhere = place.resolve({ config }, {}, join(place.root, 'elsewhere'));
    assert.equal(fromElsewhere.graph?.docs, join(place.root, 'project/content'));
    assert.equal(fromElsewhere.graph?.data, join(place.root, 'project/data'));
    assert.equal(fromElsewhere.databaseFile, join(place.root, 'project/data/flowrag.db'));
    assert.deepEqual(fromElsewhere.graph?.schema.entityTypes, ['A']);
    assert.deepEqual(fromElsewhere.graph?.schema.relationTypes, [
      'USES',
      'PRODUCES',
      'CONSUMES',
      'OWNS',
      'DEPENDS_ON',
    ]);
    const flagged = place.resolve({ config, docs: './mine', data: 'd' }, {}, join(place.root, 'elsewhere'));
    assert.equal(flagged.graph?.docs, join(place.root, 'elsewhere/mine'));
    assert.equal(flagged.graph?.data, join(place.root, 'elsewhere/d'));
    assert.equal(flagged.graph?.collection, 'mine');
    assert.equal(place.resolve({ docs: './content' }).graph?.data, join(place.root, 'project/data'));
  }));

test('a broken file stops with line and column, an unknown key with the nearest', () =>
  using((place) => {
    const wrong = (text: string) => {
      place.write('project/flowrag.config.json', text);
      return problem(() => place.resolve());
    };
    assert.match(wrong('{\n  "data": "./d",\n  oops\n}').message, /line 3, column 3/);
    assert.match(wrong('{\n  "data": 5\n}').message, /line 2, column 3: `data` must be a text/);
    assert.match(wrong('{ "doc": "x" }').message, /did you mean `docs`\?$/);
    assert.match(wrong('{\n "schema": {\n  "entityTypes": "SERVICE"\n } }').message, /line 3, column 3/);
    assert.match(
      wrong('{ "extractor": { "provider": "local" } }').message,
      /`local` has no extractor; use one of .*rules.*gemini/,
    );
    assert.match(wrong('{ "embedder": { "provider": "gemni" } }').message, /one of .*builtin.*local.*gemini/);
    assert.match(
      wrong('{ "schema": { "entityFields": { "tier": { "type": "enum" } } } }').message,
      /needs `values`/,
    );
    assert.equal(wrong('[]').code, 'CONFIG_INVALID');
    assert.ok(!wrong('{ x').message.includes(place.root));
  }));

test('an error is one sentence that says where', () =>
  using((place) => {
    const cases: [text: string, message: RegExp][] = [
      ['', /, line 1, column 1: is not valid JSON: value expected\.$/],
      ['{ "docs": "x", }', /, line 1, column 16: is not valid JSON: [a-z ]+\.$/],
      ['{ // why\n}', /, line 1, column 3: is not valid JSON: [a-z ]+\.$/],
      ['\n{ "data": 5 }', /, line 2, column 3: `data` must be a text\.$/],
      [
        '{\n  "docs": "x",\n  "doc": "y" }',
        /, line 3, column 3: there is no key `doc` here; did you mean `docs`\?$/,
      ],
      ['{\n  "embedder": {} }', /, line 2, column 3: `embedder\.provider` must be a text\.$/],
      ['{ "exclude": [\n  "a",\n   7] }', /, line 3, column 4: `exclude\.1` must be a text\.$/],
      ['\n  []', /, line 2, column 3: the file must contain one JSON object\.$/],
    ];
    for (const [text, message] of cases) {
      place.write('project/flowrag.config.json', text);
      const { code, message: told } = problem(() => place.resolve());
      assert.equal(code, 'CONFIG_INVALID');
      assert.match(told, message, text);
    }
  }));

test('a file is at most a megabyte, and may begin with a byte order mark', () =>
  using((place) => {
    const text = '\uFEFF{"docs": "c"}';
    place.write('project/flowrag.config.json', text.padEnd(1_000_000 - 2));
    assert.equal(place.resolve().graph?.docs, join(place.root, 'project/c'));
    place.write('project/flowrag.config.json', text.padEnd(1_000_001 - 2));
    assert.match(problem(() => place.resolve()).message, /is larger than 1 MB/);
  }));

test('what a file leaves out stays as it is without one', () =>
  using((place) => {
    place.write('project/flowrag.config.json', '{}');
    const { data, db, ...rest } = place.resolve().graph!;
    assert.deepEqual([data, db], [join(place.root, 'project/data'), 'flowrag']);
    const { schema, embedder, extractor, warnings, ...more } = rest;
    assert.deepEqual(schema.entityTypes, ['SERVICE', 'DATABASE', 'PROTOCOL', 'TEAM', 'CONCEPT']);
    assert.deepEqual([embedder.provider, extractor.provider, warnings], ['builtin', 'rules', []]);
    assert.deepEqual(more, {});
    const given = { include: ['*.md'], exclude: ['tmp'], maxBytes: 7 };
    place.write('project/flowrag.config.json', JSON.stringify({ ...given, docs: '.' }));
    const { include, exclude, maxBytes } = place.resolve().graph!;
    assert.deepEqual({ include, exclude, maxBytes }, given);
  }));

test('models are named in full, by the default of their provider where none is named', () =>
  using((place) => {
    const models = (embedder: object, extractor: object) => {
      place.write('project/flowrag.config.json', JSON.stringify({ docs: '.', embedder, extractor }));
      const { graph } = place.resolve();
      return [graph?.embedder.model, graph?.extractor.model];
    };
    assert.deepEqual(models({ provider: 'builtin' }, { provider: 'rules' }), ['builtin-embed-1', 'rules']);
    assert.deepEqual(models({ provider: 'ollama' }, { provider: 'gemini' }), [
      'ollama/nomic-embed-text',
      'gemini-3-flash-preview',
    ]);
    assert.deepEqual(
      models({ provider: 'openai', model: 'BAAI/bge-m3' }, { provider: 'openai', model: 'gpt-5-mini' }),
      ['openai/BAAI/bge-m3', 'gpt-5-mini'],
    );
    const nameless = problem(() => models({ provider: 'openai' }, { provider: 'rules' }));
    assert.match(nameless.message, /`openai` needs a `model`/);
  }));

test("upstream's own keys are accepted with a warning; a named file must exist", () =>
  using((place) => {
    place.write(
      'project/flowrag.config.json',
      JSON.stringify({ docs: 'c', namespace: 'x', storage: {}, port: 1 }),
    );
    assert.equal(place.resolve().graph?.warnings.length, 3);
    assert.equal(problem(() => place.resolve({ config: 'nope.json' })).code, 'CONFIG_MISSING');
  }));

test('.env gives provider keys only and never overrides', () =>
  using((place) => {
    place.write('project/flowrag.config.json', '{"docs":"c"}');
    place.write(
      'project/.env',
      'GEMINI_API_KEY="from-file" # c\nexport AWS_REGION=eu-west-1\nVAI_HOME=/tmp/x\nVOYAGE_API_KEY=v\nMONGODB_URI=m\nGEMINI_API_BASE=http://x\n',
    );
    place.write('elsewhere/.env', 'GEMINI_API_KEY=second\nAWS_ACCESS_KEY_ID=id\n');
    const config = join(place.root, 'project/flowrag.config.json');
    const { env } = place.resolve({ config }, {}, join(place.root, 'elsewhere'));
    assert.deepEqual(env, { GEMINI_API_KEY: 'from-file', AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'id' });
    assert.equal(place.resolve({ config }, { GEMINI_API_KEY: 'real' }).env['GEMINI_API_KEY'], 'real');
    assert.deepEqual(
      [...parseEnv("A='x # y'\n#B=1\nbad line\nC=a b # c")],
      [
        ['A', 'x # y'],
        ['C', 'a b'],
      ],
    );
  }));

const HOSTILE = {
  docs: '~',
  data: '/tmp/theirs',
  embedder: { provider: 'gemini' },
  extractor: { provider: 'bedrock' },
  schema: { entityTypes: ['A'] },
  exclude: ['x'],
  maxBytes: 1_000_000_000,
};

test('an untrusted file reads no folder outside, names no provider, key or database', () =>
  using((place) => {
    place.write('project/flowrag.config.json', JSON.stringify(HOSTILE));
    place.write('project/.env', 'GEMINI_API_KEY=theirs\nAWS_ACCESS_KEY_ID=theirs\n');
    const { graph, databaseFile, env } = place.resolve();
    assert.deepEqual(env, {});
    assert.equal(databaseFile, undefined);
    assert.deepEqual([graph?.docs, graph?.data, graph?.db, graph?.collection], new Array(4).fill(undefined));
    assert.deepEqual([graph?.embedder.provider, graph?.extractor.provider], ['builtin', 'rules']);
    assert.deepEqual([graph?.schema.entityTypes, graph?.exclude], [['A'], ['x']]);
    assert.equal(graph?.maxBytes, 64 * 1024 * 1024);
    assert.deepEqual(graph?.warnings, [
      'flowrag.config.json: not honoured: `data` (a database), `embedder` (a provider), `extractor` (a provider), ' +
        '`docs` (a folder outside the project), `GEMINI_API_KEY` of .env, `AWS_ACCESS_KEY_ID` of .env. ' +
        'To allow it, run `vai trust` in the folder of the file.',
    ]);
  }, 'unknown'));

test('a warning names what was asked for, and nothing else', () =>
  using((place) => {
    const warned = (file: object) => {
      place.write('project/flowrag.config.json', JSON.stringify(file));
      return place.resolve().graph!.warnings.map((text) => /not honoured: (.*?)\. To allow/.exec(text)![1]);
    };
    assert.deepEqual(warned({ data: './data' }), ['`data` (a database)']);
    assert.deepEqual(warned({ embedder: { provider: 'builtin' } }), ['`embedder` (a provider)']);
    assert.deepEqual(warned({ extractor: { provider: 'rules' } }), ['`extractor` (a provider)']);
    assert.deepEqual(warned({ docs: '..' }), ['`docs` (a folder outside the project)']);
    assert.deepEqual(warned({ docs: '.', schema: { entityTypes: ['A'] } }), []);
    assert.deepEqual(warned({}), []);
  }, 'unknown'));

test('an untrusted file may lower what a document may hold, not raise it', () =>
  using((place) => {
    const limit = (maxBytes: number) => {
      place.write('project/flowrag.config.json', JSON.stringify({ maxBytes }));
      return place.resolve().graph!.maxBytes;
    };
    const most = 64 * 1024 * 1024;
    assert.deepEqual([1, most - 1, most + 1].map(limit), [1, most - 1, most]);
  }, 'unknown'));

test('a file named by a flag does not make the working directory trusted', () =>
  using((place) => {
    place.write('elsewhere/flowrag.config.json', '{"docs": "."}');
    place.write('elsewhere/.env', 'GEMINI_API_KEY=mine\n');
    place.write('project/.env', 'AWS_ACCESS_KEY_ID=theirs\n');
    const { env } = place.resolve({ config: '../elsewhere/flowrag.config.json' });
    assert.deepEqual(env, { GEMINI_API_KEY: 'mine' });
  }, 'unknown'));

test('an untrusted file names a folder of its project; links out of it do not count', () =>
  using((place) => {
    mkdirSync(join(place.root, 'project/guide'));
    symlinkSync(join(place.root, 'elsewhere'), join(place.root, 'project/link'));
    const docs = (path: string) => {
      place.write('project/flowrag.config.json', JSON.stringify({ docs: path }));
      const { docs, collection, db, within } = place.resolve().graph!;
      return docs === undefined ? undefined : { docs, collection, db, within };
    };
    const project = join(place.root, 'project');
    assert.deepEqual(docs('./guide'), {
      docs: join(project, 'guide'),
      collection: 'project-guide',
      db: undefined,
      within: project,
    });
    assert.equal(docs('.')?.collection, 'project');
    assert.equal(docs('not-yet')?.docs, join(project, 'not-yet'));
    for (const outside of ['..', '../elsewhere', '~', '/', 'link', './guide/../../elsewhere'])
      assert.equal(docs(outside), undefined, outside);
  }, 'unknown'));

test("a flag is the user's word, for that process", () =>
  using((place) => {
    place.write('project/flowrag.config.json', JSON.stringify(HOSTILE));
    place.write('project/.env', 'GEMINI_API_KEY=mine\n');
    const named = place.resolve({ config: 'flowrag.config.json' });
    assert.equal(named.graph?.docs, place.root);
    assert.equal(named.env['GEMINI_API_KEY'], 'mine');
    assert.equal(named.databaseFile, '/tmp/theirs/flowrag.db');
    const docs = place.resolve({ docs: '../elsewhere' });
    assert.equal(docs.graph?.docs, join(place.root, 'elsewhere'));
    assert.equal(docs.databaseFile, join(place.root, 'project/data/flowrag.db'), 'not where the file says');
    assert.equal(docs.graph?.embedder.provider, 'builtin');
    assert.deepEqual(docs.env, {});
  }, 'unknown'));

test('the database keeps its name; another folder gets another', () =>
  using((place) => {
    const file = join(place.root, 'project/d/flowrag.db');
    const at = (databases: Record<string, string>) =>
      resolveFlowrag({
        flags: { data: 'd' },
        env: {},
        cwd: join(place.root, 'project'),
        userHome: place.root,
        databases,
        trustOf: () => 'unknown',
      }).graph?.db;
    assert.equal(at({}), 'flowrag');
    assert.equal(at({ mine: file }), 'mine');
    assert.match(at({ flowrag: '/other.db' })!, /^flowrag-[0-9a-f]{8}$/);
  }));

test('a folder of any name is a collection', () => {
  assert.deepEqual(['/a/my docs', '/a/x:y@z', '/a/...', '/'].map(collectionOf), [
    'my docs',
    'x-y-z',
    'docs',
    'docs',
  ]);
  assert.equal(collectionOf(`/a/${'x'.repeat(200)}`), 'x'.repeat(120));
  assert.equal(collectionOf('/a/_vai_internal'), 'docs');
});
