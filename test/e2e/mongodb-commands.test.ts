// The commands that only MongoDB needs, as a person runs them: vai index and vai copy.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startMongod, type RunningMongod } from '../support/mongod/start.ts';
import { NODE, script } from '../support/package.ts';
import { vaiClient } from '../support/vai-client.ts';

describe('vai index and vai copy', () => {
  let mongod: RunningMongod;
  let home: string;
  before(async () => {
    mongod = await startMongod({ searchBuildMs: 100 });
    home = mkdtempSync(join(tmpdir(), 'vai-mongo-cli-'));
    writeFileSync(join(home, 'a.md'), '# Herons\n\nHerons stand still.\n');
    writeFileSync(join(home, 'b.md'), '# Storks\n\nStorks clatter.\n');
  });
  after(async () => {
    await mongod.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const vai = (...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> =>
    new Promise((done) => {
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        VAI_HOME: join(home, '.vai'),
        MONGODB_URI: mongod.uri,
      };
      execFile(NODE, [script('vai'), ...args], { env, cwd: home }, (error, stdout, stderr) =>
        done({ status: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  const json = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { status, stdout, stderr } = await vai(...args, '--json');
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it('creates, lists, widens and drops indexes', async () => {
    await json('ingest', 'a.md', 'b.md', '--collection', 'birds');
    const made = await json('index', 'create', 'birds', '--filter-field', 'metadata.team');
    const [vector, text] = made.indexes as { status: string; filterFields: string[] }[];
    assert.deepEqual([vector!.status, text!.status], ['ready', 'ready']);
    assert.ok(vector!.filterFields.includes('metadata.team'));
    const listed = await json('index', 'status', 'birds');
    assert.equal((listed.collections as { indexes: unknown[] }[])[0]!.indexes.length, 2);
    const found = await json('search', 'clatter', '--collection', 'birds');
    assert.match(JSON.stringify(found), /Storks clatter/);
    assert.equal((await vai('index', 'create', 'birds', '--dimensions', '8')).status, 2);
    assert.equal((await vai('index', 'create', 'birds', '--type', 'odd')).status, 2);
    await json('index', 'delete', 'birds', 'vector_index');
    assert.equal((await vai('index', 'drop', 'birds', 'vector_index')).status, 3);
  });

  it('copies to the embedded store and back under another name', async () => {
    const there = await json('copy', 'mongodb:vai/birds', 'sqlite');
    const back = await json('copy', 'embedded:vai/birds', 'atlas', '--as', 'fowl');
    const checksum = (report: Record<string, unknown>): string =>
      (report.collections as { checksum: string }[])[0]!.checksum;
    assert.equal(checksum(there), checksum(back));
    const names = (await json('collections')).collections as { name: string; stats: { documents: number } }[];
    assert.deepEqual(
      names.map(({ name, stats }) => [name, stats.documents]),
      [
        ['birds', 2],
        ['fowl', 2],
      ],
    );
    assert.equal((await vai('copy', 'mongodb', 'mongodb')).status, 2);
    assert.equal((await vai('copy', 'nowhere', 'sqlite')).status, 2);
    assert.equal((await vai('copy', 'mongodb', 'sqlite', '--as', 'x')).status, 2);
  });

  it('a server says which store it uses', async () => {
    const client = await vaiClient({ env: { MONGODB_URI: mongod.uri } });
    await client.tool('vai_collections', {});
    assert.match(client.stderr(), /Store: MongoDB, database vai\./);
    assert.ok(!client.stderr().includes(String(mongod.port)));
    await client.close();
  });
});
