// vai doctor, blz doctor: what is wrong and the command that fixes it.

import type { Command } from 'commander';
import type { Frame } from '../frame.ts';

export function registerDoctor(program: Command, frame: Frame): void {
  program
    .command('doctor')
    .description('check store, index, sources, models, keys, clients and permissions')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n  $ ${frame.name} doctor\n  $ ${frame.name} doctor --json`)
    .action(async (options: { json?: boolean }) => {
      const { runDoctor } = await import('./run.ts');
      await runDoctor(frame, options);
    });
}
