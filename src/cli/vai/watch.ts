// vai watch: keeps the project's folders up to date, and its sources when .vai.json or a lockfile changes. Every server
// and command sees the result at once, because all use the same store.

import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { VaiError } from '../../domain/errors.ts';
import type { SyncOutcome } from '../../engine/project/sync.ts';
import { usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';
import { outcomeMark, projectHere } from './project.ts';

interface Options {
  yes?: boolean;
  json?: boolean;
}

export function registerWatch(program: Command, frame: Frame): void {
  program
    .command('watch')
    .description("keep the project's knowledge up to date as files change, until you stop it")
    .option('-y, --yes', 'also write to a collection that this project did not create')
    .option('--json', 'print one line of JSON per action')
    .addHelpText('after', '\nExamples:\n  $ vai watch')
    .action((options: Options) => run(frame, options));
}

async function run(frame: Frame, options: Options): Promise<void> {
  const { file: path } = await projectHere(frame);
  const engine = await frame.engine();
  const watching = await engine.project.watch(frame.call(), {
    path,
    async read() {
      const { project: now } = await frame.settings();
      // A .vai.json further up belongs to another project.
      if (now?.file !== path)
        throw usage('The .vai.json of this project is gone.', 'Write one with `vai init`.');
      return { ...now, folder: dirname(path) };
    },
    agreed: options.yes === true,
    report: (outcome) => tell(frame, options, outcome),
  });
  if (!frame.wantsJson(options)) frame.note('Watching for changes. Press Ctrl-C to stop.');
  if (!frame.signal.aborted) await once(frame.signal, 'abort');
  await watching.stop();
}

function tell(frame: Frame, options: Options, outcome: SyncOutcome | VaiError): void {
  if (frame.wantsJson(options)) {
    const { message } = outcome;
    const told = outcome instanceof VaiError ? { error: outcome.code, message } : outcome;
    return frame.print(JSON.stringify(told));
  }
  const { terminal } = frame;
  if (outcome instanceof VaiError) return frame.print(`${terminal.red('✗')} ${printable(outcome.message)}`);
  const mark = outcomeMark(terminal, outcome.action);
  frame.print(`${mark} ${terminal.bold(printable(outcome.name))}: ${printable(outcome.message)}`);
}
