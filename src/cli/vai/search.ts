// vai search: hits with their lines on a terminal, the engine's own answer as JSON.

import type { Command } from 'commander';
import type { SearchHit, SearchMode, SearchResult } from '../../engine/search/types.ts';
import { integer, list, share, usage, type Frame } from '../frame.ts';
import { plural } from '../../tools/shared/text.ts';
import { clip, printable } from '../terminal.ts';

const MODES: SearchMode[] = ['words', 'meaning', 'hybrid', 'relations', 'graph'];

interface Options {
  collection?: string[];
  db?: string;
  limit: number;
  mode?: string;
  rerank?: boolean;
  filter?: string;
  minRelevance?: number;
  cursor?: string;
  blocks?: boolean;
  json?: boolean;
}

export function registerSearch(program: Command, frame: Frame): void {
  program
    .command('search')
    .description('search by words, meaning or both')
    .argument('<query...>', 'what to look for; "a phrase", -without, +required, title:word, prefix*')
    .option('-c, --collection <name>', 'search only here (repeat or comma list)', list)
    .option('--db <name>', 'database')
    .option('-n, --limit <number>', 'hits to show', integer('--limit', 1, 100), 10)
    .option('-m, --mode <mode>', `${MODES.join(', ')} (default: hybrid)`)
    .option('--rerank', 'read the first 50 again and reorder them')
    .option('--filter <json>', 'only documents whose metadata match, for example \'{"metadata.type":"api"}\'')
    .option('--min-relevance <number>', 'leave out less relevant hits, 0 to 1', share('--min-relevance'))
    .option('--cursor <cursor>', 'the next page')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai search how do refresh tokens work\n  $ vai search \'"connection pool" -redis\' --mode words -n 5',
    )
    .action((words: string[], options: Options) => search(frame, words.join(' '), options));
}

async function search(frame: Frame, query: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const result = await engine.search.run(frame.call(), {
    query,
    collections: options.collection,
    db: options.db,
    limit: options.limit,
    mode: checkMode(options.mode),
    rerank: options.rerank,
    filter: options.filter === undefined ? undefined : parseJson(options.filter),
    minRelevance: options.minRelevance,
    cursor: options.cursor,
  });
  if (frame.wantsJson(options)) return frame.printJson(result);
  frame.print(describe(frame, result));
  if (result.hits.length === 0) frame.fail(3);
}

function checkMode(mode: string | undefined): SearchMode | undefined {
  if (mode === undefined || (MODES as string[]).includes(mode)) return mode as SearchMode | undefined;
  throw usage(`\`${mode}\` is not a mode.`, `Use one of ${MODES.join(', ')}.`);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage('--filter takes JSON.', 'For example: --filter \'{"metadata.type": "api-doc"}\'');
  }
}

export function describe(frame: Frame, result: SearchResult): string {
  const { terminal } = frame;
  const blocks = result.hits.map((hit, at) => describeHit(frame, hit, at + 1));
  const notes = [...result.notices.map((notice) => notice.message), ...result.warnings].map((note) =>
    terminal.yellow(printable(note)),
  );
  const more = result.nextCursor ? [terminal.dim(`More: add --cursor ${result.nextCursor}`)] : [];
  const summary = terminal.dim(
    `${plural(result.hits.length, 'hit')} by ${result.mode}${result.reranked ? ` + ${result.rerankModel}` : ''} in ${result.timeMs} ms${result.scope ? ", in the project's collections (-c '*' looks wider)" : ''}`,
  );
  return [...blocks, ...notes, ...(result.hits.length ? [summary] : []), ...more].join('\n\n');
}

function describeHit(frame: Frame, hit: SearchHit, rank: number): string {
  const { terminal } = frame;
  const place = terminal.cyan(terminal.bold(linked(frame, hit)));
  const head = `${terminal.dim(`${rank}.`)} ${place}  ${terminal.dim(`relevance ${hit.relevance.toFixed(2)}`)}`;
  const path = hit.headingPath.length
    ? terminal.dim(clip(printable(hit.headingPath.join(' › ')), terminal.width - 3))
    : '';
  const marked = new Set(hit.matchLines);
  const lines = hit.snippet.split('\n');
  const from = firstLineOf(hit);
  const body = lines.map((line, at) => {
    const number = from + at;
    const text = clip(printable(line), terminal.width - 8);
    return `${terminal.dim(String(number).padStart(6))} ${marked.has(number) ? terminal.bold(text) : text}`;
  });
  return [head, ...(path ? [`   ${path}`] : []), ...body].join('\n');
}

/** The snippet is made of whole lines of the text: find where it begins. */
function firstLineOf(hit: SearchHit): number {
  const at = hit.text.replaceAll('\r\n', '\n').indexOf(hit.snippet);
  return (
    hit.lines.start + (at <= 0 ? 0 : hit.text.replaceAll('\r\n', '\n').slice(0, at).split('\n').length - 1)
  );
}

function linked(frame: Frame, hit: SearchHit): string {
  const text = printable(hit.citation.replace(/@[0-9a-f]+$/, ''));
  return hit.origin && /^https?:\/\//.test(hit.origin) ? frame.terminal.link(text, hit.origin) : text;
}
