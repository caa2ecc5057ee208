// Sources that are more than one text of an address: repositories, websites, files of other formats. As a user meets them: added, searched, cited and refreshed through the commands of the
// installed package, with a server on this machine in the place of the internet.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sandbox, type Sandbox } from '../support/cli.ts';
import { pdf } from '../sources/files/fixtures.ts';
import { file, htmlShell, startDocsServer, status, type DocsServer } from '../support/docs-server.ts';
import { archive } from '../support/tar.ts';

let box: Sandbox;
let server: DocsServer;
let env: Record<string, string>;
beforeEach(async () => {
  box = sandbox();
  server = await startDocsServer();
  env = { BLZ_ALLOW_PRIVATE: server.host, BLZ_GITHUB: server.origin };
});
afterEach(async () => {
  box.remove();
  await server.close();
});

async function run(command: 'vai' | 'blz', ...args: string[]) {
  const done = await box.run(command, args, { env });
  assert.equal(done.status, 0, `${args.join(' ')}: ${done.stderr}`);
  return done;
}

const json = async <T>(command: 'vai' | 'blz', ...args: string[]): Promise<T> =>
  JSON.parse((await run(command, ...args)).stdout) as T;

const repository = (ref: string, files: Record<string, string>): void =>
  server.set(`/acme/heron/archive/${ref}.tar.gz`, file(archive(files), { type: 'application/x-gzip' }));

interface Found {
  hits: {
    alias: string;
    lines: string;
    page?: number;
    headingPath: string[];
    pageUrl?: string;
    docsVersion?: string;
    installedVersion?: string;
    versionMatch?: string;
  }[];
}

test('a GitHub repository: ingested, found, refreshed, and kept when the server fails', async () => {
  repository('v2.0.0', {
    'docs/wading.md': '# Wading\n\nA heron wades at dawn.\n',
    'lib/heron.js': 'export const legs = 2;\n',
  });
  const added = await run('vai', 'ingest', 'github:acme/heron@v2.0.0');
  assert.match(added.stdout, /Added heron \(/);
  const { hits } = await json<Found>('blz', 'search', 'wades at dawn', '-s', 'heron', '-f', 'json');
  assert.equal(hits[0]!.alias, 'heron/docs/wading.md');
  assert.equal(hits[0]!.docsVersion, '2.0.0');
  assert.match(hits[0]!.pageUrl!, /\/acme\/heron\/blob\/a{40}\/docs\/wading\.md$/);
  assert.match((await run('blz', 'update', 'heron', '-f', 'text')).stdout, /unchanged/);
  server.set('/acme/heron/archive/v2.0.0.tar.gz', status(502));
  const failed = await box.run('blz', ['update', 'heron', '-f', 'text'], { env });
  assert.notEqual(failed.status, 0);
  assert.match((await run('blz', 'search', 'wades at dawn', '-s', 'heron')).stdout, /wading\.md/);
  const refused = await box.run('vai', ['ingest', 'github:acme/heron@v2.0.0', '-c', 'again'], {
    env: { BLZ_GITHUB: server.origin },
  });
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /https/);
});

test('a website: added, found by page, refreshed page by page', async () => {
  const page = (title: string, text: string) =>
    file(
      `<html><head><title>${title}</title></head><body><nav>Menu</nav><main><h1>${title}</h1><p>${text} ` +
        'There is a little more to say about it, as there is on every page of a handbook.</p></main></body></html>',
      { type: 'text/html' },
    );
  const { origin } = server;
  server.set(
    '/sitemap.xml',
    file(`<urlset><url><loc>${origin}/h/one</loc></url><url><loc>${origin}/h/two</loc></url></urlset>`, {
      type: 'application/xml',
    }),
  );
  server.set('/h/one', page('One', 'Herons nest in tall reeds.'));
  server.set('/h/two', page('Two', 'Egrets are white all over.'));
  await run('blz', 'add', 'birds', `site:${origin}/h/`);
  const { hits } = await json<Found>('blz', 'search', 'nest in reeds', '-s', 'birds', '-f', 'json');
  assert.deepEqual([hits[0]!.alias, hits[0]!.pageUrl], ['birds/h/one.md', `${origin}/h/one`]);
  server.set('/h/one', page('One', 'Herons nest on platforms now.'));
  server.set('/h/two', status(500));
  const updated = await run('blz', 'update', 'birds');
  assert.match(updated.stdout + updated.stderr, /1 changed, 0 new, 0 gone, 1 kept/);
  assert.match((await run('blz', 'search', 'egrets white', '-s', 'birds')).stdout, /two\.md/);
});

test('OpenAPI, a notebook and a PDF by address: added, cited, refreshed, and kept when they turn into a web page', async () => {
  const { origin } = server;
  const api = (version: string, summary: string): string =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Heron API', version },
      paths: { '/herons/{id}/meals': { post: { summary } } },
    });
  server.set('/openapi.json', file(api('2.1.0', 'Feed one heron'), { type: 'application/json' }));
  const notebook = { nbformat: 4, cells: [{ cell_type: 'markdown', source: '# Count\n\nHerons at dawn.' }] };
  server.set('/lab/count.ipynb', file(JSON.stringify(notebook), { type: 'text/plain' }));
  server.set('/birds.pdf', file(pdf(['Herons.', 'Egrets are white.']), { type: 'application/pdf' }));
  await run('blz', 'add', 'api', `${origin}/openapi.json`);
  await run('blz', 'add', 'lab', `${origin}/lab/count.ipynb`);
  await run('vai', 'ingest', `${origin}/birds.pdf`, '-c', 'birds');
  const first = async (query: string, source: string) => {
    const { hits } = await json<Found>('blz', 'search', query, '-s', source, '-f', 'json');
    return hits[0]!;
  };
  const operation = await first('feed heron', 'api');
  assert.equal(operation.headingPath.at(-1), 'POST /herons/{id}/meals');
  assert.equal(operation.docsVersion, '2.1.0');
  assert.match((await run('blz', 'get', `api:${operation.lines}`)).stdout, /Feed one heron/);
  assert.equal((await first('at dawn', 'lab')).headingPath.at(-1), 'Count');
  const page = await first('egrets', 'birds');
  assert.deepEqual([page.alias, page.page, page.pageUrl], ['birds', 2, `${origin}/birds.pdf#page=2`]);

  assert.match((await run('blz', 'update', '-f', 'text')).stdout, /unchanged[^]*unchanged[^]*unchanged/);
  server.set('/openapi.json', file(api('2.2.0', 'Feed one heron a frog'), { type: 'application/json' }));
  server.set('/birds.pdf', htmlShell());
  const updated = await box.run('blz', ['update', '-f', 'text'], { env });
  assert.notEqual(updated.status, 0);
  assert.match(updated.stdout + updated.stderr, /birds[^]*HTML page/);
  assert.equal((await first('frog', 'api')).docsVersion, '2.2.0');
  assert.equal((await first('egrets', 'birds')).page, 2);
});

test('vai sync fetches the tag of the version that is installed', async () => {
  repository('v1.4.2', { 'docs/old.md': '# Old\n\nHerons of the first kind stand still.\n' });
  repository('v2.0.0', { 'docs/new.md': '# New\n\nHerons of the second kind walk.\n' });
  mkdirSync(box.home, { recursive: true });
  writeFileSync(
    join(box.home, 'registry.json'),
    JSON.stringify([
      {
        id: 'heron',
        url: 'github:acme/heron/docs',
        versioned: 'github:acme/heron@v{version}/docs',
        aliases: { npm: ['heron'] },
      },
    ]),
  );
  const lock = (version: string): void => {
    writeFileSync(join(box.folder, 'package.json'), '{"name":"pond","dependencies":{"heron":"*"}}');
    writeFileSync(
      join(box.folder, 'package-lock.json'),
      JSON.stringify({ packages: { 'node_modules/heron': { version } } }),
    );
  };
  lock('1.4.2');
  await run('vai', 'init');
  assert.match((await run('vai', 'sync')).stdout, /"version": "1\.4\.2"/);
  const before = await json<Found>('blz', 'search', 'herons of the kind', '-f', 'json');
  assert.deepEqual(
    before.hits.map(({ alias, docsVersion, versionMatch }) => [alias, docsVersion, versionMatch]),
    [['heron/docs/old.md', '1.4.2', 'same']],
  );
  lock('2.0.0');
  await run('vai', 'sync');
  const after = await json<Found>('blz', 'search', 'herons of the kind', '-f', 'json');
  assert.deepEqual(
    after.hits.map(({ alias, docsVersion }) => [alias, docsVersion]),
    [['heron/docs/new.md', '2.0.0']],
  );

  // A version without documentation gets the newest, and is told so; the next sync does not ask again.
  repository('HEAD', { 'docs/now.md': '# Now\n\nHerons of the newest kind fly.\n' });
  lock('3.0.0');
  const synced = await run('vai', 'sync');
  assert.match(synced.stdout, /no documentation of 3\.0\.0 was found; this is the latest/);
  const newest = await json<Found>('blz', 'search', 'herons of the kind', '-f', 'json');
  assert.deepEqual(
    newest.hits.map(({ alias, docsVersion, installedVersion, versionMatch }) => [
      alias,
      docsVersion,
      installedVersion,
      versionMatch,
    ]),
    [['heron/docs/now.md', undefined, '3.0.0', 'unknown']],
  );
  const asked = server.requests.length;
  assert.match((await run('vai', 'sync')).stdout, /this is the latest/);
  assert.equal(server.requests.length, asked);
});

test('vai docs registry check asks every address it is told to', async () => {
  repository('HEAD', { 'docs/wading.md': '# Wading\n\nA heron wades at dawn.\n' });
  server.set('/llms.txt', '# Handbook\n\nOne line.\n');
  mkdirSync(box.home, { recursive: true });
  writeFileSync(
    join(box.home, 'registry.json'),
    JSON.stringify([
      { id: 'heron', url: 'github:acme/heron/docs' },
      { id: 'handbook', url: `${server.origin}/llms.txt` },
      { id: 'moved', url: `${server.origin}/gone/llms.txt` },
    ]),
  );
  const well = await json<{ checked: number; failed: number; results: { id: string; message: string }[] }>(
    'vai',
    'docs',
    'registry',
    'check',
    'heron',
    'handbook',
  );
  assert.deepEqual([well.checked, well.failed], [2, 0]);
  assert.match(well.results.find(({ id }) => id === 'heron')!.message, /^1 document, 3 lines at /);
  const bad = await box.run('blz', ['registry', 'check', 'moved', 'heron'], { env });
  assert.equal(bad.status, 5);
  assert.match(bad.stdout, /"failed": 1/);
  const unknown = await box.run('blz', ['registry', 'check', 'nobody'], { env });
  assert.equal(unknown.status, 2);
});
