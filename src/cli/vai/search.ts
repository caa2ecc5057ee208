// vai search: hits with their lines on a terminal, the engine's own answer as JSON.

import { Option, type Command } from 'commander';
import type { SearchHit, SearchMode, SearchResult } from '../../engine/search/types.ts';
import { integer, list, share, usage, type Frame } from '../frame.ts';
import { plural } from '../../tools/shared/text.ts';
import { show, withFormat, type OutputOptions, type Shapes } from '../output.ts';
import { showPassage } from '../passage.ts';
import { printable } from '../terminal.ts';
import { withVerdict } from '../verdict.ts';

const MODES: SearchMode[] = ['words', 'meaning', 'hybrid', 'relations', 'graph'];

/** Also a folder or document of one, as a citation names it. */
export const COLLECTIONS = 'search only here (repeat or comma list), or in a folder: name/path';

/** Rows one long line of a hit may take. */
const MAX_ROWS = 3;

/** What every command that prints hits takes. */
export interface HitOptions extends OutputOptions {
  collection?: string[];
  db?: string;
  limit: number;
  filter?: string;
  minRelevance?: number;
  cursor?: string;
}

interface Options extends HitOptions {
  mode?: SearchMode;
  rerank?: boolean;
}

export function registerSearch(program: Command, frame: Frame): void {
  const command = program
    .command('search')
    .description('search by words, meaning or both')
    .argument('<query...>', 'what to search for; "a phrase", -excluded, +required, title:word, prefix*')
    .option('-c, --collection <name>', COLLECTIONS, list)
    .option('--db <name>', 'database')
    .addOption(new Option('-m, --mode <mode>', 'how to search (default: hybrid)').choices(MODES))
    .option('--rerank', 'rerank the best hits')
    .option(
      '--filter <json>',
      'only documents whose metadata match, for example \'{"metadata.type":"api"}\'',
    );
  withHits(command, { most: 100, usual: 10 })
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai search how do refresh tokens work\n  $ vai search \'"connection pool" -redis\' --mode words -k 5',
    )
    .action((words: string[], options: Options) => search(frame, words.join(' '), options));
}

async function search(frame: Frame, query: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const result = await engine.search.run(frame.call(), {
    ...requestOf(query, options),
    mode: options.mode,
    rerank: options.rerank,
  });
  const format = show(frame, options, { json: result, ...formsOf(frame, result) });
  if (format !== 'json' && result.hits.length === 0) frame.fail(3);
}

/** What is asked of the engine by them. */
export function requestOf(query: string, options: HitOptions) {
  const { collection: collections, db, limit, minRelevance, cursor } = options;
  return { query, collections, db, limit, filter: filterOf(options), minRelevance, cursor };
}

/** The last options of every command that prints hits, at most so many and usually so many. */
export function withHits(command: Command, { most, usual }: { most: number; usual: number }): Command {
  const number = integer('--limit', 1, most);
  command
    .option('-k, --limit <number>', 'number of results; -n is the same', number, usual)
    // People know one letter from vai, the other from blz.
    .addOption(new Option('-n <number>').argParser(number).hideHelp())
    .on('option:n', (value: string) => command.setOptionValue('limit', number(value)))
    .option(
      '--min-relevance <number>',
      'leave out hits below this relevance, 0 to 1',
      share('--min-relevance'),
    )
    .option('--cursor <cursor>', 'the next page');
  return withFormat(command, true);
}

/** Hits in every format but JSON. */
export function formsOf(frame: Frame, result: SearchResult): Omit<Shapes, 'json'> {
  return {
    items: result.hits,
    text: () => describe(frame, result),
    // One citation a line: what `vai get` takes.
    raw: () => result.hits.map((hit) => hit.citation).join('\n'),
    markdown: () => asMarkdown(result),
  };
}

function filterOf({ filter }: { filter?: string }): unknown {
  if (filter === undefined) return undefined;
  try {
    return JSON.parse(filter);
  } catch {
    throw usage('--filter takes JSON.', 'For example: --filter \'{"metadata.type": "api-doc"}\'');
  }
}

/** A page to keep or share: each passage quoted in full under its citation. */
function asMarkdown({ query, hits }: SearchResult): string {
  const sections = hits.map(({ citation, headingPath, relevance, text }) =>
    [
      `## \`${printable(citation)}\``,
      [...headingPath.map(printable), `relevance ${relevance.toFixed(2)}`].join(' › '),
      text
        .trimEnd()
        .split(/\r?\n/)
        .map((line) => `> ${printable(line)}`.trimEnd())
        .join('\n'),
    ].join('\n\n'),
  );
  return [`# ${printable(query)}`, ...(hits.length ? sections : ['Nothing was found.'])].join('\n\n');
}

function describe(frame: Frame, result: SearchResult): string {
  const { terminal } = frame;
  const blocks = result.hits.map((hit, at) => describeHit(frame, hit, { rank: at + 1, query: result.query }));
  // Whoever reads from the top must know what the hits are worth before relying on them.
  const { lines: worth, others } = withVerdict(frame, result);
  const notes = [...others.map(({ message }) => message), ...result.warnings].map((note) =>
    terminal.yellow(printable(note)),
  );
  const more = result.nextCursor ? [terminal.dim(`More: add --cursor ${result.nextCursor}`)] : [];
  const summary = terminal.dim(
    `${plural(result.hits.length, 'hit')} (${result.mode}${result.reranked ? ` + ${result.rerankModel}` : ''}) in ${result.timeMs} ms${result.scope ? ", in the project's collections (-c '*' searches everywhere)" : ''}`,
  );
  return [...worth, ...blocks, ...notes, ...(result.hits.length ? [summary] : []), ...more].join('\n\n');
}

function describeHit(frame: Frame, hit: SearchHit, { rank, query }: { rank: number; query: string }): string {
  const passage = {
    rank,
    place: hit.citation.replace(/@[0-9a-f]+$/, ''),
    link: hit.origin && /^https?:\/\//.test(hit.origin) ? hit.origin : undefined,
    notes: [`relevance ${hit.relevance.toFixed(2)}`],
    headingPath: hit.headingPath,
    text: hit.snippet,
    firstLine: firstLineOf(hit),
  };
  return showPassage(frame, passage, { query, rows: MAX_ROWS });
}

/** The snippet is made of whole lines of the text: find where it begins. */
function firstLineOf(hit: SearchHit): number {
  const text = hit.text.replaceAll('\r\n', '\n');
  const at = Math.max(0, text.indexOf(hit.snippet));
  return hit.lines.start + text.slice(0, at).split('\n').length - 1;
}
