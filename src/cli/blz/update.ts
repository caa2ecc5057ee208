// blz update: refreshes sources; an unchanged one costs one conditional request.

import type { Command } from 'commander';
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import type { UpdateResult } from '../../engine/docs/types.ts';
import { count, plural } from '../../tools/shared/text.ts';
import type { Frame } from '../frame.ts';
import type { Terminal } from '../terminal.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';

interface Options extends OutputOptions {
  all?: boolean;
  reindex?: boolean;
  force?: boolean;
}

export function registerUpdate(program: Command, frame: Frame): void {
  const command = program
    .command('update')
    .aliases(['sync', 'refresh'])
    .description('refresh the named sources, or all of them')
    .argument('[alias...]', 'sources')
    .option('--all', 'every source')
    .option('--reindex', 'chunk and index the stored text again, without the network')
    .option('--force', 'accept a new version that lost most of its lines');
  withFormat(command).action((aliases: string[], options: Options) => run(frame, aliases, options));
}

async function run(frame: Frame, aliases: string[], options: Options): Promise<void> {
  const engine = await frame.engine();
  const { all, force, reindex } = options;
  const named = aliases.length > 0 && !all ? aliases : undefined;
  const results = await frame.withBar((call) => engine.docs.update(call, { aliases: named, force, reindex }));
  show(frame, options, {
    json: { results },
    items: results,
    text: () => results.map((result) => describe(frame, result)).join('\n') || 'No sources to update.',
  });
  const failed = results.find((result) => result.code !== undefined);
  if (failed) frame.fail(ERRORS[failed.code as ErrorCode].exit);
}

function describe(frame: Frame, result: UpdateResult): string {
  const { terminal } = frame;
  const counts = ['refreshed', 'partial', 'reindexed'].includes(result.status)
    ? `  ${count(result.before.totalLines)} → ${plural(result.after.totalLines, 'line')}, ${count(result.before.headings)} → ${plural(result.after.headings, 'heading')}`
    : '';
  const held = result.status === 'held' ? ` Accept it with: blz update ${result.alias} --force` : '';
  // The word of the command and of `blz history`.
  const status = result.status === 'refreshed' ? 'updated' : result.status;
  return `${terminal.bold(result.alias)}  ${paint(terminal, result.status)(status)}${counts}${result.message ? `  ${result.message}${held}` : ''}`;
}

function paint(terminal: Terminal, status: UpdateResult['status']): (text: string) => string {
  if (status === 'unchanged') return terminal.dim;
  if (status === 'held' || status === 'partial') return terminal.yellow;
  return status === 'error' ? terminal.red : terminal.green;
}
