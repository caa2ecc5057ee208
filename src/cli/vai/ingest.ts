// vai ingest: files, folders or standard input into a collection.

import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHUNK_STRATEGIES } from '../../domain/chunk.ts';
import { toVaiError } from '../../domain/errors.ts';
import { addressKind, isAddress, parseRepository } from '../../domain/source-address.ts';
import type { IndexReport, IngestTextResult } from '../../engine/index/types.ts';
import { dollars, integer, list, oneOf, usage, type Frame } from '../frame.ts';
import { plural } from '../../tools/shared/text.ts';
import { printable } from '../terminal.ts';
import { readInput } from './input.ts';

interface Options {
  collection?: string;
  db?: string;
  model?: string;
  vectors: boolean;
  source?: string;
  include?: string[];
  exclude?: string[];
  sync?: boolean;
  force?: boolean;
  chunkStrategy?: string;
  chunkSize?: number;
  maxCost?: number;
  onlyWhenNamed?: boolean;
  json?: boolean;
}

/** How often a waiting command checks whether it can start. */
const TURN_MS = 500;

export function registerIngest(program: Command, frame: Frame): void {
  program
    .command('ingest')
    .description('add files, folders, an address or standard input (-) to a collection')
    .argument(
      '<path...>',
      'files and folders (Markdown, text, reST, AsciiDoc, HTML, JSON, CSV, YAML, TOML, XML, source code, PDF, DOCX, Jupyter notebooks, OpenAPI), one address (https://…, github:owner/name[@ref][/path] or site:https://…), or - for standard input',
    )
    .option('-c, --collection <name>', 'collection to write (default: from config, else knowledge)')
    .option('--db <name>', 'database')
    .option('--source <name>', 'name of the text read from standard input')
    .option('--model <name>', 'embedding model of a new collection')
    .option('--no-vectors', 'index words only')
    .option('--include <glob>', 'only files that match (repeat or comma list)', list)
    .option('--exclude <glob>', 'leave out files that match (repeat or comma list)', list)
    .option('--sync', 'also remove documents whose file is gone')
    .option('--force', 'read every file again, even if unchanged')
    .option('--chunk-strategy <name>', CHUNK_STRATEGIES.join(', '))
    .option('--chunk-size <characters>', 'characters per chunk', integer('--chunk-size', 100, 8000))
    .option('--max-cost <dollars>', 'stop before hosted models cost more than this', dollars('--max-cost'))
    .option('--only-when-named', 'search this collection only when it is named, or is the only one')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vai ingest docs/\n  $ vai ingest notes.md report.pdf --collection team\n  $ vai ingest https://bun.sh/llms-full.txt\n  $ vai ingest github:honojs/website/docs\n  $ git log -20 | vai ingest - --source git-log',
    )
    .action((paths: string[], options: Options) => ingest(frame, paths, options));
}

async function ingest(frame: Frame, paths: string[], options: Options): Promise<void> {
  const { chunkStrategy } = options;
  const common = {
    collection: options.collection,
    db: options.db,
    model: options.vectors ? options.model : 'none',
    chunk: {
      strategy:
        chunkStrategy === undefined ? undefined : oneOf(CHUNK_STRATEGIES, chunkStrategy, 'chunk strategy'),
      size: options.chunkSize,
    },
  };
  const engine = await frame.engine();
  if (paths.length === 1 && paths[0] === '-') {
    const text = await readInput(frame, 50, 'Save it to files and ingest those.');
    if (text.includes('\0'))
      throw usage(
        'Standard input is not text.',
        'Save it to a file and ingest that; its format is recognized.',
      );
    const result = await frame.withBar((call) =>
      engine.ingest.text(call, { ...common, text, source: options.source }),
    );
    return frame.wantsJson(options) ? frame.printJson(result) : frame.print(describeText(result));
  }
  if (paths.includes('-')) throw usage('Standard input (-) cannot be mixed with files.');
  if (options.source !== undefined)
    throw usage('--source names the text of standard input (-).', 'A file is known by its path.');
  const addresses = paths.filter(isAddress);
  if (addresses.length > 0 && (addresses.length < paths.length || paths.length > 1))
    throw usage('Give one address at a time, without files.');
  if (addresses[0] !== undefined) return ingestAddress(frame, addresses[0], options);
  const request = {
    ...common,
    onlyNamed: options.onlyWhenNamed,
    paths,
    include: options.include,
    exclude: options.exclude,
    sync: options.sync,
    force: options.force,
    maxCost: options.maxCost,
  };
  const report = await frame.withBar((call) => inTurn(frame, () => engine.ingest.files(call, request)));
  if (frame.wantsJson(options)) frame.printJson(report);
  else frame.print(describeFiles(frame, report));
  if (report.run.failed > 0) frame.fail(3);
}

/** Text from the web is a documentation source: it is fetched again with `vai docs update`. */
async function ingestAddress(frame: Frame, url: string, options: Options): Promise<void> {
  const engine = await frame.engine();
  const request = { alias: options.collection ?? aliasOf(url), url, force: options.force };
  const added = await frame.withBar((call) => engine.docs.add(call, request));
  if (frame.wantsJson(options)) return frame.printJson(added);
  frame.print(`${added.message}\nUpdate it with \`vai docs update ${added.alias}\`.`);
  for (const notice of added.notices ?? []) frame.note(notice);
}

/** Parts of a host name that say nothing about whose documentation it is. */
const COMMON = /^(www|docs?|developers?|api|com|org|net|io|dev|build|sh|ai)$/;

/** `https://docs.astro.build/llms-full.txt` is called `astro`. */
function aliasOf(url: string): string {
  if (addressKind(url) === 'repository') return tidy(parseRepository(url).name.replace(/^[^a-z]+/i, ''));
  const labels = new URL(url.replace(/^site:/i, '')).hostname.toLowerCase().split('.');
  const named = labels.find((label) => /^[a-z]/.test(label) && !COMMON.test(label));
  return tidy(named ?? 'web');
}

function tidy(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .slice(0, 64);
}

/** Another run is writing to the collection: wait and try again, as a person would. */
async function inTurn<T>(frame: Frame, run: () => Promise<T>): Promise<T> {
  for (let told = false; ; told = true) {
    try {
      return await run();
    } catch (thrown) {
      const error = toVaiError(thrown);
      if (error.code !== 'INDEX_BUSY') throw thrown;
      if (!told) frame.note(`${error.message} Waiting for it to end.`);
      await sleep(TURN_MS, undefined, { signal: frame.signal });
    }
  }
}

function describeText(result: IngestTextResult): string {
  const what = result.chunksCreated > 0 ? plural(result.chunksCreated, 'chunk') : 'unchanged';
  return [
    `${result.source} → ${result.collection}: ${what} (${result.model}, ${result.timeMs} ms)`,
    ...result.warnings.map((w) => `  ${w}`),
  ].join('\n');
}

function describeFiles(frame: Frame, report: IndexReport): string {
  const { terminal } = frame;
  const { run, calls, failures, failuresTotal, warnings } = report;
  const counts = [
    `${run.added} added`,
    `${run.changed} changed`,
    ...(run.renamed ? [`${run.renamed} renamed`] : []),
    `${run.unchanged} unchanged`,
    ...(run.deleted ? [`${run.deleted} removed`] : []),
    ...(run.partial ? [`${run.partial} partial`] : []),
  ].join(', ');
  const lines = [
    `${terminal.bold(report.collection)}: ${counts}; ${plural(run.chunks, 'chunk')} in ${(report.durationMs / 1000).toFixed(1)} s (${report.model})`,
  ];
  if (report.cost > 0)
    lines.push(`  ${calls.inputTokens.toLocaleString('en')} tokens, $${report.cost.toFixed(4)}`);
  for (const { reason, count, examples } of run.skipped)
    lines.push(terminal.dim(`  skipped ${count}: ${reason} (${printable(examples.slice(0, 2).join(', '))})`));
  for (const failure of failures)
    lines.push(terminal.red(`  ${printable(failure.path)}: ${failure.message}`));
  const more = failuresTotal - failures.length;
  if (more > 0) lines.push(terminal.red(`  and ${plural(more, 'more failure')}`));
  for (const warning of warnings.slice(0, 10)) lines.push(terminal.yellow(`  ${printable(warning)}`));
  return lines.join('\n');
}
