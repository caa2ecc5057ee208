// The clients we know: where their configuration is on each platform, and what an entry of ours looks like there.
// Facts from the vendors' documentation; none of these programs runs in our tests.

import { join } from 'node:path';

export interface Machine {
  home: string;
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
}

/** How our server is reached: started on this machine, or over HTTP. */
export type Connection =
  | { kind: 'local'; command: string; args: string[]; env: Record<string, string> }
  | { kind: 'remote'; url: string; key?: string };

export interface Client {
  id: string;
  title: string;
  format: 'json' | 'toml' | 'own-file';
  /** The user's own configuration file. */
  file(machine: Machine): string;
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

/** The common shape: command, args and env, or an address with headers. */
function common(remote: Remote): Client['entry'] {
  return (connection) => {
    if (connection.kind === 'local') {
      const { command, args, env } = connection;
      return { command, args, ...(Object.keys(env).length ? { env } : {}) };
    }
    return {
      ...(remote.type ? { type: remote.type } : {}),
      [remote.url ?? 'url']: connection.url,
      headers: headers(connection.key, remote.variable),
    };
  };
}

const config = (machine: Machine, ...parts: string[]): string => {
  if (machine.platform === 'darwin') return join(machine.home, 'Library', 'Application Support', ...parts);
  if (machine.platform === 'win32')
    return join(machine.env['APPDATA'] ?? join(machine.home, 'AppData', 'Roaming'), ...parts);
  return join(machine.env['XDG_CONFIG_HOME'] ?? join(machine.home, '.config'), ...parts);
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
    // Remote entries in this file are ignored by the client: a bridge over stdio is the way.
    entry: (connection) =>
      connection.kind === 'local'
        ? common({ variable: '' })(connection)
        : {
            command: 'npx',
            args: ['-y', 'mcp-remote', connection.url, '--header', 'Authorization:${AUTH}'],
            env: { AUTH: `Bearer ${connection.key ?? 'YOUR-KEY'}` },
          },
    then: 'Quit Claude Desktop and start it again.',
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    file: (machine) => join(machine.home, '.claude.json'),
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
    trace: (machine) => config(machine, 'Code', 'User'),
    path: ['servers', SERVER_NAME],
    entry: (connection) => {
      const entry = common({ type: 'http', variable: '${input:vai-key}' })(connection) as object;
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
    trace: (machine) => join(machine.home, '.codex'),
    path: ['mcp_servers', SERVER_NAME],
    // An inline token is refused by the client: it reads the key from a variable.
    entry: (connection) =>
      connection.kind === 'local'
        ? common({ variable: '' })(connection)
        : { url: connection.url, bearer_token_env_var: 'VAI_KEY' },
    then: 'Start a new session.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    file: (machine) => join(machine.home, '.gemini', 'settings.json'),
    trace: (machine) => join(machine.home, '.gemini'),
    path: ['mcpServers', SERVER_NAME],
    entry: common({ url: 'httpUrl', variable: '$VAI_KEY' }),
    then: 'Start a new session.',
  },
];

function zedFolder(machine: Machine): string {
  if (machine.platform === 'win32') return config(machine, 'Zed');
  return join(machine.env['XDG_CONFIG_HOME'] ?? join(machine.home, '.config'), 'zed');
}

/** Whether the entry as written holds the key itself rather than the name of a variable. */
export function holdsSecret(connection: Connection): boolean {
  return connection.kind === 'remote' && connection.key !== undefined;
}
