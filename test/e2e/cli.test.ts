// The commands as a person types them, on a real store in a home of their own.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sandbox, type Sandbox } from '../support/cli.ts';

const GUIDE = `# Pools

Connections are kept in a pool.

## Sizes

The pool holds ten connections by default. Set \`maxPoolSize\` to change it.
`;

describe('vai on the command line', () => {
  let box: Sandbox;
  before(async () => {
    box = sandbox();
    mkdirSync(join(box.folder, 'docs'));
    writeFileSync(join(box.folder, 'docs', 'pools.md'), GUIDE);
    writeFileSync(join(box.folder, 'docs', 'empty.md'), '');
    const done = await box.run('vai', ['ingest', 'docs', '--collection', 'guide', '--json']);
    assert.equal(done.status, 0, done.stderr);
    assert.equal((JSON.parse(done.stdout) as { run: { added: number } }).run.added >= 1, true);
  });
  after(() => box.remove());

  const wrong: [string, string[], number, RegExp][] = [
    [
      'an unknown collection, with the nearest name',
      ['search', 'x', '--collection', 'guid'],
      3,
      /no collection `guid`[\s\S]*`guide`/,
    ],
    ['a citation without lines', ['get', 'guid:x'], 3, /no collection `guid:x`/],
    ['a document that is not there', ['get', 'guide/nothing.md:1-2'], 3, /nothing\.md/],
    ['a file that is not there', ['ingest', 'nowhere.md'], 3, /`nowhere\.md` does not exist/],
    ['an unknown command, with the nearest', ['serch', 'x'], 2, /unknown command 'serch'[\s\S]*search/],
    ['an unknown option', ['search', 'x', '--colection', 'y'], 2, /unknown option '--colection'/],
    ['an unknown mode', ['search', 'x', '--mode', 'magic'], 2, /Allowed choices are words/],
    ['a filter that is no JSON', ['search', 'x', '--filter', '{'], 2, /--filter takes JSON/],
    ['a filter outside the list', ['search', 'x', '--filter', '{"$where":"1"}'], 4, /filter/i],
    ['removing without an answer', ['remove', 'guide'], 2, /--yes/],
  ];
  for (const [name, args, status, message] of wrong) {
    test(`says what is wrong: ${name}`, async () => {
      const run = await box.run('vai', args);
      assert.equal(run.status, status, run.stderr);
      assert.match(run.stderr, message);
      assert.equal(run.stdout, '');
      assert.doesNotMatch(run.stderr, /at .*\.ts:\d+/, 'a stack trace reached the person');
      assert.ok(!run.stderr.includes(box.folder), 'an absolute path reached the person');
    });
  }

  test('a file that is no database is reported and left as it is', async () => {
    const other = sandbox();
    try {
      mkdirSync(join(other.home, 'data'), { recursive: true });
      const file = join(other.home, 'data', 'vai.db');
      writeFileSync(file, 'this is not a database, but it may be precious '.repeat(200));
      const run = await other.run('vai', ['collections']);
      assert.equal(run.status, 7, run.stderr);
      assert.match(run.stderr, /vai: .*(corrupt|damaged|not a database)/i);
      assert.equal(statSync(file).size, 9400);
    } finally {
      other.remove();
    }
  });

  test(
    'a home that cannot be written is reported',
    { skip: process.getuid?.() !== 0 && 'needs root to become another user' },
    async (context) => {
      const other = sandbox();
      try {
        chmodSync(other.folder, 0o755);
        // Spawning itself fails where the Node of this checkout lies in a folder that only its owner may enter.
        const able = await other.run('vai', ['--version'], { uid: 65534 }).catch(() => undefined);
        if (able?.status !== 0) return context.skip('another user cannot run the Node of this checkout');
        mkdirSync(other.home, { mode: 0o555 });
        const run = await other.run('vai', ['ingest', '-', '--source', 'x'], { input: 'text', uid: 65534 });
        assert.notEqual(run.status, 0);
        assert.match(run.stderr, /vai: .*cannot be (made|written)[\s\S]*VAI_HOME/);
        assert.deepEqual(readdirSync(other.home), []);
      } finally {
        other.remove();
      }
    },
  );

  test('every command has help with examples', async () => {
    for (const command of ['ingest', 'search', 'get', 'collections', 'remove', 'mcp-server']) {
      const run = await box.run('vai', [command, '--help']);
      assert.equal(run.status, 0);
      assert.match(run.stdout, /Examples:\n +\$ /, command);
    }
  });
});
