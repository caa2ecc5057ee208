// vai completion: a script that completes commands and flags in your shell.

import type { Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import { usage, type Frame } from '../frame.ts';

export function registerCompletion(program: Command, frame: Frame): void {
  program
    .command('completion')
    .description('print shell completion for bash, zsh or fish')
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText(
      'after',
      '\nExamples:\n  $ source <(vai completion bash)\n  $ vai completion fish > ~/.config/fish/completions/vai.fish',
    )
    .action(async (shell: string) => {
      if (!(SHELLS as readonly string[]).includes(shell))
        throw usage(`\`${shell}\` is not a shell we know.`, `Use ${SHELLS.join(', ')}.`);
      const { buildVai } = await import('./program.ts');
      frame.print(completionScript(shell as Shell, await buildVai(frame, [])));
    });
}
