// The command that prints a script which completes commands, flags and their values in your shell.

import { Option, type Command } from 'commander';
import { usage, type Frame } from '../frame.ts';
import { completionScript } from './script.ts';
import { askedValues, SHELLS } from './values.ts';

interface Completed {
  /** What a shell calls the program. */
  name: string;
  /** The program with all its commands; so far only the typed one is loaded. */
  whole: () => Promise<Command>;
}

export function registerCompletion(program: Command, frame: Frame, { name, whole }: Completed): void {
  program
    .command('completion')
    .alias('completions')
    .description('print shell completion for bash, zsh or fish')
    .argument('[shell]', SHELLS.join(', '))
    // Asked by the scripts themselves.
    .addOption(new Option('--values <kind>').hideHelp())
    .addHelpText(
      'after',
      `\nExamples:\n  $ source <(${name} completion bash)\n  $ ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    )
    .action(async (shell: string | undefined, { values }: { values?: string }) => {
      if (values) return frame.print((await askedValues(frame, values)).join('\n'));
      const known = SHELLS.find((one) => one === shell);
      if (known) return frame.print(completionScript(known, await whole()));
      throw usage(
        shell === undefined ? 'Name a shell.' : `\`${shell}\` is not a supported shell.`,
        `Use ${SHELLS.join(', ')}.`,
      );
    });
}
