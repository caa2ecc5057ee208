// blz search: what `find` answers to a query.

import type { Command } from 'commander';
import type { FindHit, FindRequest, FindResult } from '../../engine/docs/types.ts';
import { integer, list, usage, type Frame } from '../frame.ts';
import { showPassage } from '../passage.ts';
import { printable } from '../terminal.ts';
import { withVerdict } from '../verdict.ts';
import { LEVELS_HELP, parseLevels } from './levels.ts';
import { formatOf, show, withFormat, type OutputOptions } from '../output.ts';

interface Options extends OutputOptions {
  source?: string[];
  limit?: number;
  page?: number;
  all?: boolean;
  headingsOnly?: boolean;
  levels?: string;
  maxChars?: number;
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
    .option('--page <number>', 'page of hits: 2, 3, … (up to 1,000 hits)', integer('--page', 1, 1000))
    .option('--all', 'every hit, at most 1,000')
    .option('--headings-only', 'only sections whose heading matches')
    .option('-H, --levels <levels>', `only under headings of these levels: ${LEVELS_HELP}`)
    .option(
      '--max-chars <number>',
      'length of the excerpts, 50 to 1,000 (default: 200)',
      integer('--max-chars', 50, 1000),
    )
    .option('--timing', 'print how long it took');
  withFormat(command)
    .addHelpText(
      'after',
      "\nExamples:\n  $ blz search \"test runner\" -s bun\n  $ blz search '+cache -redis' -n 5 --json\n  $ blz search config --headings-only -H '<=2' --page 2",
    )
    .action((words: string[], options: Options) => search(frame, words.join(' '), options));
}

async function search(frame: Frame, query: string, options: Options): Promise<void> {
  const request = requestOf(frame, query, options);
  const engine = await frame.engine();
  const started = performance.now();
  const result = await engine.docs.find(frame.call(), request);
  const ms = performance.now() - started;
  const format = show(frame, options, {
    json: result,
    items: result.hits,
    text: () => describe(frame, result, query),
    raw: () => result.hits.map((hit) => `${hit.alias}:${hit.lines}`).join('\n'),
  });
  if (options.timing) frame.note(`${ms.toFixed(1)} ms`);
  if (format !== 'json' && result.hits.length === 0) {
    for (const notice of result.notices ?? []) frame.note(notice.message);
    if ((result.page ?? 1) > 1) frame.note(`There is no page ${result.page} of these hits.`);
    frame.fail(3);
  }
}

/** The same request as the tool's by default, so that both give the same answer. */
function requestOf(frame: Frame, query: string, options: Options): FindRequest {
  if (options.all && (options.page ?? options.limit) !== undefined)
    throw usage('--all shows every hit.', 'Leave out --page and --limit, or --all.');
  const limit = options.all ? undefined : (options.limit ?? defaultLimit(frame));
  // A person wants to know whether there are more hits.
  const page = options.page ?? (formatOf(frame, options) === 'text' && !options.all ? 1 : undefined);
  return {
    query,
    source: options.source,
    maxResults: limit,
    page,
    all: options.all,
    headingsOnly: options.headingsOnly,
    levels: options.levels ? parseLevels(options.levels) : undefined,
    maxChars: options.maxChars,
  };
}

function defaultLimit(frame: Frame): number | undefined {
  const value = frame.env.BLZ_DEFAULT_LIMIT;
  return value ? integer('BLZ_DEFAULT_LIMIT', 1, 1000)(value) : undefined;
}

function describe(frame: Frame, result: FindResult, query: string): string {
  const { terminal } = frame;
  const { lines: worth, others } = withVerdict(frame, result);
  const notes = result.hits.length ? others.map((notice) => terminal.yellow(printable(notice.message))) : [];
  const more = result.nextPage ? [terminal.dim(`More: add --page ${result.nextPage}`)] : [];
  const hits = result.hits.map((hit, at) => describeHit(frame, hit, { rank: at + 1, query }));
  return [...worth, ...hits, ...notes, ...more].join('\n\n');
}

function describeHit(frame: Frame, hit: FindHit, { rank, query }: { rank: number; query: string }): string {
  const link = hit.pageUrl ?? hit.sourceUrl ?? undefined;
  const notes = [
    `score ${hit.score}`,
    `relevance ${hit.relevance.toFixed(2)}`,
    ...(hit.stale ? ['stale'] : []),
  ];
  const place = `${hit.alias}:${hit.lines}`;
  const { headingPath, snippet: text } = hit;
  return showPassage(frame, { rank, place, link, notes, headingPath, text }, { query });
}
