// The clients we know: where their configuration is on each platform, and what an entry of ours looks like there.
// Facts from the vendors' documentation; none of these programs runs in our tests.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Machine {
  home: string;
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
}

export function thisMachine(env: Machine['env']): Machine {
  return { home: env['HOME'] ?? homedir(), platform: process.platform, env };
}

/** How our server is reached: started on this machine, or over HTTP. */
export type Connection =
  | { kind: 'local'; command: string; args: string[]; env: Record<string, string> }
  | { kind: 'remote'; url: string; key?: string };

export interface Client {
  id: string;
  title: string;
  format: 'json' | 'toml' | 'yaml' | 'own-file';
  /** The user's own configuration file. */
  file(machine: Machine): string;
  /** The file a project may hold for everybody who works on it; most clients have one. */
  projectFile?: string;
  /** A folder that exists where the client is installed. */
  trace(machine: Machine): string;
  /** Keys from the root of the file down to our entry. */
  path: string[];
  entry(connection: Connection): unknown;
  /** An item under `inputs` that an entry may refer to: the client asks the person for it and keeps it. */
  asks?: { id: string; type: string; description: string; password: boolean };
  /** What a person does after the edit. */
  then: string;
}

const SERVER_NAME = 'vai';

interface Remote {
  url?: string;
  type?: string;
  /** How this client writes an environment variable inside a header. */
  variable: string;
}

function headers(key: string | undefined, variable: string): Record<string, string> {
  return { Authorization: `Bearer ${key ?? variable}` };
}

function started({ command, args, env }: Connection & { kind: 'local' }): object {
  return { command, args, ...(Object.keys(env).length ? { env } : {}) };
}

/** The common shape: command, args and env, or an address with headers. */
function common(remote: Remote): (connection: Connection) => object {
  return (connection) => {
    if (connection.kind === 'local') return started(connection);
    return {
      ...(remote.type ? { type: remote.type } : {}),
      [remote.url ?? 'url']: connection.url,
      headers: headers(connection.key, remote.variable),
    };
  };
}

/** For clients that start commands only: a server over HTTP is reached by a bridge over stdio. */
function bridged(connection: Connection): object {
  if (connection.kind === 'local') return started(connection);
  return {
    command: 'npx',
    args: ['-y', 'mcp-remote', connection.url, '--header', 'Authorization:${AUTH}'],
    env: { AUTH: `Bearer ${connection.key ?? 'YOUR-KEY'}` },
  };
}

const config = (machine: Machine, ...parts: string[]): string => {
  if (machine.platform === 'darwin') return join(machine.home, 'Library', 'Application Support', ...parts);
  if (machine.platform === 'win32')
    return join(machine.env['APPDATA'] ?? join(machine.home, 'AppData', 'Roaming'), ...parts);
  return join(dotConfig(machine), ...parts);
};

const RESTART = 'Restart it to pick up the change.';

export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    file: (machine) => config(machine, 'Claude', 'claude_desktop_config.json'),
    trace: (machine) => config(machine, 'Claude'),
    path: ['mcpServers', SERVER_NAME],
    // The client ignores remote entries in this file.
    entry: bridged,
    then: 'Quit Claude Desktop and start it again.',
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    file: (machine) => join(machine.home, '.claude.json'),
    projectFile: '.mcp.json',
    trace: (machine) => join(machine.home, '.claude'),
    path: ['mcpServers', SERVER_NAME],
    entry: common({ type: 'http', variable: '${VAI_KEY}' }),
    then: 'Run /mcp in Claude Code to see it.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    format: 'json',
    file: (machine) => join(machine.home, '.cursor', 'mcp.json'),
    projectFile: '.cursor/mcp.json',
    trace: (machine) => join(machine.home, '.cursor'),
    path: ['mcpServers', SERVER_NAME],
    entry: common({ variable: '${env:VAI_KEY}' }),
    then: 'Open Settings → MCP and switch it on.',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    format: 'json',
    file: (machine) => config(machine, 'Code', 'User', 'mcp.json'),
    projectFile: '.vscode/mcp.json',
    trace: (machine) => config(machine, 'Code', 'User'),
    path: ['servers', SERVER_NAME],
    entry: (connection) => {
      const entry = common({ type: 'http', variable: '${input:vai-key}' })(connection);
      return connection.kind === 'local' ? { type: 'stdio', ...entry } : entry;
    },
    asks: { id: 'vai-key', type: 'promptString', description: 'vai key', password: true },
    then: 'Run “MCP: List Servers” and start it.',
  },
  {
    id: 'continue',
    title: 'Continue',
    format: 'own-file',
    file: (machine) => join(machine.home, '.continue', 'mcpServers', 'vai.json'),
    projectFile: '.continue/mcpServers/vai.json',
    trace: (machine) => join(machine.home, '.continue'),
    path: ['mcpServers', SERVER_NAME],
    entry: common({ type: 'streamable-http', variable: '${{ secrets.VAI_KEY }}' }),
    then: RESTART,
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    file: (machine) => join(machine.home, '.codeium', 'windsurf', 'mcp_config.json'),
    trace: (machine) => join(machine.home, '.codeium', 'windsurf'),
    path: ['mcpServers', SERVER_NAME],
    entry: common({ url: 'serverUrl', variable: '${env:VAI_KEY}' }),
    then: 'Refresh the MCP servers in its settings.',
  },
  {
    id: 'kiro',
    title: 'Kiro',
    format: 'json',
    file: (machine) => join(machine.home, '.kiro', 'settings', 'mcp.json'),
    projectFile: '.kiro/settings/mcp.json',
    trace: (machine) => join(machine.home, '.kiro'),
    path: ['mcpServers', SERVER_NAME],
    entry: common({ variable: '${VAI_KEY}' }),
    then: RESTART,
  },
  {
    id: 'zed',
    title: 'Zed',
    format: 'json',
    file: (machine) => join(zedFolder(machine), 'settings.json'),
    projectFile: '.zed/settings.json',
    trace: zedFolder,
    path: ['context_servers', SERVER_NAME],
    entry: common({ variable: 'YOUR-KEY' }),
    then: 'It is used at once.',
  },
  {
    id: 'codex',
    title: 'Codex CLI',
    format: 'toml',
    file: (machine) => join(machine.home, '.codex', 'config.toml'),
    projectFile: '.codex/config.toml',
    trace: (machine) => join(machine.home, '.codex'),
    path: ['mcp_servers', SERVER_NAME],
    // An inline token is refused by the client: it reads the key from a variable.
    entry: (connection) =>
      connection.kind === 'local'
        ? started(connection)
        : { url: connection.url, bearer_token_env_var: 'VAI_KEY' },
    then: 'Start a new session.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    file: (machine) => join(machine.home, '.gemini', 'settings.json'),
    projectFile: '.gemini/settings.json',
    trace: (machine) => join(machine.home, '.gemini'),
    path: ['mcpServers', SERVER_NAME],
    entry: common({ url: 'httpUrl', variable: '$VAI_KEY' }),
    then: 'Start a new session.',
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    format: 'json',
    file: (machine) => existing(join(openCodeFolder(machine), 'opencode.json')),
    projectFile: 'opencode.json',
    trace: openCodeFolder,
    // The shape of its first version, which the second one reads too.
    path: ['mcp', SERVER_NAME],
    entry: (connection) => {
      if (connection.kind === 'remote')
        return {
          type: 'remote',
          url: connection.url,
          headers: headers(connection.key, '{env:VAI_KEY}'),
          enabled: true,
        };
      const { command, args, env } = connection;
      return {
        type: 'local',
        command: [command, ...args],
        ...(Object.keys(env).length ? { environment: env } : {}),
        enabled: true,
      };
    },
    then: RESTART,
  },
  {
    id: 'cline',
    title: 'Cline',
    format: 'json',
    file: (machine) => join(machine.home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    trace: (machine) => join(machine.home, '.cline'),
    path: ['mcpServers', SERVER_NAME],
    entry: common({ type: 'streamableHttp', variable: 'YOUR-KEY' }),
    then: 'Open MCP Servers in Cline and switch it on.',
  },
  {
    id: 'jetbrains',
    title: 'JetBrains Junie',
    format: 'json',
    file: (machine) => join(machine.home, '.junie', 'mcp', 'mcp.json'),
    projectFile: '.junie/mcp/mcp.json',
    trace: (machine) => join(machine.home, '.junie'),
    path: ['mcpServers', SERVER_NAME],
    // Not every version of its plugin speaks HTTP.
    entry: bridged,
    then: 'Open Settings → Tools → Junie → MCP Settings and switch it on. AI Assistant takes the same entry in its own settings.',
  },
  {
    id: 'copilot-cli',
    title: 'GitHub Copilot CLI',
    format: 'json',
    file: (machine) => join(machine.home, '.copilot', 'mcp-config.json'),
    projectFile: '.github/mcp.json',
    trace: (machine) => join(machine.home, '.copilot'),
    path: ['mcpServers', SERVER_NAME],
    entry: (connection) => {
      const entry = common({ type: 'http', variable: '${VAI_KEY}' })(connection);
      return { ...(connection.kind === 'local' ? { type: 'local' } : {}), ...entry, tools: ['*'] };
    },
    then: 'Run /mcp show in Copilot CLI to see it.',
  },
  {
    id: 'goose',
    title: 'Goose',
    format: 'yaml',
    file: (machine) => join(gooseFolder(machine), 'config.yaml'),
    trace: gooseFolder,
    path: ['extensions', SERVER_NAME],
    entry: (connection) => ({
      enabled: true,
      name: SERVER_NAME,
      description: 'Search your documents with vai',
      timeout: 300,
      ...(connection.kind === 'local'
        ? { type: 'stdio', cmd: connection.command, args: connection.args, envs: connection.env }
        : {
            type: 'streamable_http',
            uri: connection.url,
            ...(connection.key ? {} : { env_keys: ['VAI_KEY'] }),
            headers: headers(connection.key, '${VAI_KEY}'),
          }),
    }),
    then: 'Start a new session.',
  },
];

/** What some programs use on macOS and Windows too. */
export function dotConfig({ home, env }: Machine): string {
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config');
}

function openCodeFolder(machine: Machine): string {
  return join(dotConfig(machine), 'opencode');
}

/** A file that may also end in `.jsonc`: the one that is there. */
function existing(file: string): string {
  return existsSync(`${file}c`) ? `${file}c` : file;
}

function gooseFolder(machine: Machine): string {
  if (machine.platform === 'win32') return config(machine, 'Block', 'goose', 'config');
  return join(dotConfig(machine), 'goose');
}

function zedFolder(machine: Machine): string {
  if (machine.platform === 'win32') return config(machine, 'Zed');
  return join(dotConfig(machine), 'zed');
}
