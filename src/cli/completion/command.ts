// The command that prints a script which completes commands and flags in your shell.

import type { Command } from 'commander';
import { usage, type Frame } from '../frame.ts';
import { completionScript, SHELLS, type Shell } from './script.ts';

export interface Completed {
  /** What a shell calls the program. */
  name: string;
  /** The program with all its commands: only the one that was typed is loaded by now. */
  whole: () => Promise<Command>;
}

export function registerCompletion(program: Command, frame: Frame, { name, whole }: Completed): void {
  program
    .command('completion')
    .alias('completions')
    .description('print shell completion for bash, zsh or fish')
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText(
      'after',
      `\nExamples:\n  $ source <(${name} completion bash)\n  $ ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    )
    .action(async (shell: string) => {
      if (!(SHELLS as readonly string[]).includes(shell))
        throw usage(`\`${shell}\` is not a shell we know.`, `Use ${SHELLS.join(', ')}.`);
      frame.print(completionScript(shell as Shell, await whole()));
    });
}
