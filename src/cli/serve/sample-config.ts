// What to put into a client's configuration. Only printed: no client's file is touched and no secret is copied, because
// those files are shared, synchronised and committed.

import { VaiError } from '../../domain/errors.ts';
import { nearest } from '../../domain/nearest.ts';

export interface SampleOptions {
  url?: string;
  /** How this server is started on this machine. */
  command: string[];
}

interface Client {
  file: string;
  local(command: string, args: string[]): unknown;
  remote(url: string): unknown;
}

const NAME = 'vai';
const servers = (entry: unknown): unknown => ({ mcpServers: { [NAME]: entry } });
const plain = (command: string, args: string[]): unknown => servers({ command, args });
const bearer = (value: string): unknown => ({ Authorization: `Bearer ${value}` });

const CLIENTS: Record<string, Client> = {
  'claude-desktop': {
    file: 'claude_desktop_config.json (Settings → Developer → Edit Config)',
    local: plain,
    remote: (url) =>
      servers({
        command: 'npx',
        args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTH}'],
        env: { AUTH: 'Bearer <your key>' },
      }),
  },
  'claude-code': {
    file: '.mcp.json in the project, or run the command below',
    local: plain,
    remote: (url) => servers({ type: 'http', url, headers: bearer('${VAI_KEY}') }),
  },
  cursor: {
    file: '.cursor/mcp.json or ~/.cursor/mcp.json',
    local: plain,
    remote: (url) => servers({ url, headers: bearer('${env:VAI_KEY}') }),
  },
  vscode: {
    file: '.vscode/mcp.json',
    local: (command, args) => ({ servers: { [NAME]: { type: 'stdio', command, args } } }),
    remote: (url) => ({
      inputs: [{ type: 'promptString', id: 'vai-key', description: 'vai key', password: true }],
      servers: { [NAME]: { type: 'http', url, headers: bearer('${input:vai-key}') } },
    }),
  },
  windsurf: {
    file: '~/.codeium/windsurf/mcp_config.json',
    local: plain,
    remote: (url) => servers({ serverUrl: url, headers: bearer('${env:VAI_KEY}') }),
  },
  kiro: {
    file: '.kiro/settings/mcp.json',
    local: plain,
    remote: (url) => servers({ url, headers: bearer('${VAI_KEY}') }),
  },
  zed: {
    file: 'settings.json',
    local: (command, args) => ({ context_servers: { [NAME]: { command, args, env: {} } } }),
    remote: (url) => ({ context_servers: { [NAME]: { url, headers: bearer('<your key>') } } }),
  },
  gemini: {
    file: '~/.gemini/settings.json',
    local: plain,
    remote: (url) => servers({ httpUrl: url, headers: bearer('$VAI_KEY') }),
  },
};

export function sampleConfig(client: string | undefined, { url, command }: SampleOptions): string {
  const [program = 'vai', ...args] = command;
  if (client === undefined) return `Clients: ${[...Object.keys(CLIENTS), 'codex'].sort().join(', ')}`;
  if (client === 'codex') return codex(program, args, url);
  const known = CLIENTS[client];
  if (!known) {
    const close = nearest(client, [...Object.keys(CLIENTS), 'codex'], 1)[0];
    throw new VaiError('INVALID_INPUT', `There is no sample for \`${client.slice(0, 40)}\`.`, {
      hint: close ? `Did you mean ${close}?` : `Choose from ${Object.keys(CLIENTS).join(', ')}, codex.`,
    });
  }
  const entry = url ? known.remote(url) : known.local(program, args);
  const extra = client === 'claude-code' ? [claudeCode(program, args, url)] : [];
  return [`# ${known.file}`, JSON.stringify(entry, null, 2), ...extra, note()].join('\n');
}

function claudeCode(program: string, args: string[], url: string | undefined): string {
  return url
    ? `# claude mcp add --transport http ${NAME} ${url} --header "Authorization: Bearer <your key>"`
    : `# claude mcp add ${NAME} -- ${[program, ...args].join(' ')}`;
}

function codex(program: string, args: string[], url: string | undefined): string {
  const lines = url
    ? [`url = ${JSON.stringify(url)}`, 'bearer_token_env_var = "VAI_KEY"']
    : [`command = ${JSON.stringify(program)}`, `args = ${JSON.stringify(args)}`];
  return ['# ~/.codex/config.toml', `[mcp_servers.${NAME}]`, ...lines, note()].join('\n');
}

function note(): string {
  return '# Clients change: check with the documentation of your version.';
}
