// blz map: the outline of a source with line ranges.

import type { Command } from 'commander';
import { outlineLine } from '../../tools/blz/reports.ts';
import { integer, usage, type Frame } from '../frame.ts';
import { printable } from '../terminal.ts';
import { show, withFormat, type OutputOptions } from './output.ts';

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
    .argument('<alias>', 'the source')
    .option('--tree', 'indent by depth (the text format always does)')
    .option('--max-depth <number>', 'how deep', integer('--max-depth', 1, 12))
    .option('-H, --levels <levels>', 'heading levels: 2, <=2, >=2, 2-3 or 1,2')
    .option('--filter <text>', 'only headings that contain this');
  withFormat(command).action((alias: string, options: Options) => run(frame, alias, options));
}

async function run(frame: Frame, alias: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const entries = await engine.docs.outline(frame.call(), {
    alias,
    ...(options.maxDepth ? { maxDepth: options.maxDepth } : {}),
    ...(options.levels ? { levels: parseLevels(options.levels) } : {}),
    ...(options.filter ? { filter: options.filter } : {}),
  });
  show(frame, options, {
    json: { alias, entries },
    items: entries,
    text: () => printable(entries.map(outlineLine).join('\n')),
    raw: () => entries.map((entry) => entry.headingPath.join(' > ')).join('\n'),
  });
}

/** `2`, `<=2`, `>=2`, `2-3` or `1,2`. */
export function parseLevels(text: string): number[] {
  const all = [1, 2, 3, 4, 5, 6];
  const clean = text.replaceAll(' ', '');
  const bound = /^([<>])=?([1-6])$/.exec(clean);
  if (bound) {
    const level = Number(bound[2]);
    const open = !clean.includes('=');
    return all.filter((one) => (bound[1] === '<' ? one < level : one > level) || (!open && one === level));
  }
  const span = /^([1-6])-([1-6])$/.exec(clean);
  if (span) return all.filter((one) => one >= Number(span[1]) && one <= Number(span[2]));
  if (/^[1-6](,[1-6])*$/.test(clean)) return clean.split(',').map(Number);
  throw usage(`\`${text}\` is not a choice of heading levels.`, 'Use 2, <=2, >=2, 2-3 or 1,2.');
}
