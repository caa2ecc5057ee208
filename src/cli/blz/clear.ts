// blz clear: removes every documentation source. Ingested collections are not sources and stay. Asks first.

import { plural } from '../../tools/shared/text.ts';
import type { Command } from 'commander';
import { confirmRemoval } from '../confirm.ts';
import type { Frame } from '../frame.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';

export function registerClear(program: Command, frame: Frame): void {
  const command = program
    .command('clear')
    .description('remove every source; ingested collections are kept')
    .option('-y, --yes', 'do not ask');
  withFormat(command).action(async (options: OutputOptions & { yes?: boolean }) => {
    const engine = await frame.engine();
    const all = await engine.docs.inspect(frame.call());
    const sources = all.filter((source) => source.url !== null || source.location !== undefined);
    if (sources.length > 0 && !options.yes)
      await confirmRemoval(frame, `all of ${plural(sources.length, 'source')}`);
    for (const { alias } of sources) await engine.docs.remove(frame.call(), alias);
    const removed = sources.map((source) => source.alias);
    show(frame, options, {
      json: { removed },
      items: removed,
      text: () => `Removed ${plural(removed.length, 'source')}.`,
    });
  });
}
