// `mcp-server` and what belongs to it: keys, background servers, sample configurations.

import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { nearest } from '../../domain/nearest.ts';
import { plural } from '../../tools/shared/text.ts';
import { dollars, integer, list, usage, type Frame } from '../frame.ts';
import { addServerFlags, type ServeFlags } from './flags.ts';
import type { KeyPlace, NewKeyOptions } from '../../server/keys/manage.ts';
import type { ServerKind } from './serve.ts';

/** Turns a command into a server: flags, action, and the commands beside it. */
export function registerServe(command: Command, frame: Frame, kind: ServerKind): Command {
  registerServer(command, frame, kind);
  registerKeys(command, frame);
  registerProcesses(command, frame);
  command
    .command('sample-config')
    .description('print the configuration entry for a client')
    .argument('[client]', 'client id; without one, list them')
    .option('--url <url>', 'address of a server reached over HTTP')
    .action(async (client: string | undefined, options: { url?: string }) => {
      const { listClients, sampleConfig } = await import('./sample-config.ts');
      if (client === undefined) return frame.print(listClients());
      const sample = sampleConfig(client, { url: options.url, command: commandLine(frame.name) });
      frame.note(sample.note);
      frame.print(sample.config);
    });
  return command;
}

/** The flags and the action alone. */
function registerServer(command: Command, frame: Frame, kind: ServerKind): void {
  addServerFlags(command, kind.offered)
    // Accepted only to be refused: otherwise a misspelt command would be reported as a surplus argument.
    .argument('[word...]')
    .usage('[options] [command]')
    .hook('preAction', (_, action) => {
      if (action === command) refuseUnknown(command);
    })
    .action(async (_words: string[], flags: ServeFlags) => {
      const { serve } = await import('./serve.ts');
      await serve(frame, kind, flags);
    });
  // `generate-key --channels`, `stop --port`: a flag after a command belongs to it, even if a parent command has the
  // same flag.
  for (let one: Command | null = command; one; one = one.parent) one.enablePositionalOptions();
}

function refuseUnknown(command: Command): void {
  const [word] = command.args;
  if (word === undefined) return;
  const near = nearest(
    word,
    command.commands.map((one) => one.name()),
  );
  throw usage(
    `There is no command \`${word}\` here.`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Run it with --help to see the commands.',
  );
}

/** A key for a collection that does not exist yet is fine; with a misspelt name, the key would silently see nothing. */
async function unknownCollections(frame: Frame, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  try {
    const engine = await frame.engine();
    const { collections } = await engine.collections.list(frame.call());
    return names.filter((name) => collections.every((one) => one.name !== name));
  } catch {
    return [];
  }
}

function registerKeys(command: Command, frame: Frame): void {
  command
    .command('generate-key')
    .description('create a key for the HTTP server; it is shown only once')
    .option('--name <text>', 'what the key is for')
    .option('--owner <text>', 'who is responsible for it')
    .option('--scopes <list>', 'read, write, admin (default: read,write)', list)
    .option('--collections <list>', 'collections the key may use (default: all)', list)
    .option('--rate <number>', 'most requests a minute', integer('--rate', 1, 10_000_000))
    .option('--spending <dollars>', 'most dollars a day for hosted models', dollars('--spending'))
    .option('--channels <which>', 'send answers as text, structured or both')
    .option('--expires <time>', 'when it expires: 30d, 12h, 2w or a date')
    .option('--json', 'print JSON')
    .action(async (options: NewKeyOptions & { json?: boolean }) => {
      const { generateKey } = await import('../../server/keys/manage.ts');
      const { key, stored } = await generateKey(await keyPlace(frame), options, new Date());
      if (options.json) frame.printJson({ key, ...stored });
      else {
        frame.print(key);
        frame.note(`Key ${stored.id} (${stored.scopes.join(', ')}) is active. It will not be shown again.`);
      }
      if (!stored.scopes.includes('read')) frame.note('Without `read` in --scopes this key cannot search.');
      for (const name of await unknownCollections(frame, options.collections ?? []))
        frame.note(`There is no collection \`${name}\` yet: this key finds nothing in it until there is.`);
    });
  command
    .command('list-keys')
    .description('list the keys of the HTTP server')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { keyRecord, listKeys } = await import('../../server/keys/manage.ts');
      const { readUsage, usageFile } = await import('../../server/keys/usage.ts');
      const { spendingFile, spentToday } = await import('../../server/limits/spending.ts');
      const { describeKeys } = await import('./show-keys.ts');
      const { home, configPath } = await places(frame);
      const keys = listKeys(configPath);
      const used = readUsage(usageFile(home));
      const spent = await spentToday(spendingFile(home), new Date());
      const useOf = (id: string) => ({ lastUsed: used[id], spentToday: spent.get(id) });
      if (options.json) return frame.printJson(keys.map((key) => keyRecord(key, useOf(key.id))));
      if (keys.length === 0)
        return frame.print('No keys yet. Create one with `vai mcp-server generate-key`.');
      const rows = keys.map((key) => ({ key, use: useOf(key.id) }));
      frame.print(describeKeys(rows, frame.terminal, Date.now()));
    });
  command
    .command('revoke-key')
    .description('revoke a key')
    .argument('<id>', 'id of the key, as list-keys shows it')
    .action(async (id: string) => {
      const { revokeKey } = await import('../../server/keys/manage.ts');
      const { id: revoked, name } = await revokeKey(await keyPlace(frame), id);
      frame.print(`Revoked ${revoked}${name ? ` (${name})` : ''}.`);
    });
  command
    .command('rotate-key')
    .description('replace a key with a new one that has the same rights; the old one stays valid for a while')
    .argument('<id>', 'id of the key, as list-keys shows it')
    .option('--grace <time>', 'how long the old key stays valid: 0h, 12h, 7d, 2w or a date', '7d')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { grace: string; json?: boolean }) => {
      const { rotateKey } = await import('../../server/keys/manage.ts');
      const { key, stored, until } = await rotateKey(
        await keyPlace(frame),
        { id, grace: options.grace },
        new Date(),
      );
      if (options.json) return frame.printJson({ key, ...stored, replaces: id, until });
      frame.print(key);
      frame.note(`Key ${stored.id} is active; ${id} stays valid until ${until}.`);
    });
  command
    .command('sign-in-link')
    .description('print a one-time link that signs a browser in to the web page')
    .option(
      '--key <id>',
      'id of the key to sign in with, as list-keys shows it (default: the key with the most scopes)',
    )
    .option('--url <url>', 'address of the server', 'http://127.0.0.1:3100')
    .option('--json', 'print JSON')
    .action(async (options: { key?: string; url: string; json?: boolean }) => {
      const { signInLink } = await import('./sign-in-link.ts');
      const { home, configPath } = await places(frame);
      const link = signInLink({ home, configPath, ...options });
      if (options.json) return frame.printJson(link);
      frame.print(link.url);
      frame.note(`Works once within ${link.minutes} minutes; signs in as key ${link.key}.`);
    });
  command
    .command('audit')
    .description('check that no line of the audit log was changed, removed or inserted')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { verifyAudit } = await import('../../server/audit/audit.ts');
      const verdict = verifyAudit(join((await places(frame)).home, 'logs'));
      if (options.json) frame.printJson(verdict);
      else {
        const { lines, chains, breaks } = verdict;
        frame.print(`${plural(lines, 'line')} by ${plural(chains, 'process', 'processes')}.`);
        for (const { line, problem } of breaks.slice(0, 50)) frame.print(`line ${line} ${problem}`);
        if (breaks.length === 0)
          frame.print('The chain is intact: no line was changed, removed or inserted.');
      }
      if (verdict.breaks.length > 0) frame.fail(7);
    });
}

/** Key changes are recorded in the audit log before they are made. */
async function keyPlace(frame: Frame): Promise<KeyPlace> {
  const { auditFile, openAudit } = await import('../../server/audit/audit.ts');
  const { SILENT } = await import('../../server/log.ts');
  const { home, configPath } = await places(frame);
  const audit = openAudit(auditFile(home), SILENT, () => new Date());
  return {
    configPath,
    audit: (change) => audit.write('key', { by: userInfo().username, ...change }),
  };
}

function registerProcesses(command: Command, frame: Frame): void {
  command
    .command('status')
    .description('show the running HTTP servers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { describeRunning, findServers } = await import('./status.ts');
      const { home, port } = await frame.settings();
      const servers = await findServers(home, port);
      if (options.json) frame.printJson(servers);
      else frame.print(servers.map(describeRunning).join('\n') || 'No server runs.');
      if (servers.length === 0) frame.fail(3);
    });
  command
    .command('stop')
    .description('stop an HTTP server of this home')
    .option('--port <number>', 'which one, if several are running', integer('--port', 1, 65_535))
    .action(async (options: { port?: number }) => {
      const { listRunning, stopServer } = await import('./daemon.ts');
      const running = listRunning((await places(frame)).home);
      const { port } = options;
      const chosen = running.filter((server) => port === undefined || server.port === port);
      if (chosen.length === 0) {
        frame.note('No such server is running.');
        return frame.fail(3);
      }
      if (chosen.length > 1)
        throw usage('Several servers run.', 'Choose one with --port; see `vai mcp-server status`.');
      const ended = await stopServer(chosen[0]!.pid);
      frame.print(
        ended
          ? `Stopped the server on port ${chosen[0]!.port}.`
          : 'The server has not stopped yet; it is still finishing calls.',
      );
      if (!ended) frame.fail(1);
    });
}

async function places(frame: Frame): Promise<{ home: string; configPath: string }> {
  const { configPlaces } = await import('../../config/index.ts');
  return configPlaces(frame);
}

function commandLine(name: string): string[] {
  const lines: Record<string, string[]> = { blz: ['blz', 'mcp'], 'flowrag-mcp': ['flowrag-mcp'] };
  return lines[name] ?? ['vai', 'mcp-server'];
}
