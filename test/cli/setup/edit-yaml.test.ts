import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { CLIENTS, type Connection } from '../../../src/cli/setup/clients.ts';
import { edit } from '../../../src/cli/setup/edit.ts';

const goose = CLIENTS.find((client) => client.id === 'goose')!;
const local: Connection = {
  kind: 'local',
  command: '/usr/bin/node',
  args: ['/opt/vai.js', 'mcp-server'],
  env: {},
};
const remote: Connection = { kind: 'remote', url: 'https://vai.example/mcp' };

const MINE = `# my settings
GOOSE_PROVIDER: anthropic # the one I like

extensions:
    # keep this
    developer:
        bundled: true
        args: [ a,  b ]

    memory: {enabled: false}

GOOSE_MODE: 'auto'
`;

type Parsed = { extensions: Record<string, unknown> };

test('an extension comes and goes, and every other line stays to the letter', () => {
  const added = edit(goose, MINE, goose.entry(local));
  assert.deepEqual((parse(added) as Parsed).extensions['vai'], goose.entry(local));
  for (const line of MINE.split('\n')) assert.ok(added.split('\n').includes(line), line);
  assert.equal(edit(goose, added, goose.entry(local)), added);
  const changed = edit(goose, added, goose.entry(remote));
  assert.deepEqual((parse(changed) as Parsed).extensions['vai'], goose.entry(remote));
  assert.equal(edit(goose, changed, undefined), MINE);
  assert.equal(edit(goose, MINE, undefined), MINE);
});

for (const text of [
  '',
  '# only a comment\n',
  'a: 1',
  'extensions:\n',
  'extensions: {} # none yet\nb: 2\n',
  'extensions:\r\n  x:\r\n    enabled: true\r\n',
  'extensions:\n  vai:\n    enabled: false\n',
]) {
  test(`it can be set up and removed in ${JSON.stringify(text)}`, () => {
    const others = Object.keys((parse(text) as Parsed | null)?.extensions ?? {}).filter(
      (name) => name !== 'vai',
    );
    for (const connection of [local, remote]) {
      const added = edit(goose, text, goose.entry(connection));
      const { extensions } = parse(added) as Parsed;
      assert.deepEqual(extensions['vai'], goose.entry(connection));
      assert.equal(edit(goose, added, goose.entry(connection)), added);
      const gone = parse(edit(goose, added, undefined)) as Parsed;
      assert.deepEqual(Object.keys(gone.extensions), others);
    }
  });
}

test('what is not YAML, or leaves no line for us, is not changed', () => {
  for (const text of ['a: [1', '- a\n- b\n', 'extensions: {x: {enabled: true}}\n'])
    assert.throws(() => edit(goose, text, goose.entry(local)), { code: 'CONFIG_INVALID' });
});
