// blz map: the outline of a source with line ranges.

import type { Command } from 'commander';
import { outlineLine } from '../../tools/blz/reports.ts';
import { integer, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';
import { LEVELS_HELP, parseLevels } from './levels.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';

interface Options extends OutputOptions {
  tree?: boolean;
  maxDepth?: number;
  levels?: string;
  filter?: string;
}

export function registerMap(program: Command, frame: Frame): void {
  const command = program
    .command('map')
    .aliases(['toc', 'anchors'])
    .description('the outline of a source with line ranges')
    .argument('<alias>', 'the source; with /path: one document or folder of it')
    .option('--tree', 'indent by depth (the text format always does)')
    .option('--max-depth <number>', 'deepest level to show', integer('--max-depth', 1, 12))
    .option('-H, --levels <levels>', `only headings of these levels: ${LEVELS_HELP}`)
    .option('--filter <text>', 'only headings that contain this');
  withFormat(command).action((alias: string, options: Options) => run(frame, alias, options));
}

async function run(frame: Frame, alias: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const entries = await engine.docs.outline(frame.call(), {
    alias,
    maxDepth: options.maxDepth,
    levels: options.levels ? parseLevels(options.levels) : undefined,
    filter: options.filter,
  });
  show(frame, options, {
    json: { alias, entries },
    items: entries,
    text: () => printable(entries.map(outlineLine).join('\n')),
    raw: () => entries.map((entry) => entry.headingPath.join(' > ')).join('\n'),
  });
}
