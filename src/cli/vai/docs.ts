// vai docs: every command of documentation sources, as `blz` has them.

import type { Command } from 'commander';
import { registerDocsCommands } from '../blz/register.ts';
import type { Frame } from '../frame.ts';

export function registerDocs(program: Command, frame: Frame): void {
  const docs = program
    .command('docs')
    .description('documentation sources: add, search, get, list, update, … (the same as the command blz)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai docs add bun\n  $ vai docs search "test runner" --source bun',
    );
  registerDocsCommands(docs, frame);
}
