import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { badges, PUBLISHED_COMMAND } from '../../scripts/install-text.ts';
import { pkg, pluginFiles, registryEntry, root } from '../../scripts/package-files.ts';

const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  bin: Record<string, string>;
};

test('the Claude plugin: a marketplace that leads to it, the server and the skill, of one version', () => {
  const files = pluginFiles();
  const json = (path: string) => JSON.parse(files[path] ?? '') as Record<string, unknown>;
  const { plugins } = json('.claude-plugin/marketplace.json') as {
    plugins: { name: string; source: string; version: string }[];
  };
  const [listed] = plugins;
  const folder = listed!.source.replace(/^\.\//, '');
  const plugin = json(`${folder}/.claude-plugin/plugin.json`);
  assert.equal(plugin['name'], listed!.name);
  assert.deepEqual([listed!.version, plugin['version']], [pkg.version, pkg.version]);
  assert.deepEqual(json(`${folder}/.mcp.json`), { mcpServers: { vai: PUBLISHED_COMMAND } });
  const [, name] = /^---\nname: (\S+)\n/.exec(files[`${folder}/skills/search-with-vai/SKILL.md`]!)!;
  assert.equal(name, 'search-with-vai', 'a skill is called as its folder');
});

test('what clients are told to run is a command of the package', () => {
  const { args } = PUBLISHED_COMMAND;
  assert.equal(args[args.indexOf('-p') + 1], pkg.name);
  const command = args.find((arg) => arg in bin && arg !== pkg.name);
  assert.equal(command, 'vai');
  // `npx <package>`, as the MCP registry says it, works only with a command of the package's own name.
  const { packages } = registryEntry() as { packages: { identifier: string; version: string }[] };
  assert.deepEqual([packages[0]!.identifier, packages[0]!.version], [pkg.name, pkg.version]);
  assert.ok(bin[pkg.name]);
  for (const path of Object.values(bin)) assert.ok(existsSync(join(root, path)), path);
});

test('badges carry the same command', () => {
  const [cursor, vscode] = [...badges().matchAll(/\]\((https:[^)]+)\)$/gm)].map(([, link]) => new URL(link!));
  const config = Buffer.from(cursor!.searchParams.get('config')!, 'base64').toString();
  assert.deepEqual(JSON.parse(config), PUBLISHED_COMMAND);
  const install = vscode!.searchParams.get('url')!.replace('vscode:mcp/install?', '');
  assert.deepEqual(JSON.parse(decodeURIComponent(install)), { name: 'vai', ...PUBLISHED_COMMAND });
});
