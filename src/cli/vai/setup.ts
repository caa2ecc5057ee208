// vai setup: puts vai into the configuration of the clients on this machine, after showing the change and asking.

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Command } from 'commander';
import { shownPath } from '../../config/index.ts';
import { usage, type Frame } from '../frame.ts';
import { agreed } from '../confirm.ts';
import { CLIENTS, holdsSecret, type Connection, type Machine } from '../setup/clients.ts';
import {
  applyChange,
  chooseClients,
  difference,
  findClient,
  planChange,
  type Change,
} from '../setup/plan.ts';

interface Options {
  print?: string;
  remove?: boolean;
  url?: string;
  key?: string;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function registerSetup(program: Command, frame: Frame): void {
  program
    .command('setup')
    .description('put vai into the configuration of your MCP clients')
    .argument('[client...]', `${CLIENTS.map((client) => client.id).join(', ')} (default: those found here)`)
    .option('--print <client>', 'print the entry instead of writing it')
    .option('--url <url>', 'a server reached over HTTP instead of one started here')
    .option('--key <key>', 'write this key into the file (default: the name of a variable)')
    .option('--remove', 'take vai out again')
    .option('--dry-run', 'show the change and write nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai setup\n  $ vai setup cursor claude-code --yes\n  $ vai setup --print vscode\n  $ vai setup claude-code --url https://vai.example/mcp',
    )
    .action((names: string[], options: Options) => setup(frame, names, options));
}

async function setup(frame: Frame, names: string[], options: Options): Promise<void> {
  const machine: Machine = {
    home: frame.env['HOME'] ?? homedir(),
    platform: process.platform,
    env: frame.env,
  };
  const connection = connectionOf(frame, options);
  if (options.print) return frame.print(printed(options.print, machine, connection));
  const clients = chooseClients(machine, names);
  if (clients.length === 0) {
    throw usage(
      'No MCP client was found on this machine.',
      `Name one: vai setup ${CLIENTS[1]!.id}, or print an entry: vai setup --print cursor`,
    );
  }
  const changes = clients.map((client) =>
    planChange(client, machine, options.remove ? undefined : connection),
  );
  const results = [];
  for (const change of changes)
    results.push(await settle(frame, machine, change, { ...options, secret: holdsSecret(connection) }));
  if (frame.wantsJson(options)) frame.printJson(results);
}

interface Settled {
  client: string;
  file: string;
  result: 'written' | 'unchanged' | 'shown' | 'declined';
  backup?: string;
}

async function settle(
  frame: Frame,
  machine: Machine,
  change: Change,
  options: Options & { secret: boolean },
): Promise<Settled> {
  const shown = shownPath(change.file, machine.home);
  const base = { client: change.client.id, file: shown };
  const quiet = frame.wantsJson(options);
  const say = (text: string) => (quiet ? frame.note(text) : frame.print(text));
  if (change.before === change.after) {
    say(`${change.client.title}: nothing to do (${shown})`);
    return { ...base, result: 'unchanged' };
  }
  const lines = difference(change.before, change.after).map((line) => withoutKey(line, options.key));
  say(
    `${frame.terminal.bold(change.client.title)}  ${shown}\n${lines.map((line) => paint(frame, line)).join('\n')}`,
  );
  if (options.dryRun) return { ...base, result: 'shown' };
  if (!options.yes && !(await wanted(frame, options.secret))) {
    say('Left as it is.');
    return { ...base, result: 'declined' };
  }
  const { backup } = applyChange(change, stamp(new Date()));
  say(
    `${frame.terminal.green('✓')} ${options.remove ? 'Removed.' : `Added. ${change.client.then}`}${backup ? ` The old file is kept as ${shownPath(backup, machine.home)}.` : ''}`,
  );
  return { ...base, result: 'written', ...(backup ? { backup: shownPath(backup, machine.home) } : {}) };
}

/** Neither the key that is written nor one that stood there before is shown. */
function withoutKey(line: string, key: string | undefined): string {
  const rest = key ? line.replaceAll(key, '<your key>') : line;
  return rest.replaceAll(/(Bearer\s+)[^"'\s<]+/g, '$1<your key>');
}

function paint(frame: Frame, line: string): string {
  return line.startsWith('+') ? frame.terminal.green(line) : frame.terminal.red(line);
}

async function wanted(frame: Frame, secret: boolean): Promise<boolean> {
  if (!frame.streams.stdin.isTTY)
    throw usage(
      'Setting up asks first, and nobody is there to answer.',
      'Add --yes to write, or --dry-run to look.',
    );
  return agreed(frame, secret ? 'This writes your key into the file. Go on?' : 'Write this?');
}

function printed(name: string, machine: Machine, connection: Connection): string {
  const client = findClient(name);
  const change = { ...planChange({ ...client, file: () => '/nonexistent/vai' }, machine, connection) };
  return `# ${client.title}: ${shownPath(client.file(machine), machine.home)}\n${change.after}`;
}

function connectionOf(frame: Frame, options: Options): Connection {
  if (options.url !== undefined) {
    if (!/^https?:\/\/[^\s]+$/.test(options.url))
      throw usage('--url takes an address such as https://vai.example/mcp.');
    return { kind: 'remote', url: options.url, ...(options.key ? { key: options.key } : {}) };
  }
  if (options.key) throw usage('--key goes with --url: a server on this machine needs none.');
  const [command, ...args] = ownCommand();
  const home = frame.env['VAI_HOME'];
  const env: Record<string, string> = home ? { VAI_HOME: home } : {};
  return { kind: 'local', command: command!, args: [...args, 'mcp-server'], env };
}

/** Absolute, because programs started from a desktop often lack the shell's PATH. */
function ownCommand(): string[] {
  const script = process.argv[1] ? realpathSync(process.argv[1]) : '';
  if (/[\\/]_npx[\\/]/.test(script)) return ['npx', '-y', '-p', 'vai-knowledge', 'vai'];
  return [process.execPath, script];
}

function stamp(now: Date): string {
  return now.toISOString().replaceAll(/[-:]|\..*/g, '');
}
