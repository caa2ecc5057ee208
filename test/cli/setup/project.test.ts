import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLIENTS, type Connection, type Machine } from '../../../src/cli/setup/clients.ts';
import { applyChange, chooseProjectClients, planChange, projectPath } from '../../../src/cli/setup/plan.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('project-setup');
const machine: Machine = { home: join(folder, 'home'), platform: 'linux', env: {} };
const vai: Connection = { kind: 'local', command: 'vai', args: ['mcp-server'], env: {} };

function project(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

test('every project file is written where its client looks, and removing leaves nothing behind', () => {
  const root = project('all');
  const clients = chooseProjectClients(
    machine,
    CLIENTS.flatMap(({ id, projectFile }) => (projectFile ? [id] : [])),
    root,
  );
  assert.ok(clients.length >= 11);
  for (const client of clients) {
    const file = projectPath(client, root);
    applyChange(planChange(client, file, client.entry(vai), true), 'x');
    assert.match(readFileSync(join(root, client.projectFile), 'utf8'), /vai/);
    assert.doesNotMatch(readFileSync(file, 'utf8'), new RegExp(folder), client.id);
    applyChange(planChange(client, file, undefined, true), 'x');
    assert.ok(!existsSync(file), client.id);
  }
  const mcp = join(root, '.mcp.json');
  const claude = clients.find(({ id }) => id === 'claude-code')!;
  applyChange(planChange(claude, mcp, claude.entry(vai), true), 'x');
  assert.deepEqual(JSON.parse(readFileSync(mcp, 'utf8')), {
    mcpServers: { vai: { command: 'vai', args: ['mcp-server'] } },
  });
});

test('without names: clients on this machine and those the project has a folder of', () => {
  const root = project('some');
  mkdirSync(join(root, '.vscode'));
  mkdirSync(join(machine.home, '.cursor'), { recursive: true });
  const ids = chooseProjectClients(machine, [], root).map(({ id }) => id);
  assert.deepEqual(ids, ['cursor', 'vscode']);
  assert.throws(() => chooseProjectClients(machine, ['goose'], root), /no project-level configuration/);
});

test('a link that leads out of the project is not followed', () => {
  const root = project('links');
  const [claude] = chooseProjectClients(machine, ['claude-code'], root);
  const [cursor] = chooseProjectClients(machine, ['cursor'], root);
  writeFileSync(join(folder, 'outside.json'), '{}');
  symlinkSync(join(folder, 'outside.json'), join(root, '.mcp.json'));
  symlinkSync(folder, join(root, '.cursor'));
  for (const client of [claude!, cursor!])
    assert.throws(() => projectPath(client, root), { code: 'CONFIG_INVALID' });
  rmSync(join(root, '.mcp.json'));
  symlinkSync(join(folder, 'nowhere.json'), join(root, '.mcp.json'));
  assert.throws(() => projectPath(claude!, root), { code: 'CONFIG_INVALID' });
});
