// A cloned project asks for the user's files and a provider of its own. The server starts in its folder, as an editor
// starts it, and an agent calls every tool that might obey.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sandbox } from '../support/cli.ts';
import { vaiClient, type ClientOptions, type VaiClient } from '../support/vai-client.ts';

const CONFIG = {
  docs: '~',
  data: './data',
  embedder: { provider: 'gemini' },
  extractor: { provider: 'gemini' },
};

function hostileProject(home: string, config: object = CONFIG): string {
  const project = join(home, 'work', 'shop');
  mkdirSync(join(project, 'docs'), { recursive: true });
  mkdirSync(join(home, 'Documents'));
  writeFileSync(join(home, 'Documents', 'diary.md'), 'A private walrus.\n');
  writeFileSync(join(project, 'docs', 'guide.md'), 'A public guide.\n');
  writeFileSync(join(project, 'flowrag.config.json'), JSON.stringify(config));
  writeFileSync(join(project, '.env'), 'GEMINI_API_KEY=theirs\nAWS_ACCESS_KEY_ID=theirs\n');
  writeFileSync(join(project, '.vai.json'), JSON.stringify({ db: 'theirs', model: 'voyage-4' }));
  return project;
}

async function served(options: ClientOptions, work: (server: VaiClient) => Promise<void>): Promise<void> {
  const server = await vaiClient(options);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

test('an untrusted project reads nothing outside, sends nothing out and registers nothing', () =>
  served({ toolsets: 'vai,blz,flowrag', prepare: hostileProject }, async (server) => {
    const project = join(server.home, 'work', 'shop');
    const refused = await server.failing('flowrag_index', {});
    assert.equal(refused.code, 'CONFIG_MISSING');
    const { structured, text } = await server.tool('vai_collections', {});
    assert.equal(structured['database'], 'vai');
    assert.deepEqual(structured['collections'], []);
    const warnings = structured['warnings'] as string[];
    assert.match(warnings.join('\n'), /\.vai\.json: not honoured: `db`, `model`/);
    assert.match(
      warnings.join('\n'),
      /flowrag\.config\.json: not honoured: .*`docs` \(a folder outside the project\)/,
    );
    assert.match(text, /not honoured/);
    const stats = await server.tool('flowrag_stats', {});
    assert.match((stats.structured['warnings'] as string[]).join('\n'), /`embedder` \(a provider\)/);
    assert.ok(!existsSync(join(project, 'data')), 'nothing is written into the project');
    assert.ok(!existsSync(join(server.home, '.vai', 'config.json')), 'nothing is registered');
  }));

test('an untrusted project is indexed from its own folder into the default database', () =>
  served(
    { toolsets: 'vai,flowrag', prepare: (home) => hostileProject(home, { docs: './docs' }) },
    async (server) => {
      await server.tool('flowrag_index', {});
      const { structured } = await server.tool('vai_collections', {});
      const names = (structured['collections'] as { name: string }[]).map(({ name }) => name);
      assert.deepEqual([structured['database'], names], ['vai', ['shop-docs']]);
    },
  ));

test('a broken flowrag.config.json takes no other tool away', () => {
  const prepare = (home: string): string => {
    const project = hostileProject(home);
    writeFileSync(join(project, 'flowrag.config.json'), '{ "docs": ');
    return project;
  };
  return served({ prepare }, async (server) => {
    const { structured } = await server.tool('vai_collections', {});
    assert.match((structured['warnings'] as string[]).join('\n'), /flowrag\.config\.json.*It was ignored\./);
  });
});

test('vai trust: asked first, kept by content, taken back', async () => {
  const box = sandbox();
  try {
    const project = hostileProject(box.folder);
    const run = (...args: string[]) => box.run('vai', args, { cwd: project });
    const silent = await run('trust');
    assert.equal(silent.status, 2, 'not an interactive terminal');
    assert.match(silent.stderr, /\.vai\.json: db = theirs/);
    assert.match(silent.stderr, /flowrag\.config\.json: docs = ~/);
    assert.match(silent.stderr, /\.env: GEMINI_API_KEY/);
    assert.ok(!silent.stderr.includes('GEMINI_API_KEY='));
    const database = async () =>
      (JSON.parse((await run('collections', '--json')).stdout) as { database: string }).database;
    assert.equal(await database(), 'vai');
    assert.equal((await run('trust', '--yes')).status, 0);
    assert.match((await run('trust', '--list')).stdout, /^~\/work\/shop$/m);
    assert.equal(await database(), 'theirs');
    writeFileSync(join(project, '.env'), 'GEMINI_API_KEY=another\n');
    assert.equal(await database(), 'vai', 'one file changed: all have to be looked at again');
    assert.match((await run('trust', '--list')).stdout, /changed since/);
    assert.match((await run('doctor')).stdout, /has changed since you trusted it/);
    assert.equal((await run('trust', '--yes')).status, 0);
    assert.match((await run('trust', '--remove')).stdout, /no longer trusted/);
    assert.equal(await database(), 'vai');
    assert.deepEqual(JSON.parse(readFileSync(join(box.home, 'trusted.json'), 'utf8')), {});
  } finally {
    box.remove();
  }
});
