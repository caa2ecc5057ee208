// vai trust: lets a project's files name models, keys and databases. What they ask for is shown first.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { shownPath } from '../../config/index.ts';
import {
  distrustProject,
  PROJECT_FILES,
  trustedProjects,
  trustIn,
  trustProject,
} from '../../config/trust.ts';
import { trustRequests } from '../../config/trust-requests.ts';
import { agreed, canAsk } from '../confirm.ts';
import { usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

interface Options {
  yes?: boolean;
  list?: boolean;
  remove?: boolean;
  json?: boolean;
}

export function registerTrust(program: Command, frame: Frame): void {
  program
    .command('trust')
    .description(
      'let the .vai.json, flowrag.config.json and .env of a project name models, keys and databases',
    )
    .argument('[folder]', 'folder of the project (default: this one, or the nearest above with a .vai.json)')
    .option('-y, --yes', 'do not ask')
    .option('--list', 'print the trusted projects')
    .option('--remove', 'stop trusting the project')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai trust\n  $ vai trust ~/projects/shop --remove\n  $ vai trust --list',
    )
    .action((folder: string | undefined, options: Options) => run(frame, folder, options));
}

async function run(frame: Frame, given: string | undefined, options: Options): Promise<void> {
  const { home } = await frame.settings();
  if (options.list) return list(frame, home, options);
  const folder = given === undefined ? projectOf(frame.cwd) : resolve(frame.cwd, given);
  const shown = shownPath(folder, homedir());
  if (options.remove) {
    const known = await distrustProject(home, folder);
    return frame.print(known ? `${shown} is no longer trusted.` : `${shown} was not trusted.`);
  }
  const files = PROJECT_FILES.filter((name) => existsSync(join(folder, name)));
  if (files.length === 0)
    throw usage(
      `There is nothing to trust in ${shown}.`,
      `A project has one of ${PROJECT_FILES.join(', ')}.`,
    );
  if (trustIn(home)(folder) === 'trusted') return frame.print(`${shown} is trusted already.`);
  const wishes = trustRequests(folder, homedir()).map((wish) => `  ${printable(wish)}`);
  frame.note([`${shown} asks for:`, ...(wishes.length ? wishes : ['  nothing that needs trust'])].join('\n'));
  if (!options.yes) {
    if (!canAsk(frame))
      throw usage(
        'Trusting needs a confirmation, and this is not an interactive terminal.',
        'Add --yes to trust without asking.',
      );
    if (!(await agreed(frame, `Trust ${printable(files.join(', '))} of this folder, as they are now?`)))
      throw usage('Nothing was changed.');
  }
  await trustProject(home, folder);
  if (options.json) frame.printJson({ folder: shown, files });
  else frame.print(`Trusted ${shown}. If one of these files changes, trust the project again.`);
}

function list(frame: Frame, home: string, options: Options): void {
  const trustOf = trustIn(home);
  const projects = trustedProjects(home).map((folder) => ({
    folder: shownPath(folder, homedir()),
    state: trustOf(folder),
  }));
  if (options.json) return frame.printJson({ projects });
  if (projects.length === 0) return frame.print('No project is trusted.');
  frame.print(
    projects
      .map(({ folder, state }) =>
        state === 'trusted' ? folder : `${folder}  (changed since: run vai trust there)`,
      )
      .join('\n'),
  );
}

/** The working directory, or the nearest folder above whose `.vai.json` is in use here. */
function projectOf(cwd: string): string {
  if (PROJECT_FILES.some((name) => existsSync(join(cwd, name)))) return cwd;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.vai.json'))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
