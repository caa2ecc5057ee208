// vai config: what is set and where it comes from. Works with a broken file as far as it can, and never shows a secret.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { homedir } from 'node:os';
import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  configPlaces,
  SERVER_KEYS_FIELD,
  deleteConfig,
  findKey,
  getConfig,
  KEYS,
  valueOf,
  listConfig,
  maskValue,
  setConfig,
  shownPath,
  type ConfigEntry,
  type Settings,
} from '../../config/index.ts';
import { plural } from '../../tools/shared/text.ts';
import { usage, type Frame } from '../frame.ts';
import { readInput } from './input.ts';
import { wrap } from '../passage.ts';

interface Options {
  json?: boolean;
  origins?: boolean;
  yes?: boolean;
}

export function registerConfig(program: Command, frame: Frame): void {
  const config = program.command('config').description('read and change the settings in config.json');
  const path = (): string => configPlaces(frame).configPath;
  config
    .command('list')
    .description('print the settings; secrets are masked')
    .option('--origins', 'every setting in effect, and where it comes from')
    .option('--json', 'print JSON')
    .action((options: Options) => list(frame, path(), options));
  config
    .command('get')
    .description('print one setting')
    .argument('<key>')
    .option('--json', 'print JSON')
    .action((key: string, options: Options) => get(frame, path(), key, options));
  config
    .command('set')
    .description(
      'change one setting; without a value, it is read from standard input, which keeps secrets out of the shell history',
    )
    .argument('<key>')
    .argument('[value]')
    .action((key: string, value: string | undefined) => set(frame, path(), key, value));
  config
    .command('delete')
    .alias('unset')
    .description('remove one setting from the file')
    .argument('<key>')
    .action(async (key: string) => {
      const removed = await deleteConfig(path(), key);
      frame.print(removed ? `Removed ${key}.` : `${key} was not set.`);
    });
  config
    .command('path')
    .description('print the path of the file')
    .action(() => frame.print(path()));
  config
    .command('reset')
    .description('delete the file with all settings and server keys')
    .option('-y, --yes', 'do not ask')
    .action(async (options: Options) => {
      if (!options.yes)
        throw usage('This removes every setting and every server key.', 'Add --yes to do it.');
      await rm(path(), { force: true });
      frame.print('Removed the config file.');
    });
  const names = KEYS.flatMap((key) => (key.stored ? [key.cli ?? key.stored] : []));
  config.addHelpText(
    'after',
    `\n${wrap(`Settings: ${names.join(', ')}`, 78).join('\n')}\n\nExamples:\n  $ vai config set default-collection handbook\n  $ vai config set api-key < key.txt\n  $ vai config list --origins`,
  );
}

async function list(frame: Frame, path: string, options: Options): Promise<void> {
  if (options.origins) return listOrigins(frame, await frame.settings(), options);
  const entries = listConfig(path);
  if (frame.wantsJson(options))
    return frame.printJson(Object.fromEntries(entries.map(({ name, value }) => [name, value])));
  frame.print(entries.map(describe).join('\n') || `Nothing is set in ${shownPath(path, homedir())}.`);
}

/** The keys of the server have a list of their own. */
function describe({ name, value }: ConfigEntry): string {
  if (name !== SERVER_KEYS_FIELD || !Array.isArray(value)) return `${name} = ${show(value)}`;
  return `${name}: ${plural(value.length, 'key')}, listed by \`vai mcp-server list-keys\``;
}

function listOrigins(frame: Frame, settings: Settings, options: Options): void {
  const rows = KEYS.flatMap((key) => {
    const value = valueOf(settings, key);
    if (value === undefined) return [];
    const shown = maskValue(key.name, value, key.secret === true);
    return [{ name: key.cli ?? key.name, value: shown, origin: settings.origins[key.name] ?? 'default' }];
  });
  for (const warning of settings.warnings) frame.note(warning);
  if (frame.wantsJson(options)) return frame.printJson(rows);
  frame.print(
    rows
      .map(({ name, value, origin }) => `${name} = ${show(value)}  ${frame.terminal.dim(origin)}`)
      .join('\n'),
  );
}

function get(frame: Frame, path: string, name: string, options: Options): void {
  const entry = getConfig(path, name);
  if (!entry) {
    frame.note(
      `${name} is not set in ${shownPath(path, homedir())}. \`vai config list --origins\` shows what is in effect.`,
    );
    return frame.fail(3);
  }
  if (frame.wantsJson(options)) frame.printJson(entry.value);
  else frame.print(show(entry.value));
}

async function set(frame: Frame, path: string, name: string, given: string | undefined): Promise<void> {
  const value = given ?? (await ask(frame, name));
  const entry = await setConfig(path, name, value.trim());
  frame.print(`${entry.name} = ${show(entry.value)}`);
}

/** From a pipe, or typed unseen on a terminal. */
async function ask(frame: Frame, name: string): Promise<string> {
  if (!frame.streams.stdin.isTTY) return readInput(frame);
  const secret = findKey(name)?.secret === true;
  frame.note(`Value of ${name}${secret ? ' (not shown)' : ''}:`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({
    input: frame.streams.stdin,
    output: secret ? silent : process.stderr,
    terminal: true,
  });
  return prompt.question('').finally(() => prompt.close());
}

const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
