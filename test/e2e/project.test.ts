// A monorepo from its lockfiles to an agent that cites the right version: `vai init`, committed, cloned to a colleague's
// machine, `vai sync`, a real client; the lockfile moves and everything follows. A hostile clone gets nothing.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { NODE, script } from '../support/package.ts';
import { until } from '../support/wait.ts';
import { writerIn } from '../support/write-files.ts';

let author: Sandbox;
let colleague: Sandbox;
before(() => {
  author = sandbox();
  colleague = sandbox();
});
after(() => {
  author.remove();
  colleague.remove();
});

/** As `uv sync` leaves it: the README is the end of METADATA. */
function installStilt(folder: string, version: string): void {
  const put = writerIn(folder);
  put(
    'api/uv.lock',
    `[[package]]\nname = "wader"\nversion = "2.1.0"\n\n[[package]]\nname = "stilt"\nversion = "${version}"\n`,
  );
  const site = join(folder, 'api/.venv/lib/python3.12/site-packages');
  for (const entry of existsSync(site) ? readdirSync(site) : [])
    rmSync(join(site, entry), { recursive: true });
  put(
    `api/.venv/lib/python3.12/site-packages/stilt-${version}.dist-info/METADATA`,
    `Metadata-Version: 2.1\nName: stilt\nVersion: ${version}\n\n# Stilt\n\nIn stilt ${version} an egret is balanced on one leg.\n${'More is said of it. '.repeat(40)}\n`,
  );
}

/** As `npm install` leaves it. */
function installZod(folder: string, version: string): void {
  const put = writerIn(folder);
  put('package-lock.json', {
    packages: {
      'node_modules/zod': { version },
      'node_modules/silent': { version: '1.0.0' },
      'packages/old/node_modules/zod': { version: '3.24.1' },
    },
  });
  put('node_modules/zod/package.json', { name: 'zod', version });
  put('node_modules/zod/docs/parsing.md', `# Parsing\n\nIn zod ${version} a heron is parsed by wading.\n`);
}

/** What is committed; packages are not. */
function monorepo(folder: string): void {
  const put = writerIn(folder);
  put('package.json', { name: 'shop', workspaces: ['packages/*'], dependencies: { zod: '^4', silent: '1' } });
  put('packages/old/package.json', { name: 'old', dependencies: { zod: '^3' } });
  put('api/pyproject.toml', '[project]\nname = "api"\ndependencies = ["wader>=2", "stilt>=1"]\n');
  put('docs/guide.md', '# Guide\n\nOur own heron.\n');
  put('.gitignore', 'node_modules\n.venv\n');
  install(folder);
}

/** What whoever clones it installs from its lockfiles. */
function install(folder: string): void {
  const put = writerIn(folder);
  put('packages/old/node_modules/zod/package.json', { name: 'zod', version: '3.24.1' });
  put(
    'packages/old/node_modules/zod/docs/parsing.md',
    '# Parsing\n\nIn zod 3 a heron is parsed by standing.\n',
  );
  installZod(folder, '4.1.5');
  installStilt(folder, '1.3.0');
}

async function run(box: Sandbox, cwd: string, line: string, status = 0): Promise<Record<string, unknown>> {
  const done = await box.run('vai', line.split(' '), { cwd });
  assert.equal(done.status, status, `${line}\n${done.stderr}`);
  return JSON.parse(done.stdout) as Record<string, unknown>;
}

const summary = ({ outcomes }: Record<string, unknown>): string[] =>
  (outcomes as { name: string; action: string; version?: string }[]).map(({ name, action, version }) =>
    [action, name, version].filter(Boolean).join(' '),
  );

interface Hit {
  citation: string;
  content: string;
  docsVersion?: string;
  installedVersion?: string;
  versionMatch?: string;
}

async function withClient<T>(box: Sandbox, cwd: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'project', version: '1' });
  const env = { PATH: process.env['PATH']!, HOME: box.folder, VAI_HOME: box.home };
  await client.connect(
    new StdioClientTransport({ command: NODE, args: [script('vai'), 'mcp-server'], env, cwd }),
  );
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function ask(box: Sandbox, cwd: string, input: Record<string, unknown>) {
  const { structuredContent } = await withClient(box, cwd, (client) =>
    client.callTool({ name: 'vai_query', arguments: input }),
  );
  return structuredContent as {
    results: Hit[];
    metadata: Record<string, unknown>;
    notice?: { message: string };
  };
}

/** Two versions side by side: every tool takes the one asked for, says when it is not there, and citations of both open. */
async function checkVersions(box: Sandbox, cwd: string): Promise<void> {
  await withClient(box, cwd, async (client) => {
    const call = async (name: string, input: Record<string, unknown>): Promise<string> =>
      JSON.stringify((await client.callTool({ name, arguments: input })).structuredContent);
    for (const name of ['find', 'vai_query', 'vai_search', 'flowrag_search']) {
      const query = 'heron parsed';
      const old = await call(name, { query, version: '3' });
      assert.match(old, /by standing/, name);
      assert.match(old, /"docsVersion":"3\.24\.1","installedVersion":"3\.24\.1","versionMatch":"same"/, name);
      assert.doesNotMatch(old, /by wading/, name);
      const absent = await call(name, { query, version: '7' });
      assert.match(absent, /no documentation of version 7 here/, name);
      assert.doesNotMatch(absent, /by (?:standing|wading)/, name);
    }
    const read = await call('find', { snippets: ['zod-3/parsing.md:3', 'zod/parsing.md:3'] });
    assert.match(read, /by standing/);
    assert.match(read, /by wading/);
  });
}

/** A file of the project that was edited: the sources, the doctor and nobody's guess say since when it is not indexed. */
async function checkUnindexed(box: Sandbox, cwd: string): Promise<void> {
  const since = async (): Promise<string | undefined> => {
    const { structuredContent } = await withClient(box, cwd, (client) =>
      client.callTool({ name: 'list-sources', arguments: { filter: 'shop' } }),
    );
    const [own] = (structuredContent as { sources: { alias: string; unindexedSince?: string }[] }).sources;
    assert.equal(own?.alias, 'shop');
    return own.unindexedSince;
  };
  const doctor = async (): Promise<string> => (await box.run('vai', ['doctor', '--json'], { cwd })).stdout;
  assert.equal(await since(), undefined);
  assert.doesNotMatch(await doctor(), /not indexed/);
  const guide = join(cwd, 'docs/guide.md');
  const edited = new Date(Date.now() + 3_600_000);
  utimesSync(guide, edited, edited);
  await until(async () => (await since()) === edited.toISOString());
  assert.match(
    await doctor(),
    new RegExp(`shop: files have changed since ${edited.toISOString()}[^]*"vai sync"`),
  );
  utimesSync(guide, 1, 1);
}

test('init, committed, cloned, synced: an agent gets the right version cited, and everything follows the lockfile', async () => {
  const project = join(author.folder, 'shop');
  monorepo(project);
  const proposal = await run(author, project, 'init --json');
  assert.deepEqual(
    (proposal['sources'] as { alias: string; docsVersion?: string }[]).map((one) => [
      one.alias,
      one.docsVersion,
    ]),
    [
      ['zod', '4.1.5'],
      ['zod-3', '3.24.1'],
      ['stilt', '1.3.0'],
    ],
  );
  assert.deepEqual(proposal['unknown'], [
    { package: 'npm:silent', version: '1.0.0' },
    { package: 'pypi:wader', version: '2.1.0' },
  ]);

  // Asked again it adds what is missing and leaves what a person wrote.
  const file = join(project, '.vai.json');
  const edited = readFileSync(file, 'utf8').replace('{', '{ "description": "ours",');
  writeFileSync(file, edited);
  assert.equal((await run(author, project, 'init --json'))['written'], false);
  assert.equal(readFileSync(file, 'utf8'), edited);

  const clone = join(colleague.folder, 'shop');
  cpSync(project, clone, {
    recursive: true,
    filter: (path) => !/[/\\](?:node_modules|\.venv)$/.test(path),
  });
  install(clone);
  assert.deepEqual(summary(await run(colleague, clone, 'sync --json')), [
    'index shop',
    'install zod 4.1.5',
    'install zod-3 3.24.1',
    'install stilt 1.3.0',
  ]);
  assert.deepEqual(
    [...new Set(summary(await run(colleague, clone, 'sync --json')).map((line) => line.split(' ')[0]))],
    ['index', 'keep'],
    'a second one has nothing to do',
  );
  const first = await ask(colleague, clone, { query: 'how is a heron parsed', version: '4' });
  assert.equal(first.results.length, 1);
  const [hit] = first.results;
  assert.match(hit!.citation, /^zod\/parsing\.md:1-3@/);
  assert.deepEqual([hit!.docsVersion, hit!.installedVersion, hit!.versionMatch], ['4.1.5', '4.1.5', 'same']);
  const scope = { project: '.vai.json', collections: ['shop', 'stilt', 'zod', 'zod-3'], missing: [] };
  assert.deepEqual(first.metadata['scope'], scope);
  const old = await ask(colleague, clone, {
    query: 'how is a heron parsed',
    collection: 'zod',
    version: '3',
  });
  assert.match(old.results[0]!.content, /by standing/);
  const absent = await ask(colleague, clone, { query: 'how is a heron parsed', version: '7' });
  assert.equal(absent.results.length, 0);
  assert.match(JSON.stringify(absent), /no documentation of version 7 here/);

  const python = await ask(colleague, clone, { query: 'how is an egret balanced' });
  assert.match(python.results[0]!.citation, /^stilt\//);
  assert.deepEqual([python.results[0]!.docsVersion, python.results[0]!.versionMatch], ['1.3.0', 'same']);

  await checkVersions(colleague, clone);
  await checkUnindexed(colleague, clone);

  await run(colleague, clone, 'agents --json');
  const agents = readFileSync(join(clone, 'AGENTS.md'), 'utf8');
  assert.match(agents, /### zod 4\.1\.5 \(npm:zod\)\n- Parsing `zod\/parsing\.md:1-3`/);
  assert.ok(Buffer.byteLength(agents) <= 8_200);
  assert.equal((await run(colleague, clone, 'agents --check --json'))['current'], true);

  installZod(clone, '5.0.0');
  installStilt(clone, '2.0.0');
  const moved = await ask(colleague, clone, { query: 'how is a heron parsed', collection: 'zod' });
  assert.deepEqual([moved.results[0]!.installedVersion, moved.results[0]!.versionMatch], ['5.0.0', 'older']);
  const outcomes = summary(await run(colleague, clone, 'sync --json'));
  for (const line of ['update zod 5.0.0', 'update stilt 2.0.0', 'keep zod-3 3.24.1'])
    assert.ok(outcomes.includes(line), outcomes.join());
  const followed = await ask(colleague, clone, { query: 'how is a heron parsed', collection: 'zod' });
  assert.deepEqual([followed.results[0]!.docsVersion, followed.results[0]!.versionMatch], ['5.0.0', 'same']);
  assert.equal((await run(colleague, clone, 'agents --check --json', 1))['current'], false);
  await run(colleague, clone, 'agents --json');
  assert.equal((await run(colleague, clone, 'agents --check --json'))['current'], true);
});

test('a hostile clone gets nothing', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    response.end('# Poison');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/beacon`;
    const put = writerIn(colleague.folder);
    put('private/diary.md', 'A private walrus.\n');
    put('evil/.vai.json', {
      collection: 'shop',
      folders: ['../private', '.'],
      sources: [
        { alias: 'beacon', url },
        { alias: 'zod', url },
      ],
    });
    const evil = join(colleague.folder, 'evil');
    const actions = summary(await run(colleague, evil, 'sync --json')).map((line) => line.split(' ')[0]);
    assert.deepEqual([...new Set(actions)], ['leave']);
    assert.deepEqual(requests, []);
    const found = await ask(colleague, evil, { query: 'walrus', collection: '*' });
    assert.ok(!JSON.stringify(found).includes('A private walrus'));
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
