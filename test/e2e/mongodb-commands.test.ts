// The commands that only MongoDB needs, as a person runs them: vai index and vai copy.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startMongod, type RunningMongod } from '../support/mongod/start.ts';
import { NODE, script } from '../support/package.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { vaiClient } from '../support/vai-client.ts';

describe('vai index and vai copy', () => {
  let mongod: RunningMongod;
  const home = tempFolder('mongo-cli');
  before(async () => {
    mongod = await startMongod({ searchBuildMs: 100 });
    writeFileSync(join(home, 'a.md'), '# Herons\n\nHerons stand still.\n');
    writeFileSync(join(home, 'b.md'), '# Storks\n\nStorks clatter.\n');
  });
  after(() => mongod.stop());
  /** Arguments that look like variables are put into the environment. */
  const vai = (...given: string[]): Promise<{ status: number; stdout: string; stderr: string }> =>
    new Promise((done) => {
      const isVariable = (argument: string): boolean => /^[A-Z_]+=/.test(argument);
      const args = given.filter((argument) => !isVariable(argument));
      const more = given.filter(isVariable).map((argument) => argument.split(/=(.*)/s).slice(0, 2));
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        VAI_HOME: join(home, '.vai'),
        MONGODB_URI: mongod.uri,
        ...(Object.fromEntries(more) as Record<string, string>),
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

  it('says what the server can do, and what it said with --verbose', async () => {
    const about = /^MongoDB with Atlas Search: /;
    assert.match(((await json('ping')).store as { about: string }).about, about);
    assert.match((await json('index', 'status')).about as string, about);
    assert.match((await vai('doctor')).stdout, /MongoDB with Atlas Search: /);
    const client = await vaiClient({ env: { MONGODB_URI: mongod.uri } });
    assert.match((await client.tool('vai_collections', {})).structured.about as string, about);
    await client.close();
    const fault = { failCommands: ['find'], errorCode: 96 };
    await mongod.fault(fault, { times: 1 });
    const quiet = await vai('collections');
    await mongod.fault(fault, { times: 1 });
    const loud = await vai('collections', '--verbose');
    await mongod.heal();
    assert.match(quiet.stderr, /MongoDB refused an operation \(code 96\)/);
    assert.ok(!quiet.stderr.includes('failpoint'));
    assert.match(loud.stderr, /Failing command via 'failCommand' failpoint/);
    assert.ok(!loud.stderr.includes(String(mongod.port)));
  });

  it('the database of the connection string is the default', async () => {
    const uri = mongod.uri.replace('/?', '/team?');
    await json('ingest', 'a.md', '--collection', 'birds', `MONGODB_URI=${uri}`);
    const named = await json('collections', `MONGODB_URI=${uri}`);
    assert.deepEqual([named.database, (named.collections as unknown[]).length], ['team', 1]);
    assert.equal((await json('collections', '--db', 'vai', `MONGODB_URI=${uri}`)).database, 'vai');
  });

  it('two who ingest into one collection take turns', async () => {
    const [a, b] = await Promise.all([
      json('ingest', 'a.md', '--collection', 'turns'),
      json('ingest', 'b.md', '--collection', 'turns'),
    ]);
    assert.deepEqual(
      [a, b].map((report) => (report.run as { added: number }).added),
      [1, 1],
    );
    const list = (await json('collections')).collections as { name: string; stats: { documents: number } }[];
    assert.equal(list.find(({ name }) => name === 'turns')?.stats.documents, 2);
  });

  it('a server says which store it uses', async () => {
    const client = await vaiClient({ env: { MONGODB_URI: mongod.uri } });
    await client.tool('vai_collections', {});
    assert.match(client.stderr(), /Store: MongoDB, database vai\./);
    assert.ok(!client.stderr().includes(String(mongod.port)));
    await client.close();
  });
});
