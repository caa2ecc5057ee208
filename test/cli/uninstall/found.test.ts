import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CLIENTS, type Connection, type Machine } from '../../../src/cli/setup/clients.ts';
import { applyChange, planChange } from '../../../src/cli/setup/plan.ts';
import { findWritten } from '../../../src/cli/uninstall/found.ts';
import { withBlock, withoutBlock } from '../../../src/cli/vai/agents.ts';
import { forgetWritten, listWritten, recordWritten } from '../../../src/cli/written-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('uninstall');
const vai: Connection = { kind: 'local', command: 'vai', args: ['mcp-server'], env: {} };
const BLOCK = '<!-- vai:begin x -->\nrules\n<!-- vai:end -->';

function machine(name: string): Machine {
  const home = join(folder, name);
  mkdirSync(home);
  return { home, platform: 'linux', env: {} };
}

function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('a client file that vai created goes with its entry; one that was there before stays', () => {
  const at = machine('created');
  const cursor = CLIENTS.find(({ id }) => id === 'cursor')!;
  const claude = CLIENTS.find(({ id }) => id === 'claude-code')!;
  const kept = put(claude.file(at), '{}\n');
  for (const client of [cursor, claude])
    applyChange(planChange(client, client.file(at), client.entry(vai)), '20260101T000000');
  assert.ok(existsSync(cursor.file(at)));
  for (const one of findWritten(at, [])) one.remove?.();
  assert.ok(!existsSync(cursor.file(at)));
  assert.ok(existsSync(kept));
});

test('everything that was written is found, and removing it gives back what was there', async () => {
  const at = machine('all');
  const home = join(at.home, '.vai');
  const before = new Map<string, string>();
  for (const client of CLIENTS) {
    const file = client.file(at);
    const text =
      client.format === 'yaml' ? 'a: 1\n' : client.format === 'toml' ? 'a = 1\n' : '{\n  "a": 1\n}\n';
    if (client.format !== 'own-file') before.set(put(file, text), text);
    applyChange(planChange(client, file, client.entry(vai)), '20260101T000000');
  }
  const agents = put(join(at.home, 'shop', 'AGENTS.md'), withBlock('# Ours\n', BLOCK, 'AGENTS.md'));
  const contract = put(join(at.home, 'shop', '.vai.json'), '{}');
  const edited = put(join(at.home, 'shop', 'sub', '.vai.json'), '{}');
  await recordWritten(home, agents, 'agents');
  await recordWritten(home, contract, 'project');
  await recordWritten(home, edited, 'project');
  writeFileSync(edited, '{"folders": ["mine"]}');
  const shell = put(
    join(at.home, '.bashrc'),
    'alias x=y\nsource <(vai completion bash)\n# vai completion is nice\n',
  );
  const fish = put(join(at.home, '.config/fish/completions/vai.fish'), "complete -c vai -n '' -a query\n");

  const found = findWritten(at, listWritten(home));
  assert.deepEqual(
    found.filter((one) => !one.remove).map((one) => one.file),
    [edited],
  );
  for (const one of found) one.remove?.();

  for (const [file, text] of before)
    assert.match(readFileSync(file, 'utf8'), /a\W+1/, `${file} lost ${text}`);
  for (const file of before.keys()) assert.doesNotMatch(readFileSync(file, 'utf8'), /mcp-server/, file);
  assert.equal(readFileSync(agents, 'utf8'), '# Ours\n');
  assert.equal(readFileSync(shell, 'utf8'), 'alias x=y\n# vai completion is nice\n');
  for (const file of [contract, fish, CLIENTS.find(({ format }) => format === 'own-file')!.file(at)])
    assert.ok(!existsSync(file), file);
  assert.deepEqual(
    findWritten(at, listWritten(home)).map((one) => one.file),
    [edited],
  );
  await forgetWritten(home, [agents, contract]);
  assert.deepEqual(
    listWritten(home).map(({ file }) => file),
    [edited],
  );
});

test('a home in which vai was never used has nothing of ours', () => {
  const at = machine('other');
  put(join(at.home, '.cursor/mcp.json'), '{"mcpServers": {"other": {}}}');
  put(join(at.home, '.gemini/settings.json'), '{ broken');
  put(join(at.home, '.zshrc'), 'source <(kubectl completion zsh)\n');
  assert.deepEqual(findWritten(at, []), []);
});

test('the text around a block is what it was before the block', () => {
  for (const text of ['', '# A\n', '# A\n\nmore\n', '# A\r\n'])
    assert.equal(withoutBlock(withBlock(text, BLOCK, 'f')), text);
  assert.equal(withoutBlock(`above\n\n${BLOCK}\n\nbelow\n`), 'above\n\nbelow\n');
  assert.equal(withoutBlock('no block'), 'no block');
});
