// vai setup: puts vai into the configuration of the clients on this machine, after showing the change and asking.

import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { shownPath } from '../../config/index.ts';
import { usage, type Frame } from '../frame.ts';
import { agreed } from '../confirm.ts';
import { CLIENTS, thisMachine, type Client, type Connection, type Machine } from '../setup/clients.ts';
import {
  applyChange,
  chooseClients,
  chooseProjectClients,
  difference,
  findClient,
  planChange,
  projectPath,
  type Change,
} from '../setup/plan.ts';
import { recordWritten } from '../written-files.ts';

interface Options {
  print?: string;
  project?: boolean;
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
    .description('add vai to the configuration of your MCP clients')
    .argument('[client...]', `${CLIENTS.map((client) => client.id).join(', ')} (default: those found here)`)
    .option('--project', "write the project's client files, for everyone who works on it")
    .option('--print <client>', 'print the entry instead of writing it')
    .option('--url <url>', 'address of a server to connect to over HTTP, instead of starting one')
    .option('--key <key>', 'write this key into the file (default: refer to the variable VAI_KEY)')
    .option('--remove', 'remove the entry')
    .option('--dry-run', 'show the change and write nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai setup\n  $ vai setup cursor claude-code --yes\n  $ vai setup --project\n  $ vai setup --print vscode\n  $ vai setup claude-code --url https://vai.example/mcp',
    )
    .action((names: string[], options: Options) => setup(frame, names, options));
}

async function setup(frame: Frame, names: string[], options: Options): Promise<void> {
  const machine = thisMachine(frame.env);
  const connection = connectionOf(frame, options);
  const { print, project } = options;
  if (print) return printEntry(frame, machine, connection, { print, project });
  const changes = await planned(frame, machine, names, { ...options, connection });
  if (changes.length === 0) {
    throw usage(
      'No MCP client was found on this machine.',
      `Name one: vai setup ${CLIENTS[1]!.id}, or print an entry: vai setup --print cursor`,
    );
  }
  const results = [];
  for (const change of changes) results.push(await settle(frame, machine, change, options));
  if (options.project && connection.kind === 'local' && !options.remove && !onPath(frame.env))
    frame.note(
      'These files start `vai`, which is not on your PATH. To install the commands, see the README.',
    );
  if (frame.wantsJson(options)) frame.printJson(results);
}

async function planned(
  frame: Frame,
  machine: Machine,
  names: string[],
  options: Options & { connection: Connection },
): Promise<Change[]> {
  const entryOf = (client: Client) => (options.remove ? undefined : client.entry(options.connection));
  if (!options.project)
    return chooseClients(machine, names).map((client) =>
      planChange(client, client.file(machine), entryOf(client)),
    );
  const { project } = await frame.settings();
  const folder = project ? dirname(project.file) : frame.cwd;
  return chooseProjectClients(machine, names, folder).map((client) =>
    planChange(client, projectPath(client, folder), entryOf(client), true),
  );
}

interface Settled {
  client: string;
  file: string;
  result: 'written' | 'unchanged' | 'shown' | 'declined';
  backup?: string;
}

async function settle(frame: Frame, machine: Machine, change: Change, options: Options): Promise<Settled> {
  const shown = (options.project && change.client.projectFile) || shownPath(change.file, machine.home);
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
  if (!options.yes && !(await wanted(frame, options))) {
    say('Not changed.');
    return { ...base, result: 'declined' };
  }
  const { backup } = applyChange(change, options.project ? undefined : stamp(new Date()));
  if (options.project && !options.remove)
    await recordWritten((await frame.settings()).home, change.file, `client:${change.client.id}`);
  say(
    `${frame.terminal.green('✓')} ${options.remove ? 'Removed.' : `Added. ${options.project ? 'Commit it to share it.' : change.client.then}`}${backup ? ` The old file is kept as ${shownPath(backup, machine.home)}.` : ''}`,
  );
  return { ...base, result: 'written', ...(backup ? { backup: shownPath(backup, machine.home) } : {}) };
}

/** Neither the new key nor an old one is shown. */
function withoutKey(line: string, key: string | undefined): string {
  const rest = key ? line.replaceAll(key, '<your key>') : line;
  return rest.replaceAll(/(Bearer\s+)[^"'\s<]+/g, '$1<your key>');
}

function paint(frame: Frame, line: string): string {
  return line.startsWith('+') ? frame.terminal.green(line) : frame.terminal.red(line);
}

async function wanted(frame: Frame, { key }: Options): Promise<boolean> {
  if (!frame.streams.stdin.isTTY)
    throw usage(
      'Writing needs a confirmation, and this is not an interactive terminal.',
      'Add --yes to write, or --dry-run to see the change.',
    );
  return agreed(frame, key ? 'This writes your key into the file. Continue?' : 'Write this?');
}

/** The entry alone on standard output, so that it can be written to the file that the note names. */
function printEntry(
  frame: Frame,
  machine: Machine,
  connection: Connection,
  { print, project }: { print: string; project: boolean | undefined },
): void {
  const client = findClient(print);
  const { after } = planChange(client, '/nonexistent/vai', client.entry(connection));
  const file = project ? client.projectFile : shownPath(client.file(machine), machine.home);
  frame.note(`${client.title}: ${file ?? 'no project-level configuration'}`);
  frame.print(after);
}

function connectionOf(frame: Frame, options: Options): Connection {
  if (options.project && options.key)
    throw usage(
      'A key does not belong in a file that is committed.',
      'Leave --key out: each person sets VAI_KEY.',
    );
  if (options.url !== undefined) {
    if (!/^https?:\/\/[^\s]+$/.test(options.url))
      throw usage('--url takes an address such as https://vai.example/mcp.');
    return { kind: 'remote', url: options.url, ...(options.key ? { key: options.key } : {}) };
  }
  if (options.key) throw usage('--key goes with --url: a server on this machine needs none.');
  // A shared file contains no path of this machine.
  if (options.project) return { kind: 'local', command: 'vai', args: ['mcp-server'], env: {} };
  const [command, ...args] = ownCommand();
  const home = frame.env['VAI_HOME'];
  const env: Record<string, string> = home ? { VAI_HOME: home } : {};
  return { kind: 'local', command: command!, args: [...args, 'mcp-server'], env };
}

function onPath(env: Frame['env']): boolean {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.some((folder) => ['vai', 'vai.cmd'].some((name) => existsSync(join(folder, name))));
}

/** Absolute, because programs started from a desktop often lack the shell's PATH. */
function ownCommand(): string[] {
  const script = process.argv[1] ? realpathSync(process.argv[1]) : '';
  if (/[\\/]_npx[\\/]/.test(script)) return ['npx', '-y', '-p', 'vai-knowledge', 'vai'];
  return [process.execPath, script];
}

function stamp(now: Date): string {
  return now.toISOString().replaceAll(/[-:.]/g, '');
}
