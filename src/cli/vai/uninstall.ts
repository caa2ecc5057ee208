// vai uninstall: shows and removes what vai has written outside of its home; the home itself only when asked.

import { existsSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { shownPath } from '../../config/index.ts';
import { confirmRemoval } from '../confirm.ts';
import { usage, type Frame } from '../frame.ts';
import { listRunning } from '../serve/daemon.ts';
import { thisMachine } from '../setup/clients.ts';
import { findWritten, type Found } from '../uninstall/found.ts';
import { forgetWritten, listWritten } from '../written-files.ts';

interface Options {
  data?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function registerUninstall(program: Command, frame: Frame): void {
  program
    .command('uninstall')
    .description('remove what vai wrote: client entries, project files, AGENTS.md blocks, completion')
    .option('--data', 'also delete the home folder: knowledge, configuration, keys and logs')
    .option('--dry-run', 'show what would be removed and remove nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai uninstall --dry-run\n  $ vai uninstall --data')
    .action((options: Options) => uninstall(frame, options));
}

async function uninstall(frame: Frame, options: Options): Promise<void> {
  const machine = thisMachine(frame.env);
  const user = machine.home;
  const { home, store } = await frame.settings();
  const found = findWritten(machine, listWritten(home));
  const data = options.data && existsSync(home) ? ownHome(home, user) : undefined;
  const show = (file: string): string => (file.startsWith(user) ? shownPath(file, user) : file);
  const removable = found.filter((one) => one.remove);
  const kept = found.filter((one) => !one.remove);
  const lines = [
    ...removable.map((one) => `  ${one.what}: ${show(one.file)}`),
    ...(data ? [`  all knowledge, configuration and keys: ${show(data)}`] : []),
  ];
  const report = (removed: boolean): void => {
    if (frame.wantsJson(options))
      return frame.printJson({
        removed,
        found: removable.map(({ what, file }) => ({ what, file: show(file) })),
        kept: kept.map(({ what, file, why }) => ({ what, file: show(file), why })),
        ...(data ? { data: show(data) } : {}),
      });
    frame.print(closing(removed, lines, { kept, show, data, home: show(home), remote: store === 'mongodb' }));
  };
  if (options.dryRun || lines.length === 0) return report(false);
  if (!options.yes) {
    frame.note(['This removes:', ...lines].join('\n'));
    await confirmRemoval(frame, lines.length === 1 ? 'it' : `these ${lines.length} things`);
  }
  for (const one of removable) one.remove!();
  if (data) rmSync(data, { recursive: true, force: true });
  else
    await forgetWritten(
      home,
      removable.map(({ file }) => file),
    );
  report(true);
}

/** A folder that belongs to vai and that no server is using. */
function ownHome(home: string, user: string): string {
  const path = resolve(home);
  const looksLikeOurs = ['data', 'config.json', 'run', 'written.json'].some((name) =>
    existsSync(join(path, name)),
  );
  if (!looksLikeOurs || path === resolve(user) || dirname(path) === path)
    throw usage(
      `${shownPath(path, user)} does not look like a vai home folder.`,
      'If it is one, delete it yourself.',
    );
  const running = listRunning(home);
  if (running.length > 0)
    throw usage(
      'A server is using this data.',
      `Stop it first: vai mcp-server stop --port ${running[0]!.port}`,
    );
  return path;
}

interface Rest {
  kept: Found[];
  show: (file: string) => string;
  data: string | undefined;
  home: string;
  remote: boolean;
}

function closing(removed: boolean, lines: string[], { kept, show, data, home, remote }: Rest): string {
  return [
    lines.length === 0
      ? 'vai has written nothing outside its home folder.'
      : removed
        ? 'Removed:'
        : 'Would remove:',
    ...lines,
    ...kept.map((one) => `Kept, ${one.what}: ${show(one.file)}. ${one.why}`),
    ...(data ? [] : [`Your knowledge and configuration stay in ${home}; --data deletes them.`]),
    ...(remote ? ['Data in MongoDB is not touched.'] : []),
    'Remove the program itself with: npm rm -g vai-knowledge',
  ].join('\n');
}
