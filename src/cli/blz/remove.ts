// blz remove: takes a source away with its old versions. Asks first; no tool can do it.

import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';
import { show, withFormat, type OutputOptions } from './output.ts';

interface Options extends OutputOptions {
  yes?: boolean;
}

export function registerRemove(program: Command, frame: Frame): void {
  const command = program
    .command('remove')
    .aliases(['rm', 'delete'])
    .description('remove a source and its old versions')
    .argument('<alias>', 'the source')
    .option('-y, --yes', 'do not ask');
  withFormat(command).action((alias: string, options: Options) => run(frame, alias, options));
}

async function run(frame: Frame, alias: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const [source] = await engine.docs.inspect(frame.call(), alias);
  if (!options.yes) await confirm(frame, `${source!.alias} (${source!.metadata.totalLines} lines)`);
  const removed = await engine.docs.remove(frame.call(), source!.alias);
  show(frame, options, {
    json: { removed: removed.alias, metadata: removed.metadata },
    text: () => `Removed ${removed.alias}.`,
  });
}

async function confirm(frame: Frame, what: string): Promise<void> {
  if (!frame.terminal.interactive || !frame.streams.stdin.isTTY)
    throw usage('Removing asks first, and nobody is there to answer.', 'Add --yes to remove without asking.');
  const prompt = createInterface({ input: frame.streams.stdin, output: process.stderr });
  const answer = await prompt.question(`Remove ${printable(what)}? [y/N] `).finally(() => prompt.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw usage('Nothing was removed.');
}
