// blz search: what `find` answers to a query.

import type { Command } from 'commander';
import type { FindHit, FindResult } from '../../engine/docs/types.ts';
import { integer, list, type Frame } from '../frame.ts';
import { clip, printable } from '../terminal.ts';
import { show, withFormat, type OutputOptions } from './output.ts';

interface Options extends OutputOptions {
  source?: string[];
  limit?: number;
  headingsOnly?: boolean;
  timing?: boolean;
}

export function registerSearch(program: Command, frame: Frame): void {
  const command = program
    .command('search')
    .aliases(['query', 'find'])
    .description('search installed documentation by words')
    .argument('<query...>', '"a phrase", +required, -excluded, a AND b, a OR b, ( )')
    .option('-s, --source <alias>', 'search only here (repeat or comma list)', list)
    .option(
      '-n, --limit <number>',
      'hits to show, at most 50 (default: BLZ_DEFAULT_LIMIT or 10)',
      integer('--limit', 1, 1000),
    )
    .option('--headings-only', 'weigh headings three times')
    .option('--timing', 'say how long it took');
  withFormat(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ blz search "test runner" -s bun\n  $ blz search \'+cache -redis\' -n 5 --json',
    )
    .action((words: string[], options: Options) => search(frame, words.join(' '), options));
}

async function search(frame: Frame, query: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const started = performance.now();
  const limit = options.limit ?? defaultLimit(frame);
  const result = await engine.docs.find(frame.call(), {
    query: options.headingsOnly ? `# ${query}` : query,
    ...(options.source ? { source: options.source } : {}),
    ...(limit === undefined ? {} : { maxResults: limit }),
  });
  const ms = performance.now() - started;
  const format = show(frame, options, {
    json: result,
    items: result.hits,
    text: () => describe(frame, result),
    raw: () => result.hits.map((hit) => `${hit.alias}:${hit.lines}`).join('\n'),
  });
  if (options.timing) frame.note(`${ms.toFixed(1)} ms`);
  if (format !== 'json' && result.hits.length === 0) {
    for (const notice of result.notices ?? []) frame.note(notice.message);
    frame.fail(3);
  }
}

function defaultLimit(frame: Frame): number | undefined {
  const value = frame.env.BLZ_DEFAULT_LIMIT;
  return value ? integer('BLZ_DEFAULT_LIMIT', 1, 1000)(value) : undefined;
}

function describe(frame: Frame, result: FindResult): string {
  const { terminal } = frame;
  const notes = result.hits.length
    ? (result.notices ?? []).map((notice) => terminal.yellow(printable(notice.message)))
    : [];
  return [...result.hits.map((hit) => describeHit(frame, hit)), ...notes].join('\n\n');
}

function describeHit(frame: Frame, hit: FindHit): string {
  const { terminal } = frame;
  const place = terminal.cyan(terminal.bold(`${printable(hit.alias)}:${hit.lines}`));
  const url = hit.pageUrl ?? hit.sourceUrl;
  const head = `${url ? terminal.link(place, url) : place}  ${terminal.dim(`${hit.score}${hit.stale ? ' stale' : ''}`)}`;
  const path = terminal.dim(clip(printable(hit.headingPath.join(' › ')), terminal.width - 3));
  return [
    head,
    ...(path ? [`   ${path}`] : []),
    `   ${clip(printable(hit.snippet), terminal.width * 2)}`,
  ].join('\n');
}
