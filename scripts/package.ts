// npm run package: the .mcpb bundle for desktop clients, a Claude Code plugin with its skill, badges that install with a
// click, the server.json of the MCP registry and the bill of materials (CycloneDX), all from one build and one version.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { badges } from './install-text.ts';
import { pkg, pluginFiles, registryEntry, root } from './package-files.ts';

const out = join(root, 'dist-package');

const KEY = {
  title: 'Voyage AI key',
  description: 'Optional: hosted models. Leave it empty to use the built-in ones.',
  type: 'string',
  sensitive: true,
  required: false,
  default: '',
};
const HOME = {
  title: 'Folder of the knowledge base',
  description: 'Where vai keeps its data.',
  type: 'directory',
  required: false,
  default: '${HOME}/.vai',
};

function manifest(): object {
  return {
    manifest_version: '0.3',
    name: pkg.name,
    display_name: 'vai',
    version: pkg.version,
    description: pkg.description,
    author: { name: 'The vai maintainers' },
    license: 'MIT',
    server: {
      type: 'node',
      entry_point: 'server/bin/vai.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/bin/vai.js', 'mcp-server'],
        env: { VOYAGE_API_KEY: '${user_config.voyage_api_key}', VAI_HOME: '${user_config.home}' },
      },
    },
    user_config: { voyage_api_key: KEY, home: HOME },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: pkg.engines.node } },
  };
}

function writePlugin(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(pluginFiles())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The package as it would be installed: its own files and the packages it loads at run time. */
function stage(folder: string): void {
  const server = join(folder, 'server');
  mkdirSync(server, { recursive: true });
  for (const name of ['bin', 'dist', 'package.json', 'LICENSE', 'README.md'])
    cpSync(join(root, name), join(server, name), { recursive: true });
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of listed.split('\n').filter((line) => line.includes('node_modules'))) {
    cpSync(path, join(server, relative(root, path)), {
      recursive: true,
      filter: (file) => !/\.(map|md|ts|mts|cts)$/.test(file),
    });
  }
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

execFileSync(process.execPath, [join(root, 'scripts/build.js')], { stdio: 'inherit' });
const folder = mkdtempSync(join(tmpdir(), 'vai-mcpb-'));
try {
  mkdirSync(out, { recursive: true });
  stage(folder);
  const mcpb = join(root, 'node_modules/.bin/mcpb');
  const bundle = join(out, `vai-${pkg.version}.mcpb`);
  execFileSync(mcpb, ['validate', join(folder, 'manifest.json')], { stdio: 'inherit' });
  execFileSync(mcpb, ['pack', folder, bundle], { stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(join(out, 'server.json'), `${JSON.stringify(registryEntry(), null, 2)}\n`);
  console.log(`${relative(root, bundle)}  ${(statSync(bundle).size / 1e6).toFixed(1)} MB`);
  const bill = join(out, `vai-${pkg.version}.cdx.json`);
  cpSync(join(root, 'dist/sbom.cdx.json'), bill);
  const plugin = join(out, 'claude-plugin');
  writePlugin(plugin);
  writeFileSync(join(out, 'badges.md'), badges());
  for (const file of [join(out, 'server.json'), bill, plugin, join(out, 'badges.md')])
    console.log(relative(root, file));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
