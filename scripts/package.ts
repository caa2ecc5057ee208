// npm run package: the .mcpb bundle for desktop clients, a Claude Code plugin with its skill, badges that install with a
// click, the server.json of the MCP registry and the bill of materials (CycloneDX), all from one build and one version.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { badges, PUBLISHED_COMMAND } from './install-text.ts';
import { SEARCH_SKILL } from '../src/tools/search-skill.ts';

const root = resolve(import.meta.dirname, '..');
const out = join(root, 'dist-package');
const pkg = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
  description: string;
  mcpName: string;
  engines: { node: string };
};

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

/** What the registry lists: where the package is and what it may be told. */
function registryEntry(): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: pkg.mcpName,
    title: 'vai',
    description:
      'Search documentation, files and notes by words, meaning and relations, with line citations.',
    version: pkg.version,
    packages: [
      {
        registryType: 'npm',
        identifier: pkg.name,
        version: pkg.version,
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp-server' }],
        environmentVariables: [
          {
            name: 'VOYAGE_API_KEY',
            description: 'Hosted models; the built-in ones are used without it',
            isRequired: false,
            isSecret: true,
          },
          {
            name: 'MONGODB_URI',
            description: 'MongoDB Atlas instead of the embedded store',
            isRequired: false,
            isSecret: true,
          },
          {
            name: 'VAI_HOME',
            description: 'Where data and configuration are kept',
            isRequired: false,
            isSecret: false,
          },
        ],
      },
    ],
  };
}

/** A marketplace of one plugin: `claude plugin marketplace add <folder>`, then `claude plugin install vai@vai`. */
function writePlugin(folder: string): void {
  const { version, description } = pkg;
  const author = { name: 'The vai maintainers' };
  const files: Record<string, string | object> = {
    '.claude-plugin/marketplace.json': {
      name: 'vai',
      owner: author,
      plugins: [{ name: 'vai', source: './vai', description, version }],
    },
    'vai/.claude-plugin/plugin.json': { name: 'vai', version, description, author, license: 'MIT' },
    'vai/.mcp.json': { mcpServers: { vai: PUBLISHED_COMMAND } },
    ...Object.fromEntries(
      SEARCH_SKILL.files.map(({ path, text }) => [`vai/skills/${SEARCH_SKILL.name}/${path}`, text]),
    ),
  };
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
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
