// vai backup, restore and compact: back up a database, restore one from a backup, and reclaim disk space.

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { usage, type Frame } from '../frame.ts';
import { plural, size } from '../../tools/shared/text.ts';

interface Options {
  db?: string;
  json?: boolean;
}

export function registerUpkeep(program: Command, frame: Frame): void {
  program
    .command('backup')
    .description('copy a database into one file while it stays in use')
    .argument('<file>', 'file to write; must not exist yet')
    .option('--db <name>', 'database')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai backup knowledge-2026.db')
    .action(async (file: string, options: Options) => {
      const target = resolve(frame.cwd, file);
      if (existsSync(target)) throw usage(`\`${file}\` exists already.`, 'Choose another name.');
      accessSync(dirname(target), constants.W_OK);
      const done = await (await frame.engine()).upkeep.backup(frame.call(), { file: target, db: options.db });
      if (frame.wantsJson(options)) frame.printJson({ database: done.database, file });
      else frame.print(`Copied ${done.database} to ${file}.`);
    });
  program
    .command('restore')
    .description('restore a database from a backup')
    .argument('<file>', 'backup file, from the same kind of store')
    .option('--db <name>', 'database to create; must not exist yet')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai restore knowledge-2026.db --db restored')
    .action(async (file: string, options: Options) => {
      const done = await (
        await frame.engine()
      ).upkeep.restore(frame.call(), { file: resolve(frame.cwd, file), db: options.db });
      if (frame.wantsJson(options)) frame.printJson(done);
      else frame.print(`Restored ${plural(done.collections, 'collection')} into ${done.database}.`);
    });
  program
    .command('compact')
    .description('reclaim the disk space of removed documents')
    .option('--db <name>', 'database')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ vai compact')
    .action(async (options: Options) => {
      const done = await (await frame.engine()).upkeep.compact(frame.call(), { db: options.db });
      if (frame.wantsJson(options)) frame.printJson(done);
      else frame.print(`${done.database}: ${size(done.before)} → ${size(done.after)}`);
    });
}
