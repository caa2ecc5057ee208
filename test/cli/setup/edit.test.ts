import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { CLIENTS, type Connection } from '../../../src/cli/setup/clients.ts';
import { edit } from '../../../src/cli/setup/edit.ts';
import { difference } from '../../../src/cli/setup/plan.ts';

const local: Connection = {
  kind: 'local',
  command: '/usr/bin/node',
  args: ['/opt/vai.js', 'mcp-server'],
  env: {},
};
const remote: Connection = { kind: 'remote', url: 'https://vai.example/mcp' };
const CONNECTIONS: Connection[] = [local, remote];
const cursor = CLIENTS.find((client) => client.id === 'cursor')!;
const codex = CLIENTS.find((client) => client.id === 'codex')!;

const MINE = `// my servers
{
    "mcpServers": {
        // keep this
        "other": {"command": "x"}, /* and this */
    },
    "theme": "dark"
}
`;

test('an entry is added without touching a character of the rest', () => {
  const after = edit(cursor, MINE, cursor.entry(local));
  const added = after.split('\n').filter((line) => !MINE.includes(line));
  assert.equal(after.replace(/,\n {8}"vai": \{[\s\S]*?\n {8}\}/, ''), MINE);
  assert.ok(added.every((line) => line.startsWith('        ')));
  assert.deepEqual((parse(after) as { mcpServers: { vai: unknown } }).mcpServers.vai, cursor.entry(local));
});

test('adding twice changes nothing, and removing gives the file back', () => {
  const once = edit(cursor, MINE, cursor.entry(local));
  assert.equal(edit(cursor, once, cursor.entry(local)), once);
  const gone = edit(cursor, once, undefined);
  assert.deepEqual(parse(gone), parse(MINE));
  assert.match(gone, /\/\/ keep this/);
  assert.equal(edit(cursor, MINE, undefined), MINE);
});

for (const text of [
  '',
  '{}',
  '{\n}\n',
  '{ "mcpServers": {} }',
  '{"a":1}',
  '{\n\t"mcpServers": {\n\t\t"x": {}\n\t}\n}\n',
  '{\r\n  "a": 1\r\n}\r\n',
]) {
  test(`every client can be set up in ${JSON.stringify(text)}`, () => {
    for (const client of CLIENTS.filter((one) => one.format === 'json' || one.format === 'own-file')) {
      for (const connection of CONNECTIONS) {
        const after = edit(client, text, client.entry(connection));
        let value = parse(after) as Record<string, unknown>;
        for (const key of client.path) value = value[key] as Record<string, unknown>;
        assert.deepEqual(value, client.entry(connection), client.id);
        assert.equal(edit(client, after, client.entry(connection)), after);
      }
    }
  });
}

test('a changed entry is replaced in place', () => {
  const first = edit(cursor, MINE, cursor.entry(local));
  const second = edit(cursor, first, cursor.entry(remote));
  assert.deepEqual((parse(second) as { mcpServers: { vai: unknown } }).mcpServers.vai, cursor.entry(remote));
  assert.match(second, /\/\* and this \*\//);
});

test('a file that is not JSON is left alone', () => {
  for (const text of ['{ "a": ', '[]', '"x"'])
    assert.throws(() => edit(cursor, text, {}), { code: 'CONFIG_INVALID' });
});

test('TOML: our table comes and goes, the others stay to the letter', () => {
  const mine = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y" # why\n';
  const after = edit(codex, mine, codex.entry({ ...local, env: { VAI_HOME: '/h' } }));
  assert.ok(after.startsWith(mine));
  const parsed = parseToml(after) as { mcp_servers: { vai: { args: string[]; env: { VAI_HOME: string } } } };
  assert.deepEqual(parsed.mcp_servers.vai.args, ['/opt/vai.js', 'mcp-server']);
  assert.equal(parsed.mcp_servers.vai.env.VAI_HOME, '/h');
  assert.equal(edit(codex, after, codex.entry({ ...local, env: { VAI_HOME: '/h' } })), after);
  assert.equal(edit(codex, after, undefined), mine);
});

test('TOML: blank lines of others are theirs, and our name may stand in quotes', () => {
  const mine = '[mcp_servers.other]\nnote = """\na\n\n\n\nb"""\n\n\n\n[x]\ny = 1\n';
  const after = edit(codex, mine, codex.entry(local));
  assert.ok(after.startsWith(mine));
  assert.equal(edit(codex, after, undefined), mine);
  const quoted = after.replace('[mcp_servers.vai]', '[mcp_servers."vai"]');
  assert.equal(edit(codex, quoted, undefined), mine);
  assert.equal(edit(codex, quoted, codex.entry(local)), after);
});

test('no entry ever holds a key that was not given', () => {
  for (const client of CLIENTS) {
    assert.doesNotMatch(JSON.stringify(client.entry(remote)), /vai-mcp-key-/);
    const given = JSON.stringify(client.entry({ ...remote, key: 'vai-mcp-key-1' }));
    if (client.id !== 'codex') assert.match(given, /vai-mcp-key-1/);
  }
});

test('the difference shows what is added and removed', () => {
  assert.deepEqual(difference('a\nb\nc', 'a\nx\nc'), ['- b', '+ x']);
  assert.deepEqual(difference('', 'x'), ['+ x']);
});

test('VS Code: what the entry asks for is declared once, beside what others declared, and goes with the entry', () => {
  const vscode = CLIENTS.find((client) => client.id === 'vscode')!;
  const ids = (text: string) =>
    ((parse(text) as { inputs?: { id: string }[] }).inputs ?? []).map(({ id }) => id);
  for (const [text, others] of [
    ['', []],
    ['{\n  // mine\n  "inputs": [{"id": "other", "type": "promptString"}]\n}\n', ['other']],
  ] as [string, string[]][]) {
    const added = edit(vscode, text, vscode.entry(remote));
    assert.deepEqual(ids(added), [...others, 'vai-key']);
    assert.equal(edit(vscode, added, vscode.entry(remote)), added);
    assert.deepEqual(ids(edit(vscode, added, vscode.entry(local))), others);
    const gone = edit(vscode, added, undefined);
    assert.deepEqual(ids(gone), others);
    assert.equal(gone.includes('// mine'), text.includes('// mine'));
  }
});
