// blz diff: what changed since the last version of a source, section by section.

import type { Command } from 'commander';
import type { DiffReport } from '../../engine/docs/types.ts';
import type { Frame } from '../frame.ts';
import { printable } from '../terminal.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';
import { plural } from '../../tools/shared/text.ts';

export function registerDiff(program: Command, frame: Frame): void {
  const command = program
    .command('diff')
    .description('sections moved, changed, added or removed since the last version')
    .argument('<alias>', 'the source')
    .option('--rev <hash>', 'compare with this older version');
  withFormat(command).action(async (alias: string, options: OutputOptions & { rev?: string }) => {
    const engine = await frame.engine();
    const report = await engine.docs.diff(frame.call(), { alias, rev: options.rev });
    show(frame, options, { json: report, text: () => describe(report) });
  });
}

function describe(report: DiffReport): string {
  if (!report.from) return `${report.alias} has no older version.`;
  const path = (headings: readonly string[]): string => printable(headings.join(' › '));
  return [
    `${report.alias}: @${report.from.rev} (${plural(report.from.totalLines, 'line')}) → @${report.to.rev} (${plural(report.to.totalLines, 'line')})`,
    ...report.added.map((one) => `+ ${path(one.headingPath)}  [${one.lines}]`),
    ...report.removed.map((one) => `- ${path(one.headingPath)}  [${one.lines}]`),
    ...report.changed.map((one) => `~ ${path(one.headingPath)}  [${one.from} → ${one.to}]`),
    ...report.moved.map((one) => `> ${path(one.headingPath)}  [${one.from} → ${one.to}]`),
  ].join('\n');
}
