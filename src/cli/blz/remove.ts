// blz remove: removes a source with its old versions. Asks first; no MCP tool does this.

import type { Command } from 'commander';
import { confirmRemoval } from '../confirm.ts';
import type { Frame } from '../frame.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';
import { plural } from '../../tools/shared/text.ts';

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
  if (!options.yes)
    await confirmRemoval(frame, `${source!.alias} (${plural(source!.metadata.totalLines, 'line')})`);
  const removed = await engine.docs.remove(frame.call(), source!.alias);
  show(frame, options, {
    json: { removed: removed.alias, metadata: removed.metadata },
    text: () => `Removed ${removed.alias}.`,
  });
}
