// blz stats, history, inspect, schema and validate: the texts of `run-command`, and the same facts as JSON.

import type { Command } from 'commander';
import { ERRORS } from '../../domain/errors.ts';
import { historyText, inspectText, statsText, validateText } from '../../tools/blz/reports.ts';
import { SCHEMA_TEXT, SCHEMA_VERSION } from '../../tools/blz/schema-text.ts';
import { integer, type Frame } from '../frame.ts';
import { show, withFormat, type OutputOptions } from '../output.ts';

export function registerReports(program: Command, frame: Frame): void {
  registerStats(program, frame);
  registerHistory(program, frame);
  registerInspect(program, frame);
  registerSchema(program, frame);
  registerValidate(program, frame);
}

function registerStats(program: Command, frame: Frame): void {
  withFormat(program.command('stats').description('counts, sizes and ages')).action(
    async (options: OutputOptions) => {
      const engine = await frame.engine();
      const stats = await engine.docs.stats(frame.call());
      show(frame, options, { json: stats, items: stats.sources, text: () => statsText(stats) });
    },
  );
}

function registerHistory(program: Command, frame: Frame): void {
  const command = program
    .command('history')
    .description('update history of sources, newest first')
    .argument('[alias]', 'only this source')
    .option('-n, --limit <number>', 'how many', integer('--limit', 1, 10_000), 100);
  withFormat(command).action(
    async (alias: string | undefined, options: OutputOptions & { limit: number }) => {
      const engine = await frame.engine();
      const events = await engine.docs.history(frame.call(), { alias, limit: options.limit });
      show(frame, options, { json: { events }, items: events, text: () => historyText(events) });
    },
  );
}

function registerInspect(program: Command, frame: Frame): void {
  const command = program
    .command('inspect')
    .alias('info')
    .description('show the details of a source, with its outline')
    .argument('[alias]', 'the source; without one, a summary of all');
  withFormat(command).action(async (alias: string | undefined, options: OutputOptions) => {
    const engine = await frame.engine();
    const sources = await engine.docs.inspect(frame.call(), alias);
    const outline = alias
      ? await engine.docs.outline(frame.call(), { alias: sources[0]!.alias, maxDepth: 2 })
      : [];
    show(frame, options, {
      json: alias ? { ...sources[0], outline } : { sources },
      items: alias ? outline : sources,
      text: () => inspectText(sources, outline),
    });
  });
}

function registerSchema(program: Command, frame: Frame): void {
  withFormat(
    program.command('schema').description('storage layout and JSON fields, with their version'),
  ).action((options: OutputOptions) => {
    show(frame, options, { json: { version: SCHEMA_VERSION, text: SCHEMA_TEXT }, text: () => SCHEMA_TEXT });
  });
}

function registerValidate(program: Command, frame: Frame): void {
  const command = program
    .command('validate')
    .alias('check')
    .description('check texts, outlines and index; exit status 7 on any failure')
    .argument('[alias]', 'only this source')
    .option('--all', 'every source')
    .option('--online', 'also check whether each address still answers and has changed');
  withFormat(command).action(
    async (alias: string | undefined, options: OutputOptions & { all?: boolean; online?: boolean }) => {
      const engine = await frame.engine();
      const reports = await engine.docs.validate(frame.call(), {
        alias: options.all ? undefined : alias,
        online: options.online,
      });
      show(frame, options, { json: { sources: reports }, items: reports, text: () => validateText(reports) });
      if (reports.some((report) => report.status === 'error')) frame.fail(ERRORS.STORE_CORRUPT.exit);
    },
  );
}
