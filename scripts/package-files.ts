// What is written from the package's name and version alone: the entry of the MCP registry and the Claude Code plugin.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PUBLISHED_COMMAND } from './install-text.ts';
import { SEARCH_SKILL } from '../src/tools/search-skill.ts';

export const root = resolve(import.meta.dirname, '..');
export const pkg = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
  description: string;
  mcpName: string;
  engines: { node: string };
};

/**
 * What the registry lists: where the package is and what it may be told. Clients start it as `npx vai-knowledge`, and
 * with several commands in a package npm takes the one of its name; the rest of what we show says `vai`.
 */
export function registryEntry(): object {
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

/**
 * A marketplace of one plugin: `claude plugin marketplace add <folder>`, then `claude plugin install vai@vai`. Texts by
 * their path.
 */
export function pluginFiles(): Record<string, string> {
  const { version, description } = pkg;
  const author = { name: 'The vai maintainers' };
  const json = (content: object): string => `${JSON.stringify(content, null, 2)}\n`;
  return {
    '.claude-plugin/marketplace.json': json({
      name: 'vai',
      owner: author,
      plugins: [{ name: 'vai', source: './vai', description, version }],
    }),
    'vai/.claude-plugin/plugin.json': json({ name: 'vai', version, description, author, license: 'MIT' }),
    'vai/.mcp.json': json({ mcpServers: { vai: PUBLISHED_COMMAND } }),
    ...Object.fromEntries(
      SEARCH_SKILL.files.map(({ path, text }) => [`vai/skills/${SEARCH_SKILL.name}/${path}`, text]),
    ),
  };
}
