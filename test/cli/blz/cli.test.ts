import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { wantsDebug } from '../../../src/cli/blz/server.ts';
import { parseLevels } from '../../../src/cli/blz/levels.ts';
import { parseManifest } from '../../../src/cli/blz/manifest.ts';
import { composeEngine } from '../../../src/compose.ts';
import { resolveSettings } from '../../../src/config/index.ts';
import { localCall } from '../../../src/engine/call.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { runCommand } from '../../../src/tools/blz/commands.ts';
import { GUIDE } from '../../support/blz-engine.ts';
import { startDocsServer, status, type DocsServer } from '../../support/docs-server.ts';
import { runBlz, type BlzOptions } from './support.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const home = tempFolder('blzcli');
let server: DocsServer;
let env: Record<string, string>;

before(async () => {
  server = await startDocsServer();
  env = { VAI_HOME: join(home, 'data'), BLZ_ALLOW_PRIVATE: '1' };
  server.set('/llms-full.txt', GUIDE);
});
after(() => server.close());

const blz = (args: string[], options?: BlzOptions) => runBlz({ cwd: home, env }, args, options);

async function withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const settings = resolveSettings({ env, cwd: home });
  const engine = await composeEngine({ settings, env, cwd: home });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

describe('a tool and its command give the same', () => {
  before(async () => {
    const added = await blz(['add', 'guide', server.origin]);
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.json().message, /^Added guide \(9 headings, 40 lines\)/);
    assert.equal(added.json().url, `${server.origin}/llms-full.txt`);
  });

  test('find(query) and blz search --json', async () => {
    const printed = await blz(['search', 'installer', '--json']);
    const payload = await withEngine((engine) => engine.docs.find(localCall(), { query: 'installer' }));
    assert.deepEqual(printed.json(), payload);
    assert.equal(printed.code, 0);
    const narrowed = await blz(['search', 'alpha', 'gamma', '-s', 'guide', '-n', '1']);
    const same = await withEngine((engine) =>
      engine.docs.find(localCall(), { query: 'alpha gamma', source: ['guide'], maxResults: 1 }),
    );
    assert.deepEqual(narrowed.json(), same);
  });

  test('find(snippets) and blz get --json', async () => {
    const printed = await blz(['get', 'guide:9-12', 'guide:1', '--context', 'symmetric', '--json']);
    const payload = await withEngine((engine) =>
      engine.docs.find(localCall(), { snippets: ['guide:9-12', 'guide:1'], contextMode: 'symmetric' }),
    );
    assert.deepEqual(printed.json(), payload);
  });

  test('list-sources and blz list --json', async () => {
    const printed = await blz(['list', '--json', '--filter', 'gu']);
    const payload = await withEngine((engine) => engine.docs.list(localCall(), { filter: 'gu' }));
    assert.deepEqual(printed.json(), payload);
  });

  test('run-command and the commands of its list', async () => {
    for (const command of ['stats', 'history', 'validate', 'inspect', 'schema'] as const) {
      const printed = await blz([command, '-f', 'text']);
      const payload = await withEngine((engine) => runCommand({ engine, call: localCall() }, command));
      assert.equal(printed.stdout.trimEnd(), payload.stdout, command);
      assert.equal(printed.code, payload.exitCode);
    }
  });
});

describe('formats and exit codes', () => {
  test('text on a terminal, JSON in a pipe, one object a line, raw', async () => {
    assert.match(
      (await blz(['search', 'installer'], { tty: true })).stdout,
      /^Verdict: answered\n\n1\. guide:9-12 {2}score 100 {2}relevance 0\.\d\d\n {3}Guide › Install\n/,
    );
    assert.match((await blz(['search', 'installer'])).stdout, /^\{/);
    const lines = (await blz(['search', 'alpha', '-f', 'jsonl'])).stdout.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).alias),
      ['guide', 'guide'],
    );
    assert.equal((await blz(['get', 'guide:7', '-f', 'raw'])).stdout, 'Welcome to the guide.\n');
    assert.equal(
      (await blz(['get', 'guide:7'], { env: { BLZ_OUTPUT_FORMAT: 'raw' } })).stdout,
      'Welcome to the guide.\n',
    );
    assert.equal((await blz(['list', '-f', 'yaml'])).code, 2);
  });

  test('padding of get', async () => {
    const lines = async (...args: string[]) =>
      (await blz(['get', 'guide:11', ...args])).json().snippets[0].lines;
    assert.equal(await lines('-C', '2'), '9-13');
    assert.equal(await lines('-C'), '6-16');
    assert.equal(await lines('-A', '3'), '11-14');
    assert.equal(await lines('-B', '1', '-A', '1'), '10-12');
  });

  test('2 usage, 3 not found, 4 bad citation, 5 network', async () => {
    assert.equal((await blz(['nonsense'])).code, 2);
    assert.equal((await blz(['search', 'x', '-n', 'many'])).code, 2);
    assert.equal((await blz(['search', 'x', '-s', 'nosuch'])).code, 3);
    assert.equal((await blz(['search', 'xylophonist', '-f', 'text'])).code, 3);
    assert.equal((await blz(['get', 'guide'])).code, 4);
    assert.equal((await blz(['validate', 'nosuch'])).code, 3);
    server.set('/down.txt', status(404));
    assert.equal((await blz(['add', 'down', `${server.origin}/down.txt`])).code, 5);
    assert.equal((await blz(['add', 'guide', server.origin])).code, 2);
    assert.equal((await blz(['remove', 'guide'])).code, 2);
  });

  test('BLZ_DEFAULT_LIMIT', async () => {
    assert.equal(
      (await blz(['search', 'alpha', '-f', 'jsonl'], { env: { BLZ_DEFAULT_LIMIT: '1' } })).stdout
        .trim()
        .split('\n').length,
      1,
    );
  });
});

describe('the other commands', () => {
  test('update, history, diff and map', async () => {
    server.set('/llms-full.txt', `Intro.\n\n${GUIDE}`);
    const updated = (await blz(['update', 'guide'])).json().results[0];
    assert.equal(updated.status, 'refreshed');
    assert.equal((await blz(['update', '--all'])).json().results[0].status, 'unchanged');
    assert.deepEqual(
      (await blz(['history', 'guide'])).json().events.map((event: { result: string }) => event.result),
      ['unchanged', 'updated', 'added'],
    );
    assert.ok((await blz(['diff', 'guide'])).json().moved.length > 5);
    const map = (await blz(['map', 'guide', '-H', '<=2'])).json().entries;
    assert.deepEqual(map[0], {
      headingPath: ['Guide'],
      level: 1,
      lines: '5-10',
      sectionLines: '5-27',
      id: map[0].id,
    });
    server.set('/llms-full.txt', '# Short\n');
    const held = await blz(['update', 'guide', '-f', 'text']);
    assert.equal(held.code, 5);
    assert.match(held.stdout, /held.*--force/);
    assert.equal((await blz(['update', 'guide', '--force'])).json().results[0].status, 'refreshed');
  });

  test('add: dry run, file, manifest', async () => {
    const dry = (await blz(['add', 'dry', `${server.origin}/llms-full.txt`, '--dry-run'])).json();
    assert.equal(dry.lineCount, 1);
    assert.equal(dry.headerCount, 1);
    assert.equal((await blz(['list', '--installed', '-f', 'raw'])).stdout, 'guide\n');
    await writeFile(join(home, 'notes.md'), '# Notes\n\nOn marmots.\n');
    await writeFile(
      join(home, 'sources.toml'),
      'version = "1"\n[[source]]\nalias = "notes"\npath = "notes.md"\nname = "My notes"\ntags = ["a"]\n[[source]]\nalias = "other"\nurl = "https://x.example/"\n',
    );
    const added = await blz(['add', '--manifest', 'sources.toml', '--only', 'notes']);
    assert.equal(added.code, 0, added.stderr);
    assert.equal((await blz(['search', 'marmots', '-f', 'raw'])).stdout, 'notes:1-3\n');
    assert.equal((await blz(['inspect', 'notes'])).json().title, 'My notes');
    assert.equal((await blz(['add', '--manifest', 'missing.toml'])).code, 2);
  });

  test('a text without headings is healthy, and under no heading', async () => {
    await writeFile(join(home, 'plain.txt'), 'One line on marmots.\nAnother line.\n');
    assert.equal((await blz(['add', 'plain', 'plain.txt'])).code, 0);
    const checked = await blz(['validate', 'plain']);
    assert.equal(checked.code, 0, checked.stdout);
    assert.equal(checked.json().sources[0].status, 'healthy');
    assert.equal((await blz(['search', 'marmots', '-s', 'plain'])).json().hits.length, 1);
    assert.equal((await blz(['search', 'marmots', '-s', 'plain', '-H', '>=1'])).json().hits.length, 0);
    assert.equal((await blz(['search', 'marmots', '-s', 'plain', '--headings-only'])).json().hits.length, 0);
    assert.equal((await blz(['remove', 'plain', '--yes'])).code, 0);
  });

  test('map shows one document or folder of a source', async () => {
    const folder = join(home, 'book');
    mkdirSync(join(folder, 'src'), { recursive: true });
    for (const name of ['src/a.md', 'src/b.md', 'c.md'])
      writeFileSync(join(folder, name), `# Of ${name}\n\nText.\n`);
    await blz(['add', 'book', 'book']);
    const mapped = async (target: string) =>
      (await blz(['map', target])).json().entries.map(({ path }: { path: string }) => path);
    assert.deepEqual(await mapped('book/src/a.md'), ['src/a.md']);
    assert.deepEqual(await mapped('book/src/'), ['src/a.md', 'src/b.md']);
    assert.deepEqual(await mapped('book'), ['c.md', 'src/a.md', 'src/b.md']);
    const missing = await blz(['map', 'book/src/d.md']);
    assert.equal(missing.code, 3);
    assert.match(missing.stderr, /`book` has no document `src\/d\.md`[^]*Did you mean `book\/src\//);
    // At a terminal a path is shown as it is; to a client it would be `<project>/book`.
    rmSync(folder, { recursive: true });
    const [gone] = (await blz(['update', 'book'])).json().results;
    assert.equal(gone.message, `\`${folder}\` does not exist.`);
    await blz(['remove', 'book', '--yes']);
  });

  test('an index of links names the command that stores its full text', async () => {
    server.set('/links/llms.txt', '# Links\n\n- [One](/links/one.md)\n');
    server.set('/links/llms-full.txt', '# Links\n\nEverything in one file.\n');
    const { stderr } = await blz(['add', 'links', `${server.origin}/links/llms.txt`]);
    const command = /its full text is stored by `blz (.*)`/.exec(stderr)![1]!;
    assert.equal(command, `add links ${server.origin}/links/llms-full.txt --force`);
    const full = await blz(command.split(' '));
    assert.equal(full.json().url, `${server.origin}/links/llms-full.txt`);
    assert.doesNotMatch(full.stderr, /index of links/);
    await blz(['remove', 'links', '--yes']);
  });

  test('what is wrong is named', async () => {
    const unread = await blz(['add', 'my', 'nowhere.md']);
    assert.equal(unread.code, 3);
    assert.match(unread.stderr, /^blz: `nowhere\.md` does not exist/);
    assert.match((await blz(['add', 'guide', 'notes.md'])).stderr, /--force/);
    const unknown = await blz(['update', 'guidee']);
    assert.equal(unknown.code, 3);
    assert.match(unknown.stderr, /There is no source `guidee`[^]*Did you mean `guide`/);
  });

  test('lookup, remove with --yes', async () => {
    assert.equal((await blz(['lookup', 'drizzle-orm', '-f', 'raw'])).stdout, 'drizzle\n');
    assert.equal((await blz(['lookup', 'zzzzzz'])).code, 3);
    assert.equal((await blz(['remove', 'notes', '--yes'])).json().removed, 'notes');
    assert.equal((await blz(['list', '--installed', '-f', 'raw'])).stdout, 'guide\n');
  });

  test('clear asks first, and removes sources only', async () => {
    await withEngine((engine) =>
      engine.ingest.text(localCall(), { text: 'Kept text.', collection: 'kept', source: 'a' }),
    );
    assert.equal((await blz(['clear'])).code, 2);
    assert.deepEqual((await blz(['clear', '--yes'])).json().removed, ['guide']);
    assert.equal((await blz(['list', '--installed', '-f', 'raw'])).stdout, 'kept\n');
  });

  test('BLZ_LOG and RUST_LOG ask for a debug log', () => {
    for (const env of [{ BLZ_LOG: 'debug' }, { RUST_LOG: 'debug' }, { RUST_LOG: 'info,blz_mcp=debug' }])
      assert.equal(wantsDebug(env), true);
    for (const env of [{}, { RUST_LOG: 'info' }, { BLZ_LOG: '' }]) assert.equal(wantsDebug(env), false);
  });

  test('levels and manifests', () => {
    assert.deepEqual(parseLevels('<=2'), [1, 2]);
    assert.deepEqual(parseLevels('>2'), [3, 4, 5, 6]);
    assert.deepEqual(parseLevels('2-3'), [2, 3]);
    assert.deepEqual(parseLevels('1,3'), [1, 3]);
    assert.throws(() => parseLevels('x'));
    assert.throws(() => parseManifest('not toml [', '/x'), /not valid TOML/);
    assert.throws(() => parseManifest('[[source]]\nname = "x"\n', '/x'), /alias/);
  });
});
