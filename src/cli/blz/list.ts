// blz list: installed sources and those in the registry, as `list-sources` returns them.

import type { Command } from 'commander';
import type { InstalledSource, RegistrySource } from '../../engine/docs/types.ts';
import type { Frame } from '../frame.ts';
import { plural } from '../../tools/shared/text.ts';
import { printable } from '../terminal.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';

interface Options extends OutputOptions {
  filter?: string;
  installed?: boolean;
  all?: boolean;
}

export function registerList(program: Command, frame: Frame): void {
  const command = program
    .command('list')
    .alias('sources')
    .description('list installed sources, and those available in the registry')
    .option('--filter <text>', 'only those whose name, title, description, tags or packages contain this')
    .option('--installed', 'only installed sources')
    .option('--all', 'name every source of the registry, as JSON does; as text they are counted');
  withFormat(command).action((options: Options) => run(frame, options));
}

async function run(frame: Frame, options: Options): Promise<void> {
  const engine = await frame.engine();
  const result = await engine.docs.list(frame.call(), { filter: options.filter });
  if (options.installed) result.sources = result.sources.filter((source) => source.kind === 'installed');
  show(frame, options, {
    json: result,
    items: result.sources,
    text: () => describe(frame, result.sources, options),
    raw: () => result.sources.map((source) => source.alias).join('\n'),
  });
  for (const notice of result.notices ?? []) frame.note(notice);
}

function describe(
  frame: Frame,
  sources: readonly (InstalledSource | RegistrySource)[],
  { all, filter }: Options,
): string {
  const { terminal } = frame;
  const installed = sources.filter((source) => source.kind === 'installed');
  const available = sources.filter((source) => source.kind === 'registry');
  const wide = longest(installed);
  const lines = installed.map((source) => {
    const { totalLines, headings } = source.metadata;
    const place = source.url ?? source.location;
    return [
      terminal.bold(source.alias.padEnd(wide)),
      ...(source.title === source.alias ? [] : [printable(source.title)]),
      `${plural(totalLines, 'line')}, ${plural(headings, 'heading')}`,
      ...(place ? [terminal.dim(printable(place))] : []),
      ...(source.stale ? [terminal.yellow('stale')] : []),
      ...(source.partial ? [terminal.yellow('partial')] : []),
      ...(source.unindexedSince ? [terminal.yellow(`not indexed since ${source.unindexedSince}`)] : []),
    ].join('  ');
  });
  if (installed.length === 0) lines.push('No sources are installed.');
  if (available.length === 0) return lines.join('\n');
  if (!all && filter === undefined)
    return [
      ...lines,
      '',
      terminal.dim(
        `${plural(available.length, 'source')} in the registry: blz lookup <word> finds one, blz list --all names them.`,
      ),
    ].join('\n');
  lines.push('', terminal.dim('In the registry (blz add <alias>):'));
  const names = longest(available);
  for (const source of available)
    lines.push(`${source.alias.padEnd(names)}  ${terminal.dim(printable(source.description))}`);
  return lines.join('\n');
}

function longest(sources: readonly { alias: string }[]): number {
  return Math.max(0, ...sources.map(({ alias }) => alias.length));
}
