// vai watch: keeps the project's own folders in step while somebody works on them. What it writes is seen by every server
// and command at once, because all of them look into the same store; one watcher is enough.

import { dirname } from 'node:path';
import type { Command } from 'commander';
import { VaiError } from '../../domain/errors.ts';
import type { SyncOutcome } from '../../engine/project/sync.ts';
import { usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';

interface Options {
  yes?: boolean;
  json?: boolean;
}

export function registerWatch(program: Command, frame: Frame): void {
  program
    .command('watch')
    .description("keep the folders of the project's .vai.json in step until it is stopped")
    .option('-y, --yes', 'also write to a collection that this project did not make')
    .option('--json', 'print one line of JSON for each run')
    .addHelpText('after', '\nExamples:\n  $ vai watch')
    .action((options: Options) => run(frame, options));
}

async function run(frame: Frame, options: Options): Promise<void> {
  const { project } = await frame.settings();
  if (!project) throw usage('There is no .vai.json here or above.', 'Write one with `vai init`.');
  const engine = await frame.engine();
  const file = { ...project, folder: dirname(project.file) };
  const watching = await engine.project.watch(frame.call(), {
    file,
    agreed: options.yes === true,
    report: (outcome) => tell(frame, options, outcome),
  });
  if (!frame.wantsJson(options)) frame.note('Watching; stop with Ctrl-C.');
  await new Promise<void>((resolve) => {
    if (frame.signal.aborted) resolve();
    else frame.signal.addEventListener('abort', () => resolve(), { once: true });
  });
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
  const mark = outcome.action === 'index' ? terminal.green('✓') : terminal.yellow('–');
  frame.print(`${mark} ${terminal.bold(printable(outcome.name))}: ${printable(outcome.message)}`);
}
